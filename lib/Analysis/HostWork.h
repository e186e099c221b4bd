//===- HostWork.h - Which ops of host code are work -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_ANALYSIS_HOSTWORK_H
#define TRN_LIB_ANALYSIS_HOSTWORK_H

#include "mlir/IR/Operation.h"

namespace mlir::trn {

/// Whether `op`, which neither calls nor branches, computes or moves data.
bool isHostWork(Operation *op);

/// Whether there is a tensor or buffer among what `op` reads, or it computes
/// data of indices.
bool readsData(Operation *op);

/// As `HostOp::bytes`.
std::optional<int64_t> countMovedBytes(Operation *op);

} // namespace mlir::trn

#endif // TRN_LIB_ANALYSIS_HOSTWORK_H
