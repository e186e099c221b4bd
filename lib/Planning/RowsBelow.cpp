//===- RowsBelow.cpp - Two products as one with more rows -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/RowsBelow.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/TileLimits.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

bool planning::mayLieBelow(const Graph &graph, const Stage &stage,
                           const Term &above, const Term &below,
                           const Machine &machine) {
  auto matrix = [&](unsigned number) -> const Matrix & {
    return graph.matrices[number];
  };
  const Matrix &constant = matrix(below.left), &guest = matrix(below.right);
  auto isWhole = [&](unsigned dim) {
    return !graph.dims[dim].of &&
           llvm::none_of(graph.dims, [&](const Dim &d) { return d.of == dim; });
  };
  int64_t rows = graph.sizeOf(above.over), pitch = stackPitch(machine);
  // Engines reach the first of the rows below.
  return above.sum == below.sum && constant.role == Role::Constant &&
         !constant.band && guest.role == Role::Intermediate &&
         matrix(above.left).role != Role::Constant &&
         matrix(above.right).role != Role::Constant &&
         above.left != above.right && isWhole(above.over) &&
         isWhole(below.over) && isWhole(guest.columns) &&
         matrix(above.left).type == constant.type &&
         matrix(above.right).type == guest.type &&
         guest.columns == matrix(above.right).columns &&
         !graph.isBeside(stage, above.right) && pitch && rows % pitch == 0 &&
         rows + graph.sizeOf(below.over) <= machine.partitions;
}

/// The home of `matrix` that has all of it while the kernel, or a batch, runs.
static const Home *findWhole(const Plan &plan, unsigned matrix, unsigned nest) {
  const Home *home = plan.homeOf(matrix, nest);
  return home && !home->level && !home->ahead && home->slots == 1 &&
                 !home->packed && !home->whole && !home->sums
             ? home
             : nullptr;
}

/// How `plan` has the rows of `below` below those of `above` in `nest`, if it
/// does.
static std::optional<RowsBelow> match(const Graph &graph, const Plan &plan,
                                      unsigned nest, const Term &above,
                                      const Term &below) {
  RowsBelow found{nest, &above, &below};
  found.left = findWhole(plan, above.left, nest);
  found.right = findWhole(plan, above.right, nest);
  found.constant = plan.homeOf(below.left, nest);
  found.guest = plan.homeOf(below.right, nest);
  if (!found.left || !found.right || !found.constant || !found.guest)
    return std::nullopt;
  const Home &guest = *found.guest;
  bool isComputed = graph.stages[guest.nests.front()].result == below.right;
  auto isCut = [&](const Loop &loop) {
    return loop.dim == above.over || loop.dim == below.over;
  };
  // What it lies in is opened before, as homes are in their order.
  return isComputed && guest.nests.size() == 2 && !guest.packed &&
                 !guest.sums && (guest.level || !guest.ahead) &&
                 found.right < found.guest &&
                 found.constant->nests.size() == 1 &&
                 llvm::none_of(plan.nests[nest].loops, isCut) &&
                 !plan.isInterleaved(above.over) &&
                 !plan.isInterleaved(below.over)
             ? std::optional(found)
             : std::nullopt;
}

llvm::SmallVector<RowsBelow, 1>
planning::findRowsBelow(const Graph &graph, const Plan &plan,
                        const Machine &machine) {
  llvm::SmallVector<RowsBelow, 1> all;
  if (plan.stacked)
    return all;
  auto isTaken = [&](const RowsBelow &found) {
    return llvm::any_of(all, [&](const RowsBelow &other) {
      return other.left == found.left || other.right == found.right;
    });
  };
  for (auto [nest, stage] : llvm::enumerate(graph.stages))
    for (const Term &below : stage.terms) {
      if (graph.matrices[below.left].role != Role::Constant)
        continue;
      for (const Term &above : stage.terms) {
        if (!mayLieBelow(graph, stage, above, below, machine))
          continue;
        auto found = match(graph, plan, nest, above, below);
        if (!found || isTaken(*found))
          continue;
        all.push_back(*found);
        break;
      }
    }
  return all;
}
