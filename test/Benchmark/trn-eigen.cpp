//===- trn-eigen.cpp - Our eigenvectors beside those of LAPACK ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Finds the largest eigenvectors of the Gram matrix of a random one, whose rows
// get smaller, as `trn-compress` does, and all of them by `dsyevd`, on one and
// on two threads. Seconds are the least ones of some runs.

#include "Eigen.h"
#include "trn/Model/Workers.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include <chrono>
#include <lapacke.h>
#include <random>
#include <sys/resource.h>

extern "C" void openblas_set_num_threads(int threads);

using namespace mlir::trn;
namespace cl = llvm::cl;

namespace {
cl::opt<int64_t> size("size", cl::desc("Rows of the matrix"), cl::init(1200));
cl::opt<int64_t> count("count", cl::desc("Eigenvectors"), cl::init(750));
cl::opt<int64_t> runs("runs", cl::desc("How often"), cl::init(3));

struct Seconds {
  double wall, cpu;

  static Seconds now() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    auto secondsOf = [](const timeval &time) {
      return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
    };
    const std::chrono::duration<double> wall =
        std::chrono::steady_clock::now().time_since_epoch();
    return {wall.count(),
            secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime)};
  }
};
} // namespace

static Matrix draw() {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  const int64_t columns = 2 * size;
  Matrix matrix(size * columns);
  for (int64_t i = 0; i < size; ++i)
    for (int64_t j = 0; j < columns; ++j)
      matrix[i * columns + j] = normal(generator) * std::pow(1 + i, -0.35);
  Workers workers(0);
  return gram(matrix, size, columns, /*ofColumns=*/false, workers);
}

static void measure(llvm::StringRef name, unsigned threads,
                    llvm::function_ref<bool()> run) {
  Seconds least{INFINITY, INFINITY};
  for (int64_t i = 0; i < runs; ++i) {
    const Seconds before = Seconds::now();
    if (!run()) {
      llvm::errs() << "error: " << name << " found no eigenvectors\n";
      exit(1);
    }
    const Seconds after = Seconds::now();
    least.wall = std::min(least.wall, after.wall - before.wall);
    least.cpu = std::min(least.cpu, after.cpu - before.cpu);
  }
  llvm::outs() << llvm::formatv("{0,-8} {1,7} {2,8:F3} {3,8:F3}\n", name,
                                threads, least.wall, least.cpu);
  llvm::outs().flush();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Time eigenvectors\n");
  const Matrix symmetric = draw();
  llvm::outs() << llvm::formatv(
      "{0} eigenvectors of {1}\n         threads        s    CPU s\n",
      int64_t(count), int64_t(size));
  for (unsigned threads : {1, 2}) {
    openblas_set_num_threads(1);
    for (Svd svd : {Svd::Mixed, Svd::Exact})
      measure(stringify(svd), threads, [&] {
        Workers workers(threads);
        return !decompose(symmetric, size, count, svd, workers).values.empty();
      });
    openblas_set_num_threads(int(threads));
    measure("dsyevd", threads, [&] {
      Matrix vectors = symmetric, values(size);
      return LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'V', 'L', size, vectors.data(),
                            size, values.data()) == 0;
    });
  }
  return 0;
}
