//===- trn-svd.cpp - How fast and how exact factors are -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Factors a matrix as trn-compress does with --method=plain, for the script
// `svd`.
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Factor.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/NPY.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include <chrono>

using namespace mlir::trn;
namespace cl = llvm::cl;

namespace {
cl::opt<std::string> matrix(cl::Positional, cl::desc("MATRIX.npy of f32"),
                            cl::Required);
cl::opt<std::string> output("o", cl::desc("Where U.npy and V.npy are written"));
cl::opt<unsigned> rank("rank", cl::desc("Rank of the factors"), cl::Required);
cl::opt<Svd> svd("svd", cl::desc("How"),
                 cl::values(clEnumValN(Svd::Mixed, "mixed", ""),
                            clEnumValN(Svd::Exact, "exact", ""),
                            clEnumValN(Svd::Fast, "fast", "")));
cl::opt<unsigned> cores("cores", cl::desc("Threads, 0 for all"), cl::init(0));

llvm::Error write(const char *name, llvm::ArrayRef<float> values, int64_t rows,
                  int64_t columns) {
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(ElementType::F32, {rows, columns});
  if (!tensor)
    return tensor.takeError();
  tensor->storeF32(0, rows * columns, values.data());
  return writeNPY(output + "/" + name, *tensor);
}

llvm::Error run() {
  auto buffer = readInputFile(matrix, /*isText=*/false);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<ArrayView> view = parseNPY((*buffer)->getBuffer());
  if (!view)
    return view.takeError();
  const int64_t out = view->shape[0], in = view->shape[1];
  const llvm::ArrayRef weight(reinterpret_cast<const float *>(view->data),
                              out * in);
  FactorOptions options;
  options.svd = svd;
  options.threads = cores;
  auto start = std::chrono::steady_clock::now();
  Factors factors = factor(weight, out, in, rank, Method::Plain, {}, options);
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  llvm::outs() << llvm::formatv("{0:2}\n",
                                llvm::json::Value(llvm::json::Object{
                                    {"seconds", seconds.count()},
                                    {"svd", stringify(factors.svd)},
                                    {"reason", factors.svdReason},
                                    {"weight_error", factors.weightError},
                                    {"output_error", factors.outputError}}));
  if (output.empty())
    return llvm::Error::success();
  if (llvm::Error error = write("U.npy", factors.first, rank, in))
    return error;
  return write("V.npy", factors.second, out, rank);
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Factor a matrix\n");
  if (llvm::Error error = run()) {
    llvm::WithColor::error(llvm::errs(), "trn-svd")
        << llvm::toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
