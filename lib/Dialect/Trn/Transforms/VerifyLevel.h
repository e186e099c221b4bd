//===- VerifyLevel.h - What may cross from one stage to the next -*- C++
//-*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_DIALECT_TRN_TRANSFORMS_VERIFYLEVEL_H
#define TRN_LIB_DIALECT_TRN_TRANSFORMS_VERIFYLEVEL_H

#include "trn/Machine/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// The ops of a kernel that consists of trn ops, and the rules of one machine.
LogicalResult verifyVirtualLevel(func::FuncOp kernel, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_LIB_DIALECT_TRN_TRANSFORMS_VERIFYLEVEL_H
