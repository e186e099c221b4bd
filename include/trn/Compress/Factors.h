//===- Factors.h - Factors of a weight, and how they are found --*- C++ -*-===//
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

} // namespace mlir::trn

#endif // TRN_COMPRESS_FACTORS_H
