//===- EditRates.h - How often edits make plans faster ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_EDITRATES_H
#define TRN_LIB_SEARCH_EDITRATES_H

#include "trn/Search/Edits.h"
#include <array>

namespace mlir::trn::search {

/// How often edits of each kind made a plan faster. Begins with what a campaign
/// counted, and goes on with what a search sees: the kinds that pay differ from
/// kernel to kernel.
class EditRates {
public:
  EditRates();

  void count(Edit::Kind kind, bool isFaster);
  double rate(Edit::Kind kind) const;

private:
  struct Counts {
    double tried, faster;
  };
  std::array<Counts, Edit::numKinds> counts;
};

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_EDITRATES_H
