//===- Reasons.h - Plans in sentences ---------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_REASONS_H
#define TRN_LIB_PLANNING_REASONS_H

#include "trn/Planning/BlockModel.h"
#include "llvm/ADT/ArrayRef.h"

namespace mlir::trn {

/// Adds to `plans[chosen]` why it won against its neighbours.
void explainBlockM(const PlanningTask &task,
                   llvm::MutableArrayRef<BlockPlan> plans, size_t chosen);

/// Adds what limited the other blocks.
void explainPlan(const PlanningTask &task, const BlockRequest &request,
                 BlockPlan &plan);

/// The buffers of a plan at the phase that needs most, with their sizes.
std::string describeOverflow(const PlanningTask &task, const BlockPlan &plan);

} // namespace mlir::trn

#endif // TRN_LIB_PLANNING_REASONS_H
