//===- trn-gen.cpp - Write linalg modules ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ToolStreams.h"
#include "trn/Generate/Generate.h"
#include "trn/Support/OutputFile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::trn;
namespace cl = llvm::cl;

namespace {

constexpr const char *overview = R"(Write a linalg module to compile and run

  trn-gen xw  --m=M --k=K --n=N         X[M,K] W[K,N]
  trn-gen xuv --m=M --k=K --r=R --n=N   X[M,K] U[K,R] V[R,N]

Products accumulate in f32; the intermediate and the result are rounded to the
type of the operands.
)";

cl::OptionCategory category("trn-gen options");

cl::opt<std::string> kind(cl::Positional, cl::desc("xw|xuv"),
                          cl::cat(category));
cl::opt<long long> rows("m", cl::desc("Rows of X"), cl::value_desc("size"),
                        cl::cat(category));
cl::opt<long long> inner("k", cl::desc("Columns of X"), cl::value_desc("size"),
                         cl::cat(category));
cl::opt<long long> rank("r", cl::desc("Columns of U (xuv only)"),
                        cl::value_desc("size"), cl::cat(category));
cl::opt<long long> columns("n", cl::desc("Columns of the result"),
                           cl::value_desc("size"), cl::cat(category));
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
                               cl::desc("Return the N x M transposed result"),
                               cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Output file (default -)"),
                            cl::value_desc("file"), cl::init("-"),
                            cl::cat(category));

int fail(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "trn-gen") << message << "\n";
  return 1;
}

} // namespace

static int generate() {
  if (kind.empty())
    return fail("say what to generate: xw or xuv");
  if (kind != "xw" && kind != "xuv")
    return fail("cannot generate '" + kind + "', only xw and xuv");
  bool isChain = kind == "xuv";
  SmallVector<cl::opt<long long> *> sizes = {&rows, &inner, &columns};
  if (isChain)
    sizes.push_back(&rank);
  else if (rank.getNumOccurrences())
    return fail("--r is the rank of xuv; xw has none");
  for (cl::opt<long long> *size : sizes)
    if (!size->getNumOccurrences())
      return fail("size --" + size->ArgStr + " is missing");

  ChainSpec spec;
  spec.m = rows;
  spec.k = inner;
  if (isChain)
    spec.rank = rank;
  spec.n = columns;
  spec.type = dtype;
  spec.transposedInput = transposedInput;
  spec.transposedOutput = transposedOutput;

  MLIRContext context(MLIRContext::Threading::DISABLED);
  llvm::Expected<OwningOpRef<ModuleOp>> module = generateChain(&context, spec);
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
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  surviveWriteErrors();
  return finishStreams("trn-gen", generate());
}
