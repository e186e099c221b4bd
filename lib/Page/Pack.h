//===- Pack.h - Bytes for the page ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PAGE_PACK_H
#define TRN_LIB_PAGE_PACK_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace mlir::trn {

/// Bytes as base64, of their zlib stream where that is available: what
/// `unpack` of lib/Page/Html/timeline-data.js reads.
llvm::json::Object pack(llvm::StringRef bytes);

} // namespace mlir::trn

#endif // TRN_LIB_PAGE_PACK_H
