//===- HomeEditor.h - Applies edits of homes --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_HOMEEDITOR_H
#define TRN_LIB_SEARCH_HOMEEDITOR_H

#include "EditedPlan.h"

namespace mlir::trn::search {

/// Changes homes, and what follows from that.
class HomeEditor : EditedPlan {
public:
  using EditedPlan::EditedPlan;

  bool move(bool ahead);
  bool spill();
  bool keep();
  bool pack();
  /// What `nest` transposes comes from HBM by `piece` rows of the result; 0:
  /// the DMA transposes it.
  bool transpose(unsigned nest, int64_t piece);
  bool number();

private:
  void followReader();
  void bring(planning::Home &filled, unsigned ahead);
  void bringSources(const planning::Home &filled);
};

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_HOMEEDITOR_H
