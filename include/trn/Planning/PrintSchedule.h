//===- PrintSchedule.h - Graphs and plans as text ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text between the brackets of `#trn.schedule<...>`, which the dialect
// parses. It says everything: equal texts, equal names, graphs and plans.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_PRINTSCHEDULE_H
#define TRN_PLANNING_PRINTSCHEDULE_H

#include "trn/Planning/Plan.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::trn::planning {

/// `none to 0 of inf`: the diagonals, and what they hold.
void printBand(llvm::raw_ostream &os, const Band &band);

/// `dims = [...], matrices = [...], stages = [...]`.
void printGraph(llvm::raw_ostream &os, const Graph &graph);

/// What one stage computes: `yt = u * xt over k`.
void printStage(llvm::raw_ostream &os, const Graph &graph, const Stage &stage);

/// `nests = [...], homes = [...]`. The numbers of `plan` have been checked.
void printPlan(llvm::raw_ostream &os, const Graph &graph, const Plan &plan);
std::string printPlan(const Graph &graph, const Plan &plan);

/// What a home inside of `level` loops of `nest` is said to be at: `kernel`,
/// the dim of the innermost of these loops, or, if there are several loops over
/// it, `k` for the first one, `k.1` for the second one, and so on.
std::string nameOfLevel(const Graph &graph, const Nest &nest, unsigned level);
/// The level of that name, if `nest` has one.
std::optional<unsigned> findLevel(const Graph &graph, const Nest &nest,
                                  llvm::StringRef name);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_PRINTSCHEDULE_H
