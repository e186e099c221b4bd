//===- Factor.h - Two factors for a weight ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_FACTOR_H
#define TRN_COMPRESS_FACTOR_H

#include "trn/Compress/Factors.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::trn {

/// What the truncated factors keep best:
/// - Whiten: the outputs for the inputs of the calibration (SVD-LLM)
/// - Plain: the weight itself
/// - Asvd: the weight, its columns scaled by the square root of the inputs'
///   mean magnitudes (ASVD)
enum class Method : uint8_t { Whiten, Plain, Asvd };
llvm::StringRef stringify(Method method);

/// What a calibration knows of a weight [out, in]: means over its tokens, in
/// f64. Of inputs and outputs only those with fewer columns are needed.
struct Statistics {
  std::vector<double> inputs;     // x x^T, [in, in]
  std::vector<double> outputs;    // y y^T, [out, out]
  std::vector<double> magnitudes; // |x|, [in]
  double inputSquares = 0;        // of all of x
};

/// For a weight [out, in], from the mean of x x^T over its inputs, [in, in].
Statistics mapGram(llvm::ArrayRef<float> weight, std::vector<double> gram,
                   unsigned threads);

/// `body` for the number of each of several weights, of whose sizes the smaller
/// ones are given, and the threads that it may use: small ones side by side,
/// and large ones, which need much memory, one after the other.
void forEachWeight(llvm::ArrayRef<int64_t> sizes, unsigned threads,
                   llvm::function_ref<void(size_t, unsigned)> body);

/// The best factors of `weight` [out, in] with `rank` at most the smaller of
/// both sizes. With W S = Q Sigma Z^T, where S S^T is the mean of x x^T
/// (whiten) plus 1e-6 of its mean diagonal, they are those of Q_r Q_r^T W;
/// found by an eigendecomposition on the smaller side. Their bytes do not
/// depend on the number of threads.
Factors factor(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
               int64_t rank, Method method, const Statistics &statistics,
               const FactorOptions &options = {});

/// Only their singular values, all of them.
std::vector<double> findSigmas(llvm::ArrayRef<float> weight, int64_t out,
                               int64_t in, Method method,
                               const Statistics &statistics, unsigned threads);

/// What a fit knows: means over tokens of inputs x and of the outputs y that
/// they should have, in f64.
struct FitStatistics {
  std::vector<double> inputs; // x x^T, [in, in]
  std::vector<double> cross;  // x y^T, [in, out]
  double outputSquares = 0;   // of all of y
};

/// The factors of rank `rank` for which the mean of |y - x U V|^2 is least,
/// plus `shrink` times the mean square of x for each square of what U V differs
/// from the weight by. Works in the place of the statistics.
Factors fitFactors(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                   int64_t rank, double shrink, FitStatistics statistics,
                   const FactorOptions &options);

/// The same where y is W h: means of inputs x, of x h^T and of h h^T, in f64.
struct MappedStatistics {
  std::vector<double> inputs, cross, whole; // [in, in]
};

/// The factors that fitFactors finds for W h. Several weights may have the same
/// statistics.
Factors fitMappedFactors(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                         int64_t rank, double shrink,
                         const MappedStatistics &statistics,
                         const FactorOptions &options);

} // namespace mlir::trn

#endif // TRN_COMPRESS_FACTOR_H
