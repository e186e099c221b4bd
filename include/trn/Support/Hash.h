//===- Hash.h - Hashes of files ---------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_HASH_H
#define TRN_SUPPORT_HASH_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::trn {

/// SHA-256 of a file, in hexadecimal digits.
llvm::Expected<std::string> hashFile(llvm::StringRef path);

} // namespace mlir::trn

#endif // TRN_SUPPORT_HASH_H
