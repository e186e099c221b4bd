//===- PlanFacts.h - What a plan says about its homes -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_PLANFACTS_H
#define TRN_LIB_PLANNING_PLANFACTS_H

#include "Extents.h"
#include "trn/Planning/LiveBand.h"

namespace mlir::trn::planning {

/// Whether the nest in front of `nest` computes, beside what `nest` adds up,
/// the sums of it: ScalarE does so on the way. All operands have homes.
bool addsUpPrevious(const Graph &graph, const Plan &plan,
                    const Machine &machine, unsigned nest);

/// What follows from a plan, wherever its loops stand.
class PlanFacts {
public:
  PlanFacts(const Graph &graph, const Plan &plan, const Machine &machine)
      : graph(graph), plan(plan), machine(machine) {}

  const Stage &stageOf(unsigned nest) const { return graph.stages[nest]; }
  bool isWritten(const Home &home) const {
    return stageOf(home.nests.front()).result == home.matrix;
  }
  /// Nests of `range` that share more than `depth` loops, without those that
  /// fill homes ahead of the others.
  llvm::SmallVector<NestRange> groupsOf(NestRange range, unsigned depth) const;
  /// The part of a block that a tile of the result of `nest` stands for.
  Extents within(const Tile &tile, unsigned nest, const Extents &extents) const;
  /// The columns that a tile of `nest` has at most.
  int64_t tileWidth(unsigned nest) const;
  bool mayFollow(const LiveBand &band, NestRange group, unsigned depth) const;

  bool isOffChip(unsigned matrix) const;
  /// Whether a constant lies behind the columns of `home`.
  bool hasBeside(const Home &home) const;
  bool liesByPartitions(const Home &home) const;
  bool isForAllBatches(const Home &home) const;
  bool isForStack(const Home &home) const;
  bool isAllocatedLate(const Home &home) const;
  bool holdsSums(const Home &home) const;
  bool isClosedBehind(const Home &home, NestRange group) const;
  bool isStoredByTile(const Home &home) const;
  bool sumsInSbuf(unsigned nest, unsigned depth) const;
  bool startsSums(NestRange group, unsigned depth,
                  const Extents &extents) const;
  bool addsToPrevious(unsigned nest, const Extents &extents) const;
  bool addsUpPrevious(unsigned nest) const;

  const Graph &graph;
  const Plan &plan;
  const Machine &machine;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_PLANFACTS_H
