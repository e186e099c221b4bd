//===- Options.cpp - The command line of trn-gen --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../ElementTypes.h"
#include "trn/Support/Version.h"

using namespace mlir::trn;
using namespace mlir::trn::gen;

static constexpr const char *overview =
    R"(Write a linalg module to compile and run

  trn-gen xw  --m=M --k=K --n=N          X[M,K] W[K,N]
  trn-gen xuv --m=M --k=K --r=R --n=N    X[M,K] U[K,R] V[R,N]
  trn-gen mlp --m=M --hidden=D --intermediate=I [--rank=R | --ratio=P | --dense]
                                         down(silu(gate(X)) * up(X))
  trn-gen qkv --m=M --hidden=D --heads=H [--kv-heads=G] [--head-dim=E]
              [--rank=R | --ratio=P | --dense]
                                         X W for queries, keys and values
  trn-gen norm --m=M --hidden=D [--kind=rms|layer] [--n=N]
                                         norm(X), or norm(X) W[D,N]
  trn-gen attention --m=M --heads=H --head-dim=E [--kv-heads=G] [--context=T]
              [--causal [--window=W]]    softmax(q k^T / sqrt(E)) v
  trn-gen layer --m=M --hidden=D --heads=H --intermediate=I [--kv-heads=G]
              [--head-dim=E] [--context=T] [--qk-norm]
              [--rank=R | --ratio=P | --dense]
                                         a decoder layer of Llama or Qwen3
  trn-gen llama MODEL --mode=prefill|decode|both [--rows=S] [--context=T]
              [--batch=B] [--layers=L] [--all-logits]
                                         a language model: MODEL is config.json,
                                         a folder with one, or a llama2.c file

Products accumulate in f32; intermediates and results are rounded to the type of
the operands. Gate and up stay in f32 until their gated product is rounded; the
logits of a model stay so.
)";

namespace mlir::trn::gen {

cl::OptionCategory category("trn-gen options");

cl::opt<std::string> kind(cl::Positional,
                          cl::desc("xw|xuv|mlp|qkv|norm|attention|layer|llama"),
                          cl::cat(category));
cl::opt<std::string> model(cl::Positional, cl::desc("[MODEL]"),
                           cl::cat(category));
Size rows("m", cl::desc("Rows of X; positions of queries"),
          cl::value_desc("size"), cl::cat(category));
Size inner("k", cl::desc("Columns of X"), cl::value_desc("size"),
           cl::cat(category));
Size innerRank("r", cl::desc("Columns of U (xuv only)"), cl::value_desc("size"),
               cl::cat(category));
Size columns("n", cl::desc("Columns of the result"), cl::value_desc("size"),
             cl::cat(category));
Size hidden("hidden", cl::desc("Columns of X (mlp, qkv, norm, layer)"),
            cl::value_desc("size"), cl::cat(category));
Size intermediate("intermediate",
                  cl::desc("Columns of gate and up (mlp, layer)"),
                  cl::value_desc("size"), cl::cat(category));
Size heads("heads", cl::desc("Heads of the queries (qkv, attention, layer)"),
           cl::value_desc("count"), cl::cat(category));
Size kvHeads("kv-heads",
             cl::desc("Heads of keys and values (default as --heads)"),
             cl::value_desc("count"), cl::cat(category));
Size headDim("head-dim", cl::desc("Columns of a head (default hidden / heads)"),
             cl::value_desc("size"), cl::cat(category));
Size rank("rank",
          cl::desc("Give weights as factors of this rank (mlp, qkv, layer)"),
          cl::value_desc("size"), cl::cat(category));
cl::opt<double> ratio(
    "ratio",
    cl::desc("Give weights as factors, this share removed (mlp, qkv, layer)"),
    cl::value_desc("share"), cl::cat(category));
cl::opt<bool> dense("dense",
                    cl::desc("Give weights whole (mlp, qkv, layer; default)"),
                    cl::cat(category));
cl::opt<NormKind>
    normKind("kind", cl::desc("Norm of the rows (norm; default rms)"),
             cl::init(NormKind::RMS), cl::cat(category),
             cl::values(clEnumValN(NormKind::RMS, "rms", "RMSNorm with a gain"),
                        clEnumValN(NormKind::Layer, "layer",
                                   "LayerNorm with gain and bias")));
cl::opt<double>
    epsilon("eps",
            cl::desc("What norms add to the mean of squares (norm, layer; "
                     "default 1e-5)"),
            cl::value_desc("number"), cl::init(1e-5), cl::cat(category));
Size contextLength("context",
                   cl::desc("Positions of keys (attention, layer; default as "
                            "--m): the last are those of the queries; rows of "
                            "the caches of @decode (llama)"),
                   cl::value_desc("size"), cl::cat(category));
cl::opt<bool> causal("causal",
                     cl::desc("No query sees a later key (attention)"),
                     cl::cat(category));
Size window("window", cl::desc("Nor one that is so far before it (attention)"),
            cl::value_desc("size"), cl::cat(category));
cl::opt<bool>
    qkNorm("qk-norm",
           cl::desc("Norm each head of queries and keys, as Qwen3 (layer)"),
           cl::cat(category));
cl::opt<Mode>
    mode("mode", cl::desc("Functions of a model (llama; default both)"),
         cl::init(Mode::Both), cl::cat(category),
         cl::values(
             clEnumValN(Mode::Prefill, "prefill",
                        "@prefill of --rows tokens, without any before"),
             clEnumValN(Mode::Decode, "decode",
                        "@decode of one token behind caches of --context rows"),
             clEnumValN(Mode::Both, "both", "Both in one module")));
Size tokenRows("rows", cl::desc("Tokens of @prefill (llama)"),
               cl::value_desc("size"), cl::cat(category));
Size batch("batch",
           cl::desc("Sequences that @decode continues together (llama; default "
                    "1)"),
           cl::value_desc("count"), cl::init(1), cl::cat(category));
Size layers("layers", cl::desc("Only so many first layers (llama)"),
            cl::value_desc("count"), cl::cat(category));
cl::opt<bool> allLogits("all-logits",
                        cl::desc("Return logits of all rows, not only of the "
                                 "last one (llama)"),
                        cl::cat(category));
cl::opt<ElementType> dtype("dtype", cl::desc("Element type (default bf16)"),
                           cl::init(ElementType::BF16), cl::cat(category),
                           floatTypes());
cl::opt<ElementType>
    weightType("weights",
               cl::desc("What weights of products are stored in, with a scale "
                        "for each output (default: the element type)"),
               cl::cat(category), weightTypes());
cl::opt<bool> transposedInput("transposed-input",
                              cl::desc("Take X as a K x M tensor"),
                              cl::cat(category));
cl::opt<bool> transposedOutput("transposed-output",
                               cl::desc("Return N x M transposed results"),
                               cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Output file (default -)"),
                            cl::value_desc("file"), cl::init("-"),
                            cl::cat(category));

} // namespace mlir::trn::gen

void mlir::trn::gen::parseOptions(int argc, char **argv) {
  cl::SetVersionPrinter(printVersion);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
}
