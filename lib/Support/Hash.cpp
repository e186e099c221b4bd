//===- Hash.cpp - Hashes of files -----------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Hash.h"

#include "trn/Support/InputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

llvm::Expected<std::string> mlir::trn::hashFile(llvm::StringRef path) {
  auto buffer = readInputFile(path, /*isText=*/false);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  llvm::SHA256 hash;
  // What has been read of a large file need not stay in memory.
  constexpr size_t atOnce = 1 << 24;
  for (llvm::StringRef rest = (*buffer)->getBuffer(); !rest.empty();) {
    hash.update(rest.take_front(atOnce));
    rest = rest.drop_front(std::min(atOnce, rest.size()));
    releasePages(**buffer);
  }
  return llvm::toHex(hash.final(), /*LowerCase=*/true);
}
