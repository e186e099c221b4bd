//===- PrintSchedule.h - Graphs and plans as text ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text between the brackets of `#trn.schedule<...>`, which the dialect
// parses. It is complete: equal texts mean equal names, graphs and plans.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_PRINTSCHEDULE_H
#define TRN_PLANNING_PRINTSCHEDULE_H

#include "trn/Planning/Plan.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::trn::planning {

/// `none to 0 of inf`: the diagonals, and the value on them.
void printBand(llvm::raw_ostream &os, const Band &band);

/// `dims = [...], matrices = [...], stages = [...]`.
void printGraph(llvm::raw_ostream &os, const Graph &graph);

/// One stage: `yt = u * xt over k`.
void printStage(llvm::raw_ostream &os, const Graph &graph, const Stage &stage);

/// `nests = [...], homes = [...]`. `plan` has passed `checkNumbers`.
void printPlan(llvm::raw_ostream &os, const Graph &graph, const Plan &plan);
std::string printPlan(const Graph &graph, const Plan &plan);

/// The printed level of a home inside `level` loops of `nest`: `kernel`, or the
/// dim of the innermost of these loops. Of several loops over a dim, the first
/// is `k`, the second `k.1`, and so on.
std::string nameOfLevel(const Graph &graph, const Nest &nest, unsigned level);
/// The level with that name, if `nest` has one.
std::optional<unsigned> findLevel(const Graph &graph, const Nest &nest,
                                  llvm::StringRef name);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_PRINTSCHEDULE_H
