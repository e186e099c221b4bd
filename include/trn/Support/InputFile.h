//===- InputFile.h - Input files --------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_INPUTFILE_H
#define TRN_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::trn {

/// Limit for inputs of unknown size: a pipe, a terminal, or a device such as
/// /dev/zero, which never ends.
constexpr int64_t maxStreamedBytes = int64_t(1) << 30;

/// The contents of a file; `-` is standard input. With `isText`, a zero
/// follows. The error does not repeat the path. A regular file may be as large
/// as this host's memory, any other at most `maxStreamed` bytes.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path, bool isText,
              int64_t maxStreamed = maxStreamedBytes);

/// Pages of `buffer`, if it is a mapped file, no longer count as memory of this
/// process; they remain readable.
void releasePages(const llvm::MemoryBuffer &buffer);

} // namespace mlir::trn

#endif // TRN_SUPPORT_INPUTFILE_H
