//===- ProductMatcher.h - Recognize products --------------------*- C++ -*-===//
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

/// By dimension of a tensor of matrices: its batch, or none for the two dims of
/// the matrices, one of which is last.
using BatchDims = SmallVector<std::optional<unsigned>, 4>;

/// A matrix, or one for each index of some batches, in a tensor.
struct StoredMatrix {
  Value tensor;
  /// Its columns come before its rows.
  bool isTransposed = false;
  BatchDims dims = {};

  /// Orders values by dimension: those of `batches`, and of the matrix.
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
/// one for each index of some batches. Includes the layout changes and the
/// final rounding around it.
struct Product {
  Operation *contraction = nullptr;
  /// The operand that shares rows with the result, and the other one.
  StoredMatrix lhs, rhs;
  /// If rhs is transposed, the host transposes it before the kernel.
  bool isTurnedByHost = false;
  /// The value to replace, after truncation and a final `linalg.transpose`, and
  /// the layout of its replacement.
  StoredMatrix result;
  int64_t m = 0, n = 0, k = 0;
  /// Sizes of the batches. The result has all of them; an input that lacks one
  /// is the same for all its indices.
  SmallVector<int64_t, 2> batches = {};
  ElementType operandType = ElementType::F32;
  ElementType resultType = ElementType::F32;
  /// In a chain, such as X*U*V, each product consumes the result of the one
  /// before as its lhs, and nothing else does.
  bool isContinuing = false, isContinued = false;
  /// A kernel computes this product and nothing else.
  bool isApart = false;

  bool isAlone() const { return !isContinuing && !isContinued; }
};

/// By their results, in the order of the code.
using Products = llvm::MapVector<Value, Product>;

/// The products of `func` that kernels can compute. Remarks explain why others
/// stay on the host.
Products findProducts(func::FuncOp func, bool allowRounding);

/// Remarks that `contraction` stays as it is.
InFlightDiagnostic remarkLeftAlone(Operation *contraction, const Twine &reason);

/// The product that `op` computes. Fails, with a remark, if it is none, or one
/// that kernels cannot compute.
FailureOr<Product> matchProduct(linalg::LinalgOp op, bool allowRounding);

/// Whether `op` resembles a matrix product, so that a refusal deserves a
/// remark.
bool isProductLike(linalg::LinalgOp op);

/// If `op`, which does not look like a product, could be written as one, a
/// remark says how.
void remarkUnlikeProduct(linalg::LinalgOp op);

/// Whether `op` is a product of tiles made by linalg.pack.
bool isPacked(linalg::LinalgOp op);

/// Swaps the two dimensions of the matrices.
SmallVector<int64_t> swapMatrixDims(const BatchDims &dims);

/// Whether both have their batches in the same dimensions.
bool haveSameBatches(const BatchDims &a, const BatchDims &b);

/// The same product as `result^T = rhs^T * lhs^T`.
Product flipped(const Product &product);

/// Absorbs a `linalg.transpose` of the lhs: a kernel reads either layout.
void absorbInputTranspose(Product &product);

/// The op that prevents `body` from being `result + lhs * rhs` in the result's
/// type, with operands extended at most; null if there is none.
Operation *findBodyObstacle(Block &body);

/// Whether a `linalg.fill` or a constant makes all of `tensor` zero.
bool isZeroFilled(Value tensor);

/// Whether `op` only adds up products of two elements, from zero on.
bool sumsProducts(linalg::LinalgOp op);

/// The weights (`trn.param`) and constants from which alone `value` is
/// computed; nothing if it depends on others.
std::optional<SmallVector<Value>> findLoaded(Value value);

/// Whether it depends on these alone, and so is computed once.
inline bool isKnownAtLoad(Value value) { return findLoaded(value).has_value(); }

/// Whether `op` only rounds its input, element by element, as kernels do.
bool isRounding(linalg::LinalgOp op);

/// The value that `value` rounds, as kernels do; else itself.
Value skipRounding(Value value);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_NORMALIZE_PRODUCTMATCHER_H
