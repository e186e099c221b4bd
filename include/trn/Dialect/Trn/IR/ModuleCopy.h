//===- ModuleCopy.h - A module in a context of its own ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_MODULECOPY_H
#define TRN_DIALECT_TRN_IR_MODULECOPY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

namespace mlir::trn {

/// A module in a context of its own: work on it stays invisible to passes and
/// their diagnostics.
class ModuleCopy {
public:
  ModuleCopy(MLIRContext *from, StringRef bytecode)
      : context(from->getDialectRegistry(), MLIRContext::Threading::DISABLED),
        errors(&context, [&](Diagnostic &diagnostic) {
          if (problem.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error)
            problem = diagnostic.str();
          return success();
        }) {
    // Attributes alone do not load the dialect.
    context.loadDialect<TrnDialect>();
    context.allowUnregisteredDialects(from->allowsUnregisteredDialects());
    context.printOpOnDiagnostic(from->shouldPrintOpOnDiagnostic());
    module = parseSourceString<ModuleOp>(bytecode, &context);
  }

  MLIRContext *getContext() { return &context; }
  /// May be null.
  ModuleOp get() { return *module; }
  /// The first error that was emitted.
  StringRef getProblem() const { return problem; }

private:
  MLIRContext context;
  std::string problem;
  ScopedDiagnosticHandler errors;
  OwningOpRef<ModuleOp> module;
};

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_IR_MODULECOPY_H
