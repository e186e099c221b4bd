#!/usr/bin/env python3
"""Writes UnicodeData.def, what tokenizers need to know of characters, from Python's unicodedata.

Usage: make-unicode-data.py > UnicodeData.def
"""

import unicodedata

LICENCE = """\
//===- UnicodeData.def - What tokenizers know of characters -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Unicode {version}, made by make-unicode-data.py from Python's unicodedata.
//
// TRN_CATEGORY(first, category): characters from `first` up to the next entry.
// TRN_COMBINING(character, class): those whose canonical class is not 0.
// TRN_DECOMPOSITION(character, first, second, composes): the canonical one, of
// one character if `second` is 0; whether NFC puts it together again. Hangul is
// computed instead.
//
//===----------------------------------------------------------------------===//
"""
CHARACTERS = [chr(point) for point in range(0x110000)]
HANGUL = range(0xAC00, 0xD7A4)


def categories():
    last = None
    for character in CHARACTERS:
        category = unicodedata.category(character)
        if category != last:
            yield f"TRN_CATEGORY(0x{ord(character):X}, {category})"
        last = category


def combining():
    for character in CHARACTERS:
        if number := unicodedata.combining(character):
            yield f"TRN_COMBINING(0x{ord(character):X}, {number})"


def decompositions():
    for character in CHARACTERS:
        mapping = unicodedata.decomposition(character)
        if not mapping or mapping.startswith("<") or ord(character) in HANGUL:
            continue
        parts = [int(part, 16) for part in mapping.split()]
        whole = unicodedata.normalize("NFC", "".join(map(chr, parts)))
        composes = len(parts) == 2 and whole == character
        first, second = parts if len(parts) == 2 else (parts[0], 0)
        yield f"TRN_DECOMPOSITION(0x{ord(character):X}, 0x{first:X}, 0x{second:X}, {int(composes)})"


def section(macro, entries):
    lines = [f"#ifdef {macro}"]
    for entry in entries:
        if lines[-1].startswith("#") or len(lines[-1]) + len(entry) >= 100:
            lines.append(entry)
        else:
            lines[-1] += " " + entry
    print("\n" + "\n".join([*lines, f"#undef {macro}", "#endif"]))


print(LICENCE.format(version=unicodedata.unidata_version), end="")
section("TRN_CATEGORY", categories())
section("TRN_COMBINING", combining())
section("TRN_DECOMPOSITION", decompositions())
