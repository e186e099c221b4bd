//===- InputFile.h - Files that users give ----------------------*- C++ -*-===//
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

/// What is read at most where the file's size is not known: from a pipe, a
/// terminal, or a device such as /dev/zero, which never ends.
constexpr int64_t maxStreamedBytes = int64_t(1) << 30;

/// The contents of a file, with a zero behind them if `isText`; `-` is standard
/// input. The error does not repeat the path. A regular file may be as large as
/// this host's memory, any other has at most `maxStreamed` bytes.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInputFile(llvm::StringRef path, bool isText,
              int64_t maxStreamed = maxStreamedBytes);

/// What was read of `buffer`, if it is a mapped file, does not count as memory
/// of this process any more; it can still be read.
void releasePages(const llvm::MemoryBuffer &buffer);

} // namespace mlir::trn

#endif // TRN_SUPPORT_INPUTFILE_H
