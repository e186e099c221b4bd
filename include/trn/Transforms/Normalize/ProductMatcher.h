//===- ProductMatcher.h - Recognise products --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_PRODUCTMATCHER_H
#define TRN_TRANSFORMS_NORMALIZE_PRODUCTMATCHER_H

#include "trn/Support/FloatTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace mlir::trn {

/// For each dimension of a tensor of matrices the batch that it is; none for
/// the two of the matrices, of which one is the last.
using BatchDims = SmallVector<std::optional<unsigned>, 4>;

/// A matrix, or one for each index of some batches, as a tensor holds it.
struct StoredMatrix {
  Value tensor;
  /// Its columns come before its rows.
  bool isTransposed = false;
  BatchDims dims = {};

  /// What is there for each dimension: of `batches`, or of the matrix.
  template <typename T>
  SmallVector<T> arrange(ArrayRef<T> batches, T rows, T columns) const {
    if (isTransposed)
      std::swap(rows, columns);
    SmallVector<T> values;
    unsigned ofMatrix = 0;
    for (std::optional<unsigned> batch : dims)
      values.push_back(batch ? batches[*batch] : ofMatrix++ ? columns : rows);
    return values;
  }
};

/// A matrix product `result[m, n] = sum over k of lhs[m, k] * rhs[k, n]`, or
/// one for each index of some batches, found in a function, together with the
/// layout changes and the final rounding that surround it.
struct Product {
  Operation *contraction = nullptr;
  /// The operand that shares rows with the result, and the other one.
  StoredMatrix lhs, rhs;
  /// If rhs is transposed, the host turns it in front of the kernel.
  bool isTurnedByHost = false;
  /// The value to replace, after truncation and a trailing `linalg.transpose`,
  /// by one that is stored as this says.
  StoredMatrix result;
  int64_t m = 0, n = 0, k = 0;
  /// The sizes of the batches. The result has all of them, inputs that lack one
  /// are the same for all its indices.
  SmallVector<int64_t, 2> batches = {};
  ElementType operandType = ElementType::F32;
  ElementType resultType = ElementType::F32;
  /// A chain, such as X*U*V, is products of which each one consumes the result
  /// of the one before as its lhs, and nothing else does.
  bool isContinuing = false, isContinued = false;

  bool isAlone() const { return !isContinuing && !isContinued; }
};

/// By what they compute, in the order of the code.
using Products = llvm::MapVector<Value, Product>;

/// The products of `func` that kernels can compute. A remark says why others
/// stay on the host.
Products findProducts(func::FuncOp func, bool allowRounding);

/// Says that `contraction` stays as it is.
InFlightDiagnostic remarkLeftAlone(Operation *contraction, const Twine &reason);

/// Returns the product that `op` computes; fails, with a remark, if it is none
/// that a kernel can compute.
FailureOr<Product> matchProduct(linalg::LinalgOp op, bool allowRounding);

/// Whether `op` looks like a matrix product at all (so that a refusal is worth
/// a remark).
bool isProductLike(linalg::LinalgOp op);

/// Says of `op`, which does not look like a product, how it could be written as
/// one, if it could.
void remarkUnlikeProduct(linalg::LinalgOp op);

/// Whether `op` is a product of tiles that linalg.pack has made.
bool isPacked(linalg::LinalgOp op);

/// Swaps the two dimensions that are no batches.
SmallVector<int64_t> swapMatrixDims(const BatchDims &dims);

/// Whether the same dimensions of a tensor are batches.
bool haveSameBatches(const BatchDims &a, const BatchDims &b);

/// The same product read as `result^T = rhs^T * lhs^T`.
Product flipped(const Product &product);

/// Looks through a `linalg.transpose` of the lhs: a kernel reads either layout.
void absorbInputTranspose(Product &product);

/// The op that keeps `body` from being `result + lhs * rhs`, computed in the
/// type of the result from operands that are widened at most; null if it is
/// that.
Operation *findBodyObstacle(Block &body);

/// Whether every element of `tensor` is zero by a `linalg.fill` or a constant.
bool isZeroFilled(Value tensor);

/// The weights (`trn.param`) and constants that `value` follows from; nothing
/// if it follows from others, too.
std::optional<SmallVector<Value>> findLoaded(Value value);

/// Whether it follows from them alone, so that what is made of it is made once.
inline bool isKnownAtLoad(Value value) { return findLoaded(value).has_value(); }

/// Whether `op` only rounds its input, element by element, as kernels round.
bool isRounding(linalg::LinalgOp op);

/// What `value` is the rounding of, as kernels round; else itself.
Value skipRounding(Value value);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_PRODUCTMATCHER_H
