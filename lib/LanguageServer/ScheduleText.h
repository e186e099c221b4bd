//===- ScheduleText.h - Names in the text of a schedule ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_SCHEDULETEXT_H
#define TRN_LIB_LANGUAGESERVER_SCHEDULETEXT_H

#include "Text.h"

namespace mlir::trn::editor {

/// A dim or a matrix of a schedule, and how it is declared: `m = 128`.
struct NamedText {
  std::string name;
  std::string summary;
};

/// Those of the schedule whose bracket is at `open`, complete or not.
std::vector<NamedText> namesIn(const Text &text, size_t open);

/// All entries of the schedule that begin with `name`, in Markdown.
std::string describeName(const Text &text, size_t open, StringRef name);

/// The words of the entries of a section, as `slots` of `homes`.
ArrayRef<StringRef> wordsOfSection(StringRef section);

/// The plan of the schedule at `open`: from the comma in front of `nests` to
/// the end. Empty if it has none.
Span planIn(const Text &text, size_t open);

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_SCHEDULETEXT_H
