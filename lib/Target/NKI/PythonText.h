//===- PythonText.h - Lines of Python ---------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_PYTHONTEXT_H
#define TRN_LIB_TARGET_NKI_PYTHONTEXT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace mlir::trn::nki {

/// Writes indented lines of at most 100 columns. A statement that is longer is
/// broken behind commas, outer ones first, and goes on below what follows the
/// open bracket, as PEP 8 has it.
class PythonText {
public:
  explicit PythonText(llvm::raw_ostream &os) : os(os) {}

  void line(const llvm::Twine &statement);
  /// Each line of `text` as a comment, broken between words.
  void comment(const llvm::Twine &text);
  /// Each line of `text`, broken between words.
  void prose(const llvm::Twine &text);
  /// An empty line, unless a block or a comment has just begun.
  void separate();
  /// How many statements were written.
  unsigned numLines() const { return lines; }
  /// Where lines come from that are written from now on.
  void setPlace(std::string from) { place = std::move(from); }
  /// Where each line so far comes from.
  llvm::ArrayRef<std::string> getPlaces() const { return places; }

  /// What is written while this lives is one level further in.
  class Block {
  public:
    explicit Block(PythonText &text) : text(text) {
      text.indentation += 4;
      text.endsInStatement = false;
    }
    ~Block() { text.indentation -= 4; }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;

  private:
    PythonText &text;
  };

private:
  void writeWords(llvm::StringRef line, llvm::StringRef begin);
  void endLine();

  llvm::raw_ostream &os;
  std::string place;
  llvm::SmallVector<std::string> places;
  unsigned indentation = 0, lines = 0;
  bool endsInStatement = false;
};

/// The names of one function that are in use. None is a word of Python, or the
/// name of a module that is imported.
class PythonNames {
public:
  /// `wanted` or, if that is taken, `wanted_2` and so on, with letters, digits
  /// and underscores alone.
  std::string take(llvm::StringRef wanted);
  bool isFree(llvm::StringRef name) const;
  void release(llvm::StringRef name) { taken.erase(name); }

private:
  llvm::StringSet<> taken;
};

/// `name` with an underscore for everything that no name of Python may have.
std::string toPythonName(llvm::StringRef name);

/// The shortest text that reads back as the same f32; it is finite.
std::string toPythonNumber(float value);

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_PYTHONTEXT_H
