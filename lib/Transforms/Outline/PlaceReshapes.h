//===- PlaceReshapes.h - Where reshapes stand -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_PLACERESHAPES_H
#define TRN_LIB_TRANSFORMS_OUTLINE_PLACERESHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// Moves reshapes of what kernels may compute in front of what reads them
/// first, so that they do not end a region; those of what the host computes
/// right behind that, so that regions which read it can begin. What the host
/// computes of arguments comes first, and what it puts together last, so that
/// neither is between kernels. What does not depend on a loop leaves it.
void placeReshapes(func::FuncOp func);

/// Moves what no kernel computes, and what follows from arguments alone, in
/// front of the first kernel that `func` calls.
void placeHostWork(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_PLACERESHAPES_H
