//===- RemarkHostOps.h - Why ops stay on the host ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_REMARKHOSTOPS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_REMARKHOSTOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Says of each op of `func` that works beside the kernels it calls why it is
/// in none of them; not of products, which have a remark, nor of what is done
/// once, when weights are loaded.
void remarkHostOps(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_REMARKHOSTOPS_H
