//===- TextStream.cpp - Print what models write ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextStream.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using llvm::StringRef;

void mlir::trn::printPiece(StringRef piece) {
  llvm::raw_fd_ostream &os = llvm::outs();
  static const bool isTerminal = os.is_displayed();
  for (char byte : piece)
    if (isTerminal && uint8_t(byte) < 0x80 && !llvm::isPrint(byte) &&
        byte != '\n' && byte != '\t')
      os << "\\" << llvm::toHex(StringRef(&byte, 1));
    else
      os << byte;
}
