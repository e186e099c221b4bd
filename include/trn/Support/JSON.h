//===- JSON.h - JSON that users give ----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_JSON_H
#define TRN_SUPPORT_JSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::trn {

/// As `llvm::json::parse`, which overflows the stack of deeply nested text and
/// silently keeps the last of two members with one key: both are errors here.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_SUPPORT_JSON_H
