//===- ReferenceValue.h - Values of the reference evaluation ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_REFERENCEVALUE_H
#define TRN_LIB_RUNTIME_REFERENCEVALUE_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "trn/Support/HostTensor.h"
#include <limits>

namespace mlir::trn {

/// A tensor, or a scalar with an empty shape. Copies share the values.
struct ReferenceValue {
  SmallVector<int64_t, 4> shape;
  /// Absent: all elements are `splat`, so that filling costs nothing.
  std::shared_ptr<const HostTensor> data;
  /// Reading a tensor that was never filled must not go unnoticed.
  float splat = std::numeric_limits<float>::quiet_NaN();
  /// Nobody wrote to it.
  bool isUndefined = false;

  int64_t numElements() const { return countElements(shape).value_or(0); }
};

/// Whether the reference computes with elements of `type`: f32 and f64, and
/// what it rounds to.
bool isEvaluated(Type type);

/// The type that values of `type` or its elements are rounded to; absent for
/// f32 and whatever else needs no rounding here.
std::optional<ElementType> getNarrowType(Type type);

/// Rounds to nearest even, and back.
void roundTo(ElementType type, float *values, int64_t count);

/// All elements in f32. Shares them with `value` if they are f32 already.
llvm::Expected<std::shared_ptr<const HostTensor>>
widen(const ReferenceValue &value);

/// Computes `op` by one matrix product; absent if it is none.
FailureOr<std::optional<ReferenceValue>>
evaluateProduct(linalg::LinalgOp op, ArrayRef<ReferenceValue> operands);

/// Whether `evaluateProduct` computes `op`.
bool isProduct(linalg::LinalgOp op);

/// Emits the error that `evaluateLoops` would emit, except for want of memory.
LogicalResult checkLoops(linalg::LinalgOp op, ArrayRef<ReferenceValue> operands,
                         function_ref<std::optional<float>(Value)> captured);

/// Computes `op` by its loops, element by element. `captured` gives the scalars
/// that its body takes from outside.
FailureOr<SmallVector<ReferenceValue>>
evaluateLoops(linalg::LinalgOp op, ArrayRef<ReferenceValue> operands,
              function_ref<std::optional<float>(Value)> captured);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_REFERENCEVALUE_H
