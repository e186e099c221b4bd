//===- LanguageServer.h - Our dialect in an editor --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LANGUAGESERVER_LANGUAGESERVER_H
#define TRN_LANGUAGESERVER_LANGUAGESERVER_H

#include <string>

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::trn {

struct LanguageServerOptions {
  /// Options of `trn-compile` for the findings of a saved file.
  std::string compile = "effort=1";
  /// For tests: messages end in `// -----`, each is answered before the next is
  /// read, and answers are indented.
  bool isLitTest = false;
};

/// Speaks the language server protocol on the standard streams until the client
/// ends it, and returns the exit status. `registry` needs the dialects of this
/// project and those of `registerRunDialects`. The process must have one
/// thread, because forks of it read documents.
int serveEditor(const LanguageServerOptions &options,
                DialectRegistry &registry);

} // namespace mlir::trn

#endif // TRN_LANGUAGESERVER_LANGUAGESERVER_H
