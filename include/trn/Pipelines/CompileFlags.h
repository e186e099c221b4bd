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

/// One `key=value` or `key` among the options of `trn-compile`. Views of the
/// text that it was read from.
struct CompileFlag {
  StringRef key;
  std::optional<StringRef> value;
  /// As it was written.
  StringRef text;
};

/// Splits the options as the pass manager does: at blanks outside of quotes.
SmallVector<CompileFlag> splitCompileFlags(StringRef text);

/// Says which option there is not, or what it takes instead of `value`.
/// LLVM's own parser would write to the standard error.
llvm::Error checkCompileFlag(StringRef key, std::optional<StringRef> value);

/// Reads `key=value ...`. An error says which option there is not, or what it
/// takes.
llvm::Error parseCompileOptions(StringRef text, CompileOptions &options);

/// Whether `trn-compile` has this option.
bool isCompileFlag(StringRef key);

/// `block-k, block-m, ...`.
std::string listCompileFlags();

} // namespace mlir::trn

#endif // TRN_PIPELINES_COMPILEFLAGS_H
