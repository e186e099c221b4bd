//===- Accumulator.h - What products add to ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_ACCUMULATOR_H
#define TRN_LIB_TRANSFORMS_ACCUMULATOR_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::trn {

/// Lets `product` accumulate onto zeros: what it is given beside that is added
/// behind it, in f32, as kernels sum. So it rounds once, behind the sum.
void defineAccumulator(linalg::LinalgOp product);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_ACCUMULATOR_H
