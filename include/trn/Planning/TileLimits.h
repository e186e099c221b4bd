//===- TileLimits.h - The tiles that kernels are cut into -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_TILELIMITS_H
#define TRN_PLANNING_TILELIMITS_H

#include "llvm/Support/Error.h"

namespace mlir::trn {

struct Machine;

/// `machine` with `movingFreeMax` lowered to the columns of the largest tile
/// that a kernel is cut into. Fails, naming the field, if some instruction
/// cannot take a square tile of one row a partition: no kernel can be compiled.
llvm::Expected<Machine> limitTiles(const Machine &machine);

namespace planning {
/// How far apart the indices of batches lie if their dim is stacked: engines
/// begin at each quarter of the partitions.
int64_t stackPitch(const Machine &machine);
/// How many of `jam` batches are in one stack; 0 if they make no full stacks.
int64_t stackSize(int64_t jam, const Machine &machine);
} // namespace planning

} // namespace mlir::trn

#endif // TRN_PLANNING_TILELIMITS_H
