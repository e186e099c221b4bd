//===- Linear.h - Gradients of linear layers --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRAIN_LINEAR_H
#define TRN_TRAIN_LINEAR_H

#include "trn/Model/Adapter.h"
#include "trn/Model/Layer.h"
#include "trn/Train/RowRange.h"

namespace mlir::trn {

/// Gradients of the values of a `Linear`, in tensors of equal sizes.
struct LinearGradient {
  std::vector<float> weight, second, bias;
  /// If given, `weight` or `second` is not that of the matrix but of an adapter
  /// B A that was added to it: first of B, then of A.
  const AdapterUpdate *ofWeight = nullptr, *ofSecond = nullptr;

  LinearGradient() = default;
  /// Zeros.
  explicit LinearGradient(const Linear &linear)
      : weight(linear.weight.size()), second(linear.second.size()),
        bias(linear.bias.size()) {}
  void add(const LinearGradient &other);
};

/// Takes rows x to `y = linear(x)`, and gradients of y back to those of x and
/// of the layer's values. Pointers are to the first of all rows; each call does
/// a range of them, and threads may do different ranges. The layer may change
/// after each pass in both directions.
class LinearPass {
public:
  LinearPass(const Linear &linear, int64_t rows)
      : linear(linear), middle(rows * linear.rank),
        middleGradient(rows * linear.rank) {}

  void forward(const float *x, float *y, RowRange rows);
  /// After `forward`. Adds to `dx`, unless that is null.
  void backward(const float *dy, float *dx, RowRange rows);
  /// After `backward`: adds to the gradient of `weight`, of `second` if not
  /// empty, or of all; or to that of an adapter, if one is given.
  void addToWeight(const float *x, const float *dy, RowRange rows,
                   std::vector<float> &gradient,
                   const AdapterUpdate *adapter = nullptr) const;
  void addToSecond(const float *dy, RowRange rows, std::vector<float> &gradient,
                   const AdapterUpdate *adapter = nullptr) const;
  void addTo(const float *x, const float *dy, RowRange rows,
             LinearGradient &gradient) const;

private:
  const Linear &linear;
  /// Between both factors: [rows, rank].
  std::vector<float> middle, middleGradient;
};

} // namespace mlir::trn

#endif // TRN_TRAIN_LINEAR_H
