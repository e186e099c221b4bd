//===- Paths.h - Names of files in folders ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_PATHS_H
#define TRN_SUPPORT_PATHS_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <string>

namespace mlir::trn {

/// The path of `file` in `folder`.
inline std::string joinPath(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<0> path(folder);
  llvm::sys::path::append(path, file);
  return path.str().str();
}

} // namespace mlir::trn

#endif // TRN_SUPPORT_PATHS_H
