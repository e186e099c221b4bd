//===- WalkBatches.cpp - Kernels that run once for each batch -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchJam.h"
#include "Walker.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// All nests, once for each index of `batches`.
void Walker::overBatches(llvm::ArrayRef<unsigned> batches,
                         const Extents &extents) {
  if (batches.empty())
    return emitKernel(extents);
  unsigned dim = batches.front();
  if (batches.size() == 2 && plan.jam > graph.sizeOf(batches.back()))
    return jamBatches(batches, extents);
  if (batches.size() == 1)
    emitShared(dim, cut(extents, dim, 0, /*size=*/1));
  if (batches.size() == 1 && plan.jam > 1)
    return jamBatches(batches, extents);
  repeat(graph.sizeOf(dim), [&](const LinearExpr &index) {
    overBatches(batches.drop_front(), cut(extents, dim, index, /*size=*/1));
  });
}

/// The same for batches of which `jam` are computed at once: indices of the
/// innermost dim, or all of these of several indices of the one around it.
void Walker::jamBatches(llvm::ArrayRef<unsigned> dims, const Extents &extents) {
  unsigned inner = dims.back(), dim = dims.front();
  int64_t indices = dim == inner ? plan.jam : plan.jam / graph.sizeOf(inner);
  repeat(graph.sizeOf(dim) / indices, [&](const LinearExpr &index) {
    BatchJam jam(graph, plan, machine, firstNest);
    int32_t nextBuffer = buffers;
    PlanVisitor *told = std::exchange(visitor, &jam);
    {
      llvm::SaveAndRestore writingOut(isWrittenOut,
                                      isWrittenOut || plan.staggered);
      Extents own = extents;
      if (dim != inner) {
        own = cut(own, dim, LinearExpr::counter(outerLoop), /*size=*/1);
        emitShared(inner, cut(own, inner, 0, /*size=*/1));
        jam.beginBatch();
      }
      emitKernel(cut(own, inner, LinearExpr::counter(batchLoop), /*size=*/1));
    }
    visitor = told;
    jam.replay(*visitor, index * indices, nextBuffer);
    buffers = nextBuffer;
  });
}

/// Whether all that nests of `group` read and compute is the same for all
/// indices of the innermost batch dim `dim`, and stays on chip.
bool Walker::isShared(NestRange group, unsigned dim) const {
  for (unsigned nest : llvm::seq_inclusive(group.first, group.last)) {
    const Stage &stage = stageOf(nest);
    // What is filled ahead comes with the nests of each index.
    auto isOwn = [&](unsigned matrix) {
      const Home *from = plan.homeOf(matrix, nest);
      return (graph.matrices[matrix].role == Role::Input &&
              graph.hasBatch(matrix, dim)) ||
             (from && from->ahead);
    };
    const Home &home = *plan.homeOf(stage.result, nest);
    if (offChip[stage.result] || home.level || home.ahead ||
        llvm::any_of(stage.operands(), isOwn))
      return false;
  }
  return true;
}

/// What all indices of the innermost batch dim share, as heads do that have the
/// same keys: nests in front of others, and inputs outside of all loops.
void Walker::emitShared(unsigned dim, const Extents &extents) {
  firstNest = 0;
  areOpen.assign(plan.homes.size(), false);
  NestRange all{0, unsigned(plan.nests.size() - 1)};
  for (NestRange group : groupsOf(all, /*depth=*/0)) {
    if (group.first != firstNest || group.last == all.last ||
        !isShared(group, dim))
      break;
    emitNests(group, /*depth=*/0, extents);
    firstNest = group.last + 1;
  }
  for (auto [home, isOpen] : llvm::zip_equal(plan.homes, areOpen)) {
    isOpen = opensAt(home, {firstNest, all.last}, /*depth=*/0) &&
             graph.matrices[home.matrix].role == Role::Input &&
             !graph.hasBatch(home.matrix, dim);
    if (!isOpen)
      continue;
    visitor->enterStage(home.nests.front());
    openHome(home, extents);
  }
}
