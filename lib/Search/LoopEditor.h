//===- LoopEditor.h - Applies edits of loops --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_LOOPEDITOR_H
#define TRN_LIB_SEARCH_LOOPEDITOR_H

#include "EditedPlan.h"

namespace mlir::trn::search {

/// The nests from `first` to `last`.
struct Range {
  unsigned first, last;

  bool contains(unsigned nest) const { return first <= nest && nest <= last; }
};

/// Changes loops and their sums.
class LoopEditor : EditedPlan {
public:
  using EditedPlan::EditedPlan;

  bool changeBlock(bool everywhere);
  bool insert();
  bool remove();
  bool swap();
  bool sumInPsum();

private:
  Range sharing(unsigned count) const;
  Range inserting() const;
  bool goesInside(const planning::Home &home) const;
  void setBlock(unsigned nest, unsigned depth);
  void sumInSbuf(unsigned nest);
  void dropSums(unsigned nest);
  void moveFactors(unsigned from, unsigned to);
  void alignPieces();
};

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_LOOPEDITOR_H
