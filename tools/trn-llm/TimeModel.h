//===- TimeModel.h - trn-llm time -------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_TIMEMODEL_H
#define TRN_TOOLS_TRN_LLM_TIMEMODEL_H

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/JSON.h"

namespace mlir::trn {

/// The page that `time` writes, or nothing.
llvm::StringRef getPageFile();
/// The table of times that `time` writes, or nothing.
llvm::StringRef getTableFile();

/// Prints how long a model takes, dense and with factors, writes the page if
/// there is to be one, and returns what a report has of it. `model` is
/// config.json, a folder with one, or a file of llama2.c.
llvm::Expected<llvm::json::Value> showTimes(llvm::StringRef model);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_TIMEMODEL_H
