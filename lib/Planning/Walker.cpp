//===- Walker.cpp - Runs through the loops of a plan ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What it is made of, each in terms of those below:
//
//   Walker                         batches, and what is outside of all loops
//   Nests, Pipeline, PieceFiller   loops, and homes that are filled beside them
//   Tiles                          what is inside of all loops: Products,
//                                  Transpositions, expressions (Evaluator)
//   Homes, Transfers               buffers, and how they are filled
//   Emitter                        what the visitor is told
//
// PlanFacts, Blocks and Masks say what follows from the plan.

#include "BatchJam.h"
#include "Nests.h"
#include "Pipeline.h"
#include "Reorder.h"
#include "trn/Planning/Fillers.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {

/// All of a kernel, once for each batch.
class Walker : PlanFacts {
public:
  Walker(const Schedule &schedule, const Machine &machine, PlanVisitor &visitor)
      : PlanFacts(schedule.graph, schedule.plan, machine),
        emit(machine, visitor), homes(*this, emit), masks(*this),
        tiles(homes, masks), filler(homes, tiles, nests),
        nests(homes, masks, tiles, filler) {}

  void run();

private:
  void overBatches(llvm::ArrayRef<unsigned> batches, const Extents &extents);
  void jamBatches(llvm::ArrayRef<unsigned> dims, const Extents &extents);
  bool isShared(NestRange group, unsigned dim) const;
  void emitShared(unsigned dim, const Extents &extents);
  void emitKernel(const Extents &extents);
  NestRange ownNests() const {
    return {firstNest, unsigned(plan.nests.size() - 1)};
  }

  Emitter emit;
  Homes homes;
  Masks masks;
  Tiles tiles;
  PieceFiller filler;
  Nests nests;
  /// The first nest that differs for indices of the innermost batch dim.
  unsigned firstNest = 0;
};

} // namespace

void Walker::run() {
  Extents extents;
  for (auto [number, dim] : llvm::enumerate(graph.dims)) {
    Extent &extent = extents.emplace_back(Extent{0, dim.size});
    extent.groupsOf = dim.groupsOf;
    if (dim.groupsOf)
      extent.groupSize = graph.groupSize(number);
  }
  homes.openForAllBatches(extents);
  overBatches(graph.batches(), extents);
}

//===----------------------------------------------------------------------===//
// Batches
//===----------------------------------------------------------------------===//

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
  emit.repeat(graph.sizeOf(dim), [&](const LinearExpr &index) {
    overBatches(batches.drop_front(), cut(extents, dim, index, /*size=*/1));
  });
}

/// The same for batches of which `jam` are computed at once: indices of the
/// innermost dim, or all of these of several indices of the one around it.
void Walker::jamBatches(llvm::ArrayRef<unsigned> dims, const Extents &extents) {
  unsigned inner = dims.back(), dim = dims.front();
  int64_t indices = dim == inner ? plan.jam : plan.jam / graph.sizeOf(inner);
  emit.repeat(graph.sizeOf(dim) / indices, [&](const LinearExpr &index) {
    BatchJam jam(graph, plan, machine, firstNest);
    auto emitBatch = [&] {
      llvm::SaveAndRestore writingOut(emit.isWrittenOut,
                                      emit.isWrittenOut || plan.staggered);
      Extents own = extents;
      if (dim != inner) {
        own = cut(own, dim, LinearExpr::counter(outerLoop), /*size=*/1);
        emitShared(inner, cut(own, inner, 0, /*size=*/1));
        jam.beginBatch();
      }
      emitKernel(cut(own, inner, LinearExpr::counter(batchLoop), /*size=*/1));
    };
    emit.record(jam, emitBatch, [&](PlanVisitor &told, int32_t &nextBuffer) {
      jam.replay(told, index * indices, nextBuffer);
    });
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
    if (isOffChip(stage.result) || home.level || home.ahead ||
        llvm::any_of(stage.operands(), isOwn))
      return false;
  }
  return true;
}

/// What all indices of the innermost batch dim share, as heads do that have the
/// same keys: nests in front of others, and inputs outside of all loops.
void Walker::emitShared(unsigned dim, const Extents &extents) {
  firstNest = 0;
  homes.closeForAll();
  for (NestRange group : groupsOf(ownNests(), /*depth=*/0)) {
    if (group.first != firstNest || group.last == ownNests().last ||
        !isShared(group, dim))
      break;
    nests.emitNests(group, /*depth=*/0, extents, {});
    firstNest = group.last + 1;
  }
  homes.openForAll(ownNests(), dim, extents);
}

//===----------------------------------------------------------------------===//
// Outside of all loops
//===----------------------------------------------------------------------===//

/// The first nest beside which `home`, outside of all loops, can be filled: all
/// that its filling reads is there.
static unsigned firstBeside(const Graph &graph, const Plan &plan,
                            const Home &home) {
  unsigned begin = firstFiller(graph, plan, home), end = home.nests.front() + 1;
  unsigned first = 0;
  for (unsigned nest = begin; nest < end; ++nest) {
    const Stage &stage = graph.stages[nest];
    llvm::SmallVector<unsigned, 4> read{home.matrix};
    if (graph.stages[end - 1].result == home.matrix)
      read = stage.operands();
    for (unsigned matrix : read) {
      const Home *own = plan.homeOf(matrix, nest);
      if (own && own->level == 0 && own->nests.front() < begin)
        first = std::max(first, own->nests.front());
      for (unsigned writer = 0; writer < begin; ++writer)
        if (graph.stages[writer].result == matrix) {
          const Home *there = plan.homeOf(matrix, writer);
          first = std::max(first,
                           (there == own ? writer : there->nests.back()) + 1);
        }
    }
  }
  return first;
}

/// All nests. What is filled ahead outside of all loops comes on the side of
/// those in front of the first one that reads it.
void Walker::emitKernel(const Extents &extents) {
  struct Beside {
    Filling fill;
    size_t begin, end; // groups
    FillShare rest;
  };
  llvm::SmallVector<NestRange> groups = groupsOf(ownNests(), /*depth=*/0);
  std::deque<Beside> besides;
  for (const Home *home : homesAhead(plan, ownNests(), /*level=*/0)) {
    Beside &own = besides.emplace_back();
    own.fill = filler.describe(*home, extents, {});
    unsigned reader = home->nests[isWritten(*home)];
    unsigned first = firstBeside(graph, plan, *home);
    own.end =
        llvm::find_if(groups,
                      [&](NestRange group) { return group.last >= reader; }) -
        groups.begin();
    own.begin =
        llvm::find_if(groups,
                      [&](NestRange group) { return group.first >= first; }) -
        groups.begin();
    own.begin = std::min(own.begin, own.end);
    own.fill.from = first;
    own.fill.until = groups[own.end].first;
    own.rest = {&own.fill, 0, own.fill.fullPieces()};
  }
  for (auto [i, group] : llvm::enumerate(groups)) {
    OnTheSide side;
    for (Beside &own : besides) {
      const Home &home = *own.fill.home;
      if (i == own.begin) {
        homes.liveOf(home).block =
            homes.place(home, homes.allocate(home, extents), extents);
        filler.begin(own.fill);
      }
      if (i == own.end) {
        filler.fillPieces(own.rest);
        filler.finish(own.fill, /*fillsRest=*/true);
      } else if (own.begin <= i && i < own.end) {
        FillShare whole{&own.fill, 0, own.fill.fullPieces()};
        int64_t count = filler.countPieces(whole, groups, i, extents);
        if (count)
          side.shares.push_back({&own.fill, own.rest.first, count});
        own.rest.first += count;
        own.rest.count -= count;
      }
    }
    nests.emitNests(group, /*depth=*/0, extents, side);
  }
}

void planning::walk(const Schedule &schedule, const Machine &machine,
                    PlanVisitor &visitor) {
  Walker(schedule, machine, visitor).run();
}

void planning::walkInOrder(const Schedule &schedule, const Machine &machine,
                           PlanVisitor &visitor) {
  if (!schedule.plan.scheduled)
    return walk(schedule, machine, visitor);
  Reorder reorder(schedule.graph, machine, visitor);
  walk(schedule, machine, reorder);
  reorder.finish();
}

std::optional<WithScalars> planning::findScalars(const Argument &left,
                                                 const Argument &right,
                                                 const BlockView &to,
                                                 bool hasThen) {
  auto isTile = [&](const Argument &argument) {
    return argument.block && argument.block->width() == to.width();
  };
  if (isTile(left) && (hasThen || !isTile(right)))
    return WithScalars{*left.block, right};
  if (isTile(left))
    return std::nullopt;
  return WithScalars{*right.block, left, /*isReversed=*/true};
}
