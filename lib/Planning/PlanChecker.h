//===- PlanChecker.h - Whether a plan can be followed -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_PLANCHECKER_H
#define TRN_LIB_PLANNING_PLANCHECKER_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/Plan.h"
#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::trn::planning {

class PlanChecker {
public:
  PlanChecker(const Graph &graph, const Plan &plan, const Machine &machine)
      : graph(graph), plan(plan), machine(machine) {}

  llvm::Error check() const;

private:
  const Stage &stageOf(unsigned nest) const { return graph.stages[nest]; }
  llvm::ArrayRef<Loop> loopsOf(unsigned nest) const {
    return plan.nests[nest].loops;
  }
  llvm::StringRef nameOf(unsigned matrix) const {
    return graph.matrices[matrix].name;
  }
  /// Nests go by what they compute.
  llvm::StringRef nameOfNest(unsigned nest) const {
    return nameOf(stageOf(nest).result);
  }
  llvm::StringRef nameOfDim(unsigned dim) const { return graph.dims[dim].name; }
  bool isWritten(const Home &home) const {
    return stageOf(home.nests.front()).result == home.matrix;
  }

  // CheckPlan.cpp
  llvm::Error checkLoops(unsigned nest) const;
  llvm::Error checkSummedLoops(unsigned nest) const;
  llvm::Error checkHome(const Home &home) const;
  llvm::Error checkSums(const Home &home) const;
  llvm::Error checkShared(unsigned nest) const;
  llvm::Error checkUses(unsigned nest) const;
  llvm::Error checkPartialSums(unsigned nest) const;
  llvm::Error checkReaders(const Home &home) const;
  llvm::Error checkMask() const;

  // CheckJam.cpp
  llvm::Error checkBanks(unsigned nest) const;
  llvm::Error checkJam() const;
  llvm::Error checkStacked(unsigned dim) const;
  llvm::Error checkStaggered() const;
  llvm::Error checkOuterJam(unsigned dim, int64_t size) const;

  // CheckAhead.cpp
  llvm::Error checkPacked(const Home &home) const;
  llvm::Error checkWhole(const Home &home) const;
  llvm::Error checkInterleaved(unsigned dim) const;
  llvm::Error checkAhead(const Home &home) const;
  bool servesFillers(const Home &home, llvm::ArrayRef<unsigned> users) const;
  llvm::Error checkFiller(const Home &home, unsigned nest) const;
  llvm::Error checkDependence(const Home &home, unsigned nest,
                              unsigned matrix) const;

  const Graph &graph;
  const Plan &plan;
  const Machine &machine;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_PLANCHECKER_H
