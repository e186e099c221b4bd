//===- Pack.cpp - Bytes for the page --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pack.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"

using namespace mlir::trn;
namespace json = llvm::json;

json::Object mlir::trn::pack(llvm::StringRef bytes) {
  if (!llvm::compression::zlib::isAvailable())
    return json::Object{{"raw", llvm::encodeBase64(bytes)}};
  llvm::SmallVector<uint8_t> compressed;
  llvm::compression::zlib::compress(
      llvm::ArrayRef(bytes.bytes_begin(), bytes.bytes_end()), compressed);
  return json::Object{{"zlib", llvm::encodeBase64(compressed)}};
}
