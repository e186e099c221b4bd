//===- JSON.h - JSON from users ---------------------------------*- C++ -*-===//
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

/// Like `llvm::json::parse`, but for users' files. Ignores a byte order mark.
/// Refuses text that is nested too deeply for the stack or has too many objects
/// for the memory, duplicate keys, and, by name, NaN and Infinity.
llvm::Expected<llvm::json::Value> parseJSON(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_SUPPORT_JSON_H
