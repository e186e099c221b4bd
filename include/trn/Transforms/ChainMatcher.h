//===- ChainMatcher.h - Recognise chains of products ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_CHAINMATCHER_H
#define TRN_TRANSFORMS_CHAINMATCHER_H

#include "trn/Support/FloatTypes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <vector>

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
};

/// Products of which each one consumes the result of the one before as its lhs
/// and nothing else does: X*W, X*U*V and so on.
struct Chain {
  std::vector<Product> products;

  const Product &first() const { return products.front(); }
  const Product &last() const { return products.back(); }
  /// The tensors that it reads, in the order of a kernel's arguments.
  SmallVector<Value> inputs() const {
    SmallVector<Value> values{first().lhs.tensor};
    for (const Product &product : products)
      values.push_back(product.rhs.tensor);
    return values;
  }
};

/// The chains in `func` that kernels can compute, in the order of their last
/// products. A remark says why a product is in none of them.
SmallVector<Chain> findChains(func::FuncOp func, bool allowRounding);

/// FLOPs of `chain`, multiply and add counted apart; none if they overflow.
std::optional<int64_t> countFlops(const Chain &chain);

/// Says that `contraction` stays as it is.
InFlightDiagnostic remarkLeftAlone(Operation *contraction, const Twine &reason);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_CHAINMATCHER_H
