//===- Factor.h - Two factors for a weight ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_FACTOR_H
#define TRN_COMPRESS_FACTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
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
Statistics mapGram(llvm::ArrayRef<float> weight, std::vector<double> gram);

/// `W^T = U V` of rank r: `y = x W^T` becomes `(x U) V`.
struct Factors {
  std::vector<float> first;  // U^T, [rank, in]
  std::vector<float> second; // V^T, [out, rank]
  /// Norms of what is lost: of the weight, and of the outputs that `method`
  /// looks at, relative to all of them.
  double weightError = 0, outputError = 0;
  /// The last singular value that is kept over the first one.
  double lastSigma = 0;
};

/// The best factors of `weight` [out, in] with `rank` at most the smaller of
/// both sizes. With W S = Q Sigma Z^T, where S S^T is the mean of x x^T
/// (whiten) plus 1e-6 of its mean diagonal, they are those of Q_r Q_r^T W;
/// found by an eigendecomposition on the smaller side. The columns of U and the
/// rows of V have the same norms. Everything is computed in f64 on the calling
/// thread.
Factors factor(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
               int64_t rank, Method method, const Statistics &statistics);

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
                   int64_t rank, double shrink, FitStatistics statistics);

} // namespace mlir::trn

#endif // TRN_COMPRESS_FACTOR_H
