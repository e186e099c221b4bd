//===- TextStream.h - Print what models write -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_TEXTSTREAM_H
#define TRN_TOOLS_TRN_LLM_TEXTSTREAM_H

#include "llvm/ADT/StringRef.h"

namespace mlir::trn {

/// Prints bytes of a text; on a terminal, without what that would act on.
void printPiece(llvm::StringRef piece);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_TEXTSTREAM_H
