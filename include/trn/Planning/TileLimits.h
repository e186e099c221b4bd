//===- TileLimits.h - Tile sizes of kernels ---------------------*- C++ -*-===//
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

/// `machine` with `movingFreeMax` lowered to the columns of the largest tile in
/// kernels. Fails, naming the field, if some instruction cannot take a square
/// tile with one row per partition: no kernel can be compiled.
llvm::Expected<Machine> limitTiles(const Machine &machine);

namespace planning {
/// Partitions between batch indices in a stacked buffer. Engines can start at
/// each quarter of the partitions.
int64_t stackPitch(const Machine &machine);
/// The most batches of a stack.
constexpr int64_t maxStack = 4;
/// How many of `jam` batches share a stack; 0 if stacks would not be full.
int64_t stackSize(int64_t jam, const Machine &machine);
/// How many of `batches` have room on the partitions, below each other, for
/// their `rows` of a contraction.
int64_t groupSizeFor(int64_t rows, int64_t batches, const Machine &machine);
} // namespace planning

} // namespace mlir::trn

#endif // TRN_PLANNING_TILELIMITS_H
