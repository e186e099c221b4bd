//===- CompileFlags.h - Options of the compiler as text ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PIPELINES_COMPILEFLAGS_H
#define TRN_PIPELINES_COMPILEFLAGS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"

namespace mlir::trn {

struct CompileOptions;

/// One `key=value` or `key` of the options of `trn-compile`: views of the
/// original text.
struct CompileFlag {
  StringRef key;
  std::optional<StringRef> value;
  /// The flag as written.
  StringRef text;
};

/// Splits options as the pass manager does: at blanks outside quotes.
SmallVector<CompileFlag> splitCompileFlags(StringRef text);

/// Fails if there is no such option or it does not take `value`. LLVM's own
/// parser would write to standard error.
llvm::Error checkCompileFlag(StringRef key, std::optional<StringRef> value);

/// Reads `key=value ...`. The error names the unknown option, or its valid
/// values.
llvm::Error parseCompileOptions(StringRef text, CompileOptions &options);

/// Whether `trn-compile` has this option.
bool isCompileFlag(StringRef key);

/// `block-k, block-m, ...`.
std::string listCompileFlags();

} // namespace mlir::trn

#endif // TRN_PIPELINES_COMPILEFLAGS_H
