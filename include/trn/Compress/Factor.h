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

/// How eigenvectors are found:
/// - Mixed: in f32 from a matrix in f64, with those of its tridiagonal form and
///   those round the last one that is kept in f64. Exact if either side has up
///   to 1024 elements, or if the last one is too weak for f32
/// - Exact: in f64
/// - Fast: in f32 from a matrix that is summed up in f32 by parts
enum class Svd : uint8_t { Mixed, Exact, Fast };
llvm::StringRef stringify(Svd svd);

/// Where the singular values are: in both factors, so that each column of U is
/// as long as the row of V, or that the rows of V are as long as their roots;
/// or in U or V alone.
enum class SigmaSide : uint8_t { Balanced, Sqrt, U, V };
llvm::StringRef stringify(SigmaSide side);

/// What the mean of x x^T was made of to divide by its root; Diagonal also if
/// no root was needed.
enum class RootForm : uint8_t { Diagonal, Cholesky, Eigenvectors };
llvm::StringRef stringify(RootForm form);

struct FactorOptions {
  Svd svd = Svd::Mixed;
  SigmaSide side = SigmaSide::Balanced;
  unsigned threads = 0; // 0: as many as there are cores
};

/// `body` for the number of each of several weights, of whose sizes the smaller
/// ones are given, and the threads that it may use: small ones side by side,
/// and large ones, which need much memory, one after the other.
void forEachWeight(llvm::ArrayRef<int64_t> sizes, unsigned threads,
                   llvm::function_ref<void(size_t, unsigned)> body);

/// `W^T = U V` of rank r: `y = x W^T` becomes `(x U) V`.
struct Factors {
  std::vector<float> first;  // U^T, [rank, in]
  std::vector<float> second; // V^T, [out, rank]
  /// Norms of what is lost: of the weight, and of the outputs that `method`
  /// looks at, relative to all of them.
  double weightError = 0, outputError = 0;
  /// All singular values, the largest one first, and the last one that is kept
  /// over it.
  std::vector<double> sigmas;
  double lastSigma = 0;
  /// How they were found, and why not as was asked, or what is doubtful.
  Svd svd = Svd::Exact;
  std::string svdReason;
  /// Of the mean of x x^T, if its root was needed: the share of its mean
  /// diagonal that was added, and its condition then.
  RootForm root = RootForm::Diagonal;
  double jitter = 0, condition = 0;
};

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
