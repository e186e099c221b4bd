//===- Commands.h - What trn-llm can do -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_COMMANDS_H
#define TRN_TOOLS_TRN_LLM_COMMANDS_H

#include "llvm/Support/CommandLine.h"

namespace mlir::trn {

llvm::cl::OptionCategory &getCategory();
/// Commands of which several files have options.
llvm::cl::SubCommand &getGenerateCommand();
llvm::cl::SubCommand &getPerplexityCommand();
llvm::cl::SubCommand &getTimeCommand();
llvm::cl::SubCommand &getEncodeCommand();
llvm::cl::SubCommand &getDecodeCommand();

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_COMMANDS_H
