//===- CompareReports.h - Reports side by side ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_COMPAREREPORTS_H
#define TRN_RUN_COMPAREREPORTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::trn {

/// Prints the reports in `files` side by side on `os`. Unless `html` is empty,
/// also writes them as a page to that path.
llvm::Error compareReports(llvm::ArrayRef<std::string> files,
                           llvm::StringRef html, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_RUN_COMPAREREPORTS_H
