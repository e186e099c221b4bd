//===- DroppedNames.cpp - Ops that MLIR does not have any more ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DroppedNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

/// How linalg writes a product with a transposed operand today.
static std::string writeMaps(bool isBatch, bool isA) {
  std::string batch = isBatch ? "b, " : "";
  auto map = [&](StringRef indices) {
    return ("affine_map<(" + batch + "m, n, k) -> (" + batch + indices + ")>")
        .str();
  };
  return (Twine("linalg.") + (isBatch ? "batch_" : "") +
          "matmul indexing_maps = [" + map(isA ? "k, m" : "m, k") + ", " +
          map(isA ? "k, n" : "n, k") + ", " + map("m, n") + "]")
      .str();
}

/// How the op that a parser does not know is written today; empty if it is none
/// that had another name.
static std::string findNewForm(StringRef message) {
  if (!message.consume_front("custom op '"))
    return "";
  StringRef name = message.take_until([](char c) { return c == '\''; });
  return llvm::StringSwitch<std::string>(name)
      .Case("linalg.matmul_transpose_a", writeMaps(false, true))
      .Case("linalg.matmul_transpose_b", writeMaps(false, false))
      .Case("linalg.batch_matmul_transpose_a", writeMaps(true, true))
      .Case("linalg.batch_matmul_transpose_b", writeMaps(true, false))
      .Case("tensor.pack", "linalg.pack")
      .Case("tensor.unpack", "linalg.unpack")
      .Case("bufferization.to_memref", "bufferization.to_buffer")
      .Default("");
}

/// Where a text comes from that has ops, types or attributes of a dialect that
/// is not upstream, as docs/Import.md has it; empty if that is unknown.
static StringRef findExporter(StringRef message) {
  auto names = [&](StringRef dialect) {
    return message.contains(("Dialect `" + dialect + "'").str()) ||
           message.contains(("!\"" + dialect + "\"<").str()) ||
           message.contains(("#\"" + dialect + "\"<").str());
  };
  constexpr StringLiteral torch[] = {"torch", "torch_c", "tm_tensor"},
                          jax[] = {"stablehlo", "chlo", "mhlo", "vhlo"};
  return llvm::any_of(torch, names) ? "PyTorch"
         : llvm::any_of(jax, names) ? "JAX"
                                    : "";
}

/// What to do about an error of the parser that files of other tools run into;
/// empty if that is unknown.
static std::string findAdvice(StringRef message) {
  if (std::string form = findNewForm(message); !form.empty())
    return "MLIR has no op of this name any more; write " + form;
  if (StringRef exporter = findExporter(message); !exporter.empty())
    return ("lower the module to linalg on tensors first: docs/Import.md, " +
            exporter)
        .str();
  if (message.contains("'tensor.expand_shape' expected 'output_shape'"))
    return "older versions of MLIR printed no output_shape; add the sizes of "
           "the result, as in 'output_shape [2, 3]': docs/Import.md, What is "
           "refused";
  return "";
}

void mlir::trn::registerDroppedNames(DialectRegistry &registry) {
  // The handlers of a tool are there before the first function is, and would
  // keep the error for themselves.
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    context->getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        if (std::string advice = findAdvice(diagnostic.str()); !advice.empty())
          diagnostic.attachNote() << advice;
      return failure(); // the next handler prints it
    });
  });
}
