//===- Words.h - The vocabulary of each version of NKI ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What writes NKI and what reads it share these words.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TARGET_NKI_WORDS_H
#define TRN_TARGET_NKI_WORDS_H

#include "trn/Target/NKI/NKIOptions.h"

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::trn::nki {

/// What a value may be an argument for.
enum class ValueKind {
  Binary,
  Reduce,
  Activation,
  Dtype,
  Buffer,
  Engine,
  Other
};

/// `beta1`, `0.6` or `0.7`.
StringRef stringify(NKIVersion version);
std::optional<NKIVersion> parseVersion(StringRef name);

/// How `version` writes what the dialect calls `meaning`: `nl.subtract` for the
/// binary function `sub`. Empty if it has no word for it.
StringRef nameOf(ValueKind kind, StringRef meaning, NKIVersion version);

/// Whether `version` has a function `module.name` with this argument.
bool hasArgument(StringRef module, StringRef name, StringRef argument,
                 NKIVersion version);

/// Writes all words of `version` as JSON:
/// - `operations`: module (`isa`, `language` or `tensor`, for methods), name,
///   arguments in order with their defaults as text of Python, whether one is
///   given by its keyword alone, and the op of the dialect that it is
/// - `functions`: of the dialect, that an operator or function is
/// - `dtypes`, `buffers`, `engines`: the same of the dialect, or null
/// - `others`: names of other values
void printWords(NKIVersion version, raw_ostream &os);

} // namespace mlir::trn::nki

#endif // TRN_TARGET_NKI_WORDS_H
