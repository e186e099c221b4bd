//===- WidenSums.h - Sums without rounding on the way -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_VALIDATE_WIDENSUMS_H
#define TRN_LIB_VALIDATE_WIDENSUMS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn {

/// Lets reductions of linalg in bf16 and f16 compute in f32 and round once, as
/// the core does; each step of them would round on the host.
void widenSums(ModuleOp module);

} // namespace mlir::trn

#endif // TRN_LIB_VALIDATE_WIDENSUMS_H
