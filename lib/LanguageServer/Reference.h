//===- Reference.h - Our documentation by names -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_LANGUAGESERVER_REFERENCE_H
#define TRN_LIB_LANGUAGESERVER_REFERENCE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"
#include <string>
#include <vector>

namespace mlir::trn::editor {

/// A part of the documentation, in Markdown without links.
struct Entry {
  /// One line.
  std::string summary;
  std::string text;
};

/// The pages of `docs/generated`, which come from ODS, and the table of the
/// report in `docs/Tools.md`.
class Reference {
public:
  static const Reference &get();

  /// By `trn.matmul`.
  llvm::StringMap<Entry> ops;
  /// By `trn.budget`: what may stand on ops, arguments and results.
  llvm::StringMap<Entry> declared;
  /// By `mem` of `#trn.mem`, and the words of those that hold one.
  llvm::StringMap<Entry> attributes;
  llvm::StringMap<std::vector<std::string>> words;
  /// By `homes`: the lists of a schedule.
  llvm::StringMap<Entry> sections;
  /// By `trn-place-buffers`.
  llvm::StringMap<Entry> passes;
  /// By `latency_ms`: what a budget may limit.
  llvm::StringMap<Entry> keys;

private:
  Reference();
  void readDialect(StringRef page);
  void readIntroduction(StringRef text);
  void declare(StringRef name, ArrayRef<std::string> sentences,
               ArrayRef<StringRef> rules);
  void readAttribute(StringRef title, StringRef text);
  void readSections(StringRef text);
  void readPasses(StringRef page);
  void readKeys(StringRef page);
};

} // namespace mlir::trn::editor

#endif // TRN_LIB_LANGUAGESERVER_REFERENCE_H
