//===- Escape.h - Foreign text on a terminal --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_ESCAPE_H
#define TRN_SUPPORT_ESCAPE_H

#include "llvm/Support/Error.h"

namespace mlir::trn {

/// Escapes bytes of `text` that a terminal would act on or not show, as MLIR
/// does in strings: `\1B`. These are control characters (line breaks, too),
/// formatting characters, and invalid UTF-8. Escaping twice is escaping once.
std::string escapeUnprintable(llvm::StringRef text);

/// The same for each line of `text`.
std::string escapeLines(llvm::StringRef text);

/// Fails if `text`, whose lines diagnostics quote, has control characters other
/// than blanks and line ends.
llvm::Error checkQuotable(llvm::StringRef text);

} // namespace mlir::trn

#endif // TRN_SUPPORT_ESCAPE_H
