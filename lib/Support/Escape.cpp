//===- Escape.cpp - Foreign text on a terminal ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Escape.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::trn;
using llvm::StringRef;

/// Takes the character that `text` begins with, or a byte of what is none.
static StringRef takeCharacter(StringRef &text, bool &isPrintable) {
  const llvm::UTF8 *next = text.bytes_begin();
  llvm::UTF32 point;
  isPrintable =
      llvm::convertUTF8Sequence(&next, text.bytes_end(), &point,
                                llvm::strictConversion) == llvm::conversionOK;
  size_t size = isPrintable ? next - text.bytes_begin() : 1;
  isPrintable = isPrintable && llvm::sys::unicode::isPrintable(point);
  StringRef character = text.take_front(size);
  text = text.drop_front(size);
  return character;
}

std::string mlir::trn::escapeUnprintable(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  while (!text.empty()) {
    bool isPrintable;
    StringRef character = takeCharacter(text, isPrintable);
    if (isPrintable)
      os << character;
    else
      for (unsigned char byte : character)
        os << '\\' << llvm::toHex(byte);
  }
  return escaped;
}

std::string mlir::trn::escapeLines(StringRef text) {
  return llvm::join(llvm::map_range(llvm::split(text, '\n'), escapeUnprintable),
                    "\n");
}

llvm::Error mlir::trn::checkQuotable(StringRef text) {
  for (size_t i = 0; i < text.size(); ++i) {
    unsigned char byte = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
    // In UTF-8 there is a second range, of two bytes.
    bool isControl = byte < 0x20 || byte == 0x7F ||
                     (byte == 0xC2 && next >= 0x80 && next < 0xA0);
    if (!isControl || byte == '\n' || byte == '\t' ||
        (byte == '\r' && next == '\n'))
      continue;
    return llvm::createStringError(llvm::formatv(
        "line {0} has the control character 0x{1:X-2}, on which a terminal may "
        "act; write \\{1:X-2} in a string, or remove it",
        text.take_front(i).count('\n') + 1, byte == 0xC2 ? next : byte));
  }
  return llvm::Error::success();
}
