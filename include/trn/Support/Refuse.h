//===- Refuse.h - Errors from format strings --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_REFUSE_H
#define TRN_SUPPORT_REFUSE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::trn {

/// An error with the text of `llvm::formatv(format, args...)`.
template <typename... Args>
llvm::Error refuse(const char *format, Args &&...args) {
  return llvm::createStringError(
      llvm::formatv(format, std::forward<Args>(args)...).str());
}

} // namespace mlir::trn

#endif // TRN_SUPPORT_REFUSE_H
