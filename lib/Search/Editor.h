//===- Editor.h - Applies one edit ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_EDITOR_H
#define TRN_LIB_SEARCH_EDITOR_H

#include "trn/Search/Edits.h"

namespace mlir::trn::search {

/// The nests from `first` to `last`.
struct Range {
  unsigned first, last;

  bool contains(unsigned nest) const { return first <= nest && nest <= last; }
};

/// Applies one edit.
class Editor {
public:
  Editor(const Edit &edit, planning::Schedule &schedule)
      : edit(edit), graph(schedule.graph), plan(schedule.plan) {}

  bool run();

private:
  llvm::SmallVectorImpl<planning::Loop> &loops(unsigned nest) {
    return plan.nests[nest].loops;
  }
  const planning::Stage &stage() const { return graph.stages[edit.nest]; }
  planning::Home &home() { return plan.homes[edit.home]; }
  bool isWritten(const planning::Home &home) const {
    return graph.stages[home.nests.front()].result == home.matrix;
  }
  /// The home that the nest fills.
  planning::Home *resultHome(unsigned nest);
  Range sharing(unsigned count) const;
  Range inserting() const;
  bool goesInside(const planning::Home &home) const;
  void setBlock(unsigned nest, unsigned depth);
  bool changeBlock(bool everywhere);
  bool insert();
  void sumInSbuf(unsigned nest);
  void dropSums(unsigned nest);
  bool remove();
  bool swap();
  void alignPieces();
  bool sumInPsum();
  void moveFactors(unsigned from, unsigned to);
  void followReader();
  bool move(bool ahead);
  void bring(planning::Home &filled, unsigned ahead);
  void bringSources(const planning::Home &filled);
  bool spill();
  bool keep();
  bool pack();
  bool transpose(unsigned nest, int64_t piece);
  bool number();

  const Edit &edit;
  const planning::Graph &graph;
  planning::Plan &plan;
};

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_EDITOR_H
