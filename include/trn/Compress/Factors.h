//===- Factors.h - Factors of a weight and their options --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_FACTORS_H
#define TRN_COMPRESS_FACTORS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::trn {

/// Precision of eigenvectors:
/// - Mixed: f32 from a matrix in f64; those of its tridiagonal form, and those
///   near the last kept one, are in f64. Exact if either side has up to 1024
///   elements, or if the last one is too weak for f32
/// - Exact: f64
/// - Fast: f32, from a matrix summed in f32 by parts
enum class Svd : uint8_t { Mixed, Exact, Fast };
llvm::StringRef stringify(Svd svd);

/// The place of singular values. Balanced: in both factors, so that a column of
/// U is as long as the row of V. Sqrt: in both, so that a row of V is as long
/// as their root. Otherwise in U or V alone.
enum class SigmaSide : uint8_t { Balanced, Sqrt, U, V };
llvm::StringRef stringify(SigmaSide side);

/// The decomposition of the mean of x x^T for dividing by its root; Diagonal
/// also if none was needed.
enum class RootForm : uint8_t { Diagonal, Cholesky, Eigenvectors };
llvm::StringRef stringify(RootForm form);

struct FactorOptions {
  Svd svd = Svd::Mixed;
  SigmaSide side = SigmaSide::Balanced;
  unsigned threads = 0; // 0: as many as there are cores
};

/// `W^T = U V` of rank r: `y = x W^T` becomes `(x U) V`.
struct Factors {
  std::vector<float> first;  // U^T, [rank, in]
  std::vector<float> second; // V^T, [out, rank]
  /// Norms of the losses, relative to the whole: of the weight, and of the
  /// outputs that `method` preserves.
  double weightError = 0, outputError = 0;
  /// All singular values, the largest first, and the ratio of the last kept one
  /// to it.
  std::vector<double> sigmas;
  double lastSigma = 0;
  /// The method used, and why it is not the requested one, or what is doubtful.
  Svd svd = Svd::Exact;
  std::string svdReason;
  /// For the mean of x x^T, if its root was needed: the added share of its mean
  /// diagonal, and its condition after that.
  RootForm root = RootForm::Diagonal;
  double jitter = 0, condition = 0;
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_FACTORS_H
