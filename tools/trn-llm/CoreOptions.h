//===- CoreOptions.h - The core that commands compile for -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_COREOPTIONS_H
#define TRN_TOOLS_TRN_LLM_COREOPTIONS_H

#include "trn/Machine/Machine.h"
#include "trn/Support/FloatTypes.h"

#include "llvm/Support/CommandLine.h"

namespace mlir::trn {

/// Options of all commands that compile a model.
struct CoreOptions {
  CoreOptions();

  llvm::cl::opt<std::string> machine;
  llvm::cl::opt<ElementType> type;
  llvm::cl::opt<int64_t> effort;
  llvm::cl::opt<std::string> planCache;
  llvm::cl::opt<int64_t> lnc;
  llvm::cl::opt<bool> dropMaxima;

  /// The machine that is asked for. Fails where `loadMachine` does, or if it
  /// has no such logical cores.
  llvm::Expected<Machine> load() const;

  /// None if it is the default of the compiler.
  std::optional<int64_t> getEffort() const;
};

/// To be called before the command line is read.
CoreOptions &getCoreOptions();

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_COREOPTIONS_H
