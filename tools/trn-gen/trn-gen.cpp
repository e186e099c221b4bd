//===- trn-gen.cpp - Write linalg modules ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ToolStreams.h"
#include "trn/Compress/Rank.h"
#include "trn/Generate/Generate.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Version.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::trn;
namespace cl = llvm::cl;

namespace {

using Size = cl::opt<long long>;
using Module = llvm::Expected<OwningOpRef<ModuleOp>>;

constexpr const char *overview = R"(Write a linalg module to compile and run

  trn-gen xw  --m=M --k=K --n=N          X[M,K] W[K,N]
  trn-gen xuv --m=M --k=K --r=R --n=N    X[M,K] U[K,R] V[R,N]
  trn-gen mlp --m=M --hidden=D --intermediate=I [--rank=R | --ratio=P | --dense]
                                         down(silu(gate(X)) * up(X))
  trn-gen qkv --m=M --hidden=D --heads=H [--kv-heads=G] [--head-dim=E]
              [--rank=R | --ratio=P | --dense]
                                         X W for queries, keys and values

Products accumulate in f32; intermediates and results are rounded to the type of
the operands. Gate and up stay in f32 until their gated product is rounded.
)";

cl::OptionCategory category("trn-gen options");

cl::opt<std::string> kind(cl::Positional, cl::desc("xw|xuv|mlp|qkv"),
                          cl::cat(category));
Size rows("m", cl::desc("Rows of X"), cl::value_desc("size"),
          cl::cat(category));
Size inner("k", cl::desc("Columns of X"), cl::value_desc("size"),
           cl::cat(category));
Size innerRank("r", cl::desc("Columns of U (xuv only)"), cl::value_desc("size"),
               cl::cat(category));
Size columns("n", cl::desc("Columns of the result"), cl::value_desc("size"),
             cl::cat(category));
Size hidden("hidden", cl::desc("Columns of X (mlp, qkv)"),
            cl::value_desc("size"), cl::cat(category));
Size intermediate("intermediate", cl::desc("Columns of gate and up (mlp)"),
                  cl::value_desc("size"), cl::cat(category));
Size heads("heads", cl::desc("Heads of the queries (qkv)"),
           cl::value_desc("count"), cl::cat(category));
Size kvHeads("kv-heads",
             cl::desc("Heads of keys and values (qkv; default as --heads)"),
             cl::value_desc("count"), cl::cat(category));
Size headDim("head-dim",
             cl::desc("Columns of a head (qkv; default hidden / heads)"),
             cl::value_desc("size"), cl::cat(category));
Size rank("rank", cl::desc("Give weights as factors of this rank (mlp, qkv)"),
          cl::value_desc("size"), cl::cat(category));
cl::opt<double>
    ratio("ratio",
          cl::desc("Give weights as factors, this share removed (mlp, qkv)"),
          cl::value_desc("share"), cl::cat(category));
cl::opt<bool> dense("dense", cl::desc("Give weights whole (mlp, qkv; default)"),
                    cl::cat(category));
cl::opt<ElementType>
    dtype("dtype", cl::desc("Element type (default bf16)"),
          cl::init(ElementType::BF16), cl::cat(category),
          cl::values(clEnumValN(ElementType::BF16, "bf16", "bfloat16"),
                     clEnumValN(ElementType::F16, "f16", "IEEE half"),
                     clEnumValN(ElementType::F32, "f32", "IEEE single")));
cl::opt<bool> transposedInput("transposed-input",
                              cl::desc("Take X as a K x M tensor"),
                              cl::cat(category));
cl::opt<bool> transposedOutput("transposed-output",
                               cl::desc("Return N x M transposed results"),
                               cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Output file (default -)"),
                            cl::value_desc("file"), cl::init("-"),
                            cl::cat(category));

int fail(const Twine &message) {
  printError("trn-gen", message);
  return 1;
}

template <typename Spec>
Spec makeSpec() {
  Spec spec;
  spec.m = rows;
  spec.type = dtype;
  spec.transposedInput = transposedInput;
  spec.transposedOutput = transposedOutput;
  return spec;
}

/// The rank of the factors of a weight, or none if it is given whole: asked
/// for, or because factors would have no fewer parameters.
std::optional<int64_t> chooseRank(StringRef weights, int64_t rows,
                                  int64_t columns) {
  if (rank.getNumOccurrences())
    return rank;
  if (!ratio.getNumOccurrences())
    return std::nullopt;
  // Other ranks leave partitions idle.
  int64_t chosen =
      getRankOfRatio(ratio, rows, columns, defaultMachine().partitions);
  int64_t largest = getLargestUsefulRank(rows, columns);
  if (chosen <= largest)
    return chosen;
  llvm::WithColor::note(llvm::errs(), "trn-gen")
      << weights << " of " << rows << " x " << columns
      << " stay whole: their rank would be " << chosen
      << ", but the largest whose factors are smaller is " << largest << "\n";
  return std::nullopt;
}

llvm::Error checkRemoved(bool anyRank) {
  if (!ratio.getNumOccurrences() || anyRank)
    return llvm::Error::success();
  return llvm::createStringError("--ratio %g removes nothing; give a larger "
                                 "one, --rank or --dense",
                                 ratio.getValue());
}

Module generateChain(MLIRContext *context) {
  auto spec = makeSpec<ChainSpec>();
  spec.k = inner;
  if (innerRank.getNumOccurrences())
    spec.rank = innerRank;
  spec.n = columns;
  return generateChain(context, spec);
}

Module generateMlp(MLIRContext *context) {
  auto spec = makeSpec<MlpSpec>();
  spec.hidden = hidden;
  spec.intermediate = intermediate;
  if (llvm::Error error = checkSpec(spec))
    return error;
  spec.rank = chooseRank("gate, up and down", spec.hidden, spec.intermediate);
  if (llvm::Error error = checkRemoved(spec.rank.has_value()))
    return error;
  return generateMlp(context, spec);
}

Module generateQkv(MLIRContext *context) {
  auto spec = makeSpec<QkvSpec>();
  spec.hidden = hidden;
  spec.heads = heads;
  spec.kvHeads = kvHeads.getNumOccurrences() ? kvHeads : heads;
  if (headDim.getNumOccurrences() || heads < 1)
    spec.headDim = headDim;
  else if (hidden % heads == 0)
    spec.headDim = hidden / heads;
  else
    return llvm::createStringError("hidden is " + Twine(hidden) +
                                   ", which is no multiple of " + Twine(heads) +
                                   " heads; give their size as --head-dim");
  if (llvm::Error error = checkSpec(spec))
    return error;
  spec.queryRank =
      chooseRank("queries' weights", spec.hidden, spec.queryColumns());
  spec.keyValueRank = chooseRank("keys' and values' weights", spec.hidden,
                                 spec.keyValueColumns());
  if (llvm::Error error = checkRemoved(spec.queryRank || spec.keyValueRank))
    return error;
  return generateQkv(context, spec);
}

struct Kind {
  StringRef name;
  SmallVector<cl::Option *> required;
  SmallVector<cl::Option *> optional;
  Module (*generate)(MLIRContext *context);
};

std::string listNames(ArrayRef<Kind> kinds, StringRef conjunction) {
  std::string names;
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    if (i)
      names += i + 1 < kinds.size() ? ", " : conjunction;
    names += kind.name;
  }
  return names;
}

/// Every option that belongs to some kinds only must belong to `chosen`.
llvm::Error checkOptions(const Kind &chosen, ArrayRef<Kind> kinds) {
  auto takes = [](const Kind &kind, cl::Option *option) {
    return llvm::is_contained(kind.required, option) ||
           llvm::is_contained(kind.optional, option);
  };
  for (const Kind &kind : kinds)
    for (cl::Option *option :
         llvm::concat<cl::Option *const>(kind.required, kind.optional)) {
      if (!option->getNumOccurrences() || takes(chosen, option))
        continue;
      SmallVector<Kind> owners;
      llvm::copy_if(kinds, std::back_inserter(owners),
                    [&](const Kind &other) { return takes(other, option); });
      return llvm::createStringError(
          "--" + option->ArgStr + " is an option of " +
          listNames(owners, " and ") + ", but not of " + chosen.name);
    }
  for (cl::Option *option : chosen.required)
    if (!option->getNumOccurrences())
      return llvm::createStringError("size --" + option->ArgStr +
                                     " is missing");
  if (rank.getNumOccurrences() + ratio.getNumOccurrences() +
          dense.getNumOccurrences() >
      1)
    return llvm::createStringError(
        "--rank, --ratio and --dense exclude each other");
  if (ratio.getNumOccurrences() && !(ratio > 0 && ratio < 1))
    return llvm::createStringError(
        "--ratio is %g, but the share that is removed lies between 0 and 1",
        ratio.getValue());
  return llvm::Error::success();
}

} // namespace

static int generate() {
  const Kind kinds[] = {
      {"xw", {&rows, &inner, &columns}, {}, generateChain},
      {"xuv", {&rows, &inner, &columns, &innerRank}, {}, generateChain},
      {"mlp",
       {&rows, &hidden, &intermediate},
       {&rank, &ratio, &dense},
       generateMlp},
      {"qkv",
       {&rows, &hidden, &heads},
       {&kvHeads, &headDim, &rank, &ratio, &dense},
       generateQkv}};
  if (kind.empty())
    return fail("say what to generate: " + listNames(kinds, " or "));
  const Kind *chosen = llvm::find_if(
      kinds, [](const Kind &known) { return known.name == kind; });
  if (chosen == std::end(kinds))
    return fail("cannot generate '" + kind + "', only " +
                listNames(kinds, " and "));
  if (llvm::Error error = checkOptions(*chosen, kinds))
    return fail(llvm::toString(std::move(error)));

  MLIRContext context(MLIRContext::Threading::DISABLED);
  Module module = chosen->generate(&context);
  if (!module)
    return fail(llvm::toString(module.takeError()));

  auto print = [&](llvm::raw_ostream &os) {
    (*module)->print(os, OpPrintingFlags().printNameLocAsPrefix());
  };
  if (output == "-")
    print(llvm::outs());
  else if (llvm::Error problem = writeFile(output, print))
    return fail(llvm::toString(std::move(problem)));
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::SetVersionPrinter(printVersion);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  surviveWriteErrors();
  return finishStreams("trn-gen", generate());
}
