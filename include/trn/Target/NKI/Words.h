//===- Words.h - The vocabulary of each version of NKI ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the writer and the reader of NKI.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TARGET_NKI_WORDS_H
#define TRN_TARGET_NKI_WORDS_H

#include "trn/Target/NKI/NKIOptions.h"

#include "mlir/Support/LLVM.h"

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::trn::nki {

/// The roles of a value as an argument.
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

/// The spelling in `version` of the dialect's `meaning`: `nl.subtract` for the
/// binary function `sub`. Empty if there is none.
StringRef nameOf(ValueKind kind, StringRef meaning, NKIVersion version);

/// Whether `version` has a function `module.name` with this argument.
bool hasArgument(StringRef module, StringRef name, StringRef argument,
                 NKIVersion version);

/// Writes all words of `version` as JSON:
/// - `operations`: module (`isa`, `language` or `tensor`, for methods), name,
///   and arguments in order. An argument has its default as Python text, and a
///   mark if it is keyword-only. The op of the dialect comes last
/// - `functions`: the dialect's function for each operator or function
/// - `dtypes`, `buffers`, `engines`: the dialect's name, or null
/// - `others`: names of other values
void printWords(NKIVersion version, raw_ostream &os);

} // namespace mlir::trn::nki

#endif // TRN_TARGET_NKI_WORDS_H
