//===- DroppedNames.cpp - Ops that linalg does not have any more ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DroppedNames.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

/// How the op of a parser's error is written today; empty if it is none that
/// was dropped.
static std::string findNewForm(StringRef message) {
  if (!message.consume_front("custom op 'linalg."))
    return "";
  StringRef name = message.take_until([](char c) { return c == '\''; });
  bool isBatch = name.consume_front("batch_");
  bool isA = name == "matmul_transpose_a";
  if (!isA && name != "matmul_transpose_b")
    return "";
  StringRef batch = isBatch ? "b, " : "";
  auto map = [&](StringRef indices) {
    return ("affine_map<(" + batch + "m, n, k) -> (" + batch + indices + ")>")
        .str();
  };
  return (Twine("linalg.") + (isBatch ? "batch_" : "") +
          "matmul indexing_maps = [" + map(isA ? "k, m" : "m, k") + ", " +
          map(isA ? "k, n" : "n, k") + ", " + map("m, n") + "]")
      .str();
}

void mlir::trn::registerDroppedNames(DialectRegistry &registry) {
  // The dialect is there before the parser misses its op.
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    context->getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        if (std::string form = findNewForm(diagnostic.str()); !form.empty())
          diagnostic.attachNote()
              << "linalg has no op of this name any more; write " << form;
      return failure(); // the next handler prints it
    });
  });
}
