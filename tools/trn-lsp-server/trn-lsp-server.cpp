//===- trn-lsp-server.cpp - Language server with the trn dialect ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/InitAll.h"
#include "trn/LanguageServer/LanguageServer.h"
#include "trn/Run/RunModule.h"
#include "trn/Support/Version.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/CommandLine.h"

namespace cl = llvm::cl;

static constexpr const char *overview =
    R"(Help an editor with .mlir files

Speaks the language server protocol on standard input and output: errors,
documentation and completion while typing; what a saved kernel costs, and edits.
)";

static cl::OptionCategory category("trn-lsp-server options");

int main(int argc, char **argv) {
  mlir::trn::LanguageServerOptions options;
  cl::opt<std::string, true> compile(
      "compile", cl::value_desc("options"), cl::cat(category),
      cl::location(options.compile), cl::init(options.compile),
      cl::desc("Options of trn-compile for the findings of a saved file "
               "(default effort=1)"));
  cl::opt<bool, true> litTest(
      "lit-test", cl::cat(category), cl::location(options.isLitTest),
      cl::desc("Read messages that end in // -----, for tests"));
  cl::HideUnrelatedOptions(category);
  cl::SetVersionPrinter(mlir::trn::printVersion);
  cl::ParseCommandLineOptions(argc, argv, overview);
  mlir::DialectRegistry registry;
  mlir::trn::registerAllDialects(registry);
  mlir::trn::registerRunDialects(registry);
  return mlir::trn::serveEditor(options, registry);
}
