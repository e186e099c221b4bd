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

/// What truncated factors preserve best:
/// - Whiten: outputs for the calibration's inputs (SVD-LLM)
/// - Plain: the weight itself
/// - Asvd: the weight with columns scaled by the square root of the inputs'
///   mean magnitudes (ASVD)
enum class Method : uint8_t { Whiten, Plain, Asvd };
llvm::StringRef stringify(Method method);

/// Calibration statistics of a weight [out, in]: means over tokens, in f64.
/// Only inputs or outputs are needed, whichever have fewer columns.
struct Statistics {
  std::vector<double> inputs;     // x x^T, [in, in]
  std::vector<double> outputs;    // y y^T, [out, out]
  std::vector<double> magnitudes; // |x|, [in]
  double inputSquares = 0;        // of all of x
};

/// Statistics of a weight [out, in] from the mean of x x^T over its inputs,
/// [in, in].
Statistics mapGram(llvm::ArrayRef<float> weight, std::vector<double> gram,
                   unsigned threads);

/// Calls `body` with the number of each weight and the threads it may use.
/// `sizes` are the weights' smaller sides. Small weights run side by side;
/// large ones, which need much memory, run one after the other.
void forEachWeight(llvm::ArrayRef<int64_t> sizes, unsigned threads,
                   llvm::function_ref<void(size_t, unsigned)> body);

/// The best factors of `weight` [out, in]; `rank` is at most the smaller side.
/// S S^T is the mean of x x^T (whiten) plus 1e-6 of its mean diagonal. With W S
/// = Q Sigma Z^T, the factors are those of Q_r Q_r^T W, by an
/// eigendecomposition on the smaller side. Their bytes do not depend on the
/// number of threads.
Factors factor(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
               int64_t rank, Method method, const Statistics &statistics,
               const FactorOptions &options = {});

/// Only the singular values of these, all of them.
std::vector<double> findSigmas(llvm::ArrayRef<float> weight, int64_t out,
                               int64_t in, Method method,
                               const Statistics &statistics, unsigned threads);

/// Statistics for a fit: means over tokens of inputs x and wanted outputs y, in
/// f64.
struct FitStatistics {
  std::vector<double> inputs; // x x^T, [in, in]
  std::vector<double> cross;  // x y^T, [in, out]
  double outputSquares = 0;   // of all of y
};

/// The factors of rank `rank` that minimise the mean of |y - x U V|^2, plus a
/// pull to the weight. The pull is `shrink` times the mean square of x, times
/// the squared distance of U V from the weight. Overwrites the statistics.
Factors fitFactors(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                   int64_t rank, double shrink, FitStatistics statistics,
                   const FactorOptions &options);

/// The same if y is W h: means of x x^T, x h^T and h h^T, in f64.
struct MappedStatistics {
  std::vector<double> inputs, cross, whole; // [in, in]
};

/// The factors of `fitFactors` for W h. Several weights may share statistics.
Factors fitMappedFactors(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                         int64_t rank, double shrink,
                         const MappedStatistics &statistics,
                         const FactorOptions &options);

} // namespace mlir::trn

#endif // TRN_COMPRESS_FACTOR_H
