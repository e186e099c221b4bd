//===- ListHostOps.h - Work on the host for reports -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_LISTHOSTOPS_H
#define TRN_LIB_RUN_LISTHOSTOPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "trn/Report/Report.h"

namespace mlir::trn {

/// Lists in `report` what `entry` does beside its kernels. Ops of one name at
/// one place are one entry.
void listHostOps(Report &report, func::FuncOp entry);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_LISTHOSTOPS_H
