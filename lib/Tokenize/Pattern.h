//===- Pattern.h - Regular expressions that cut texts -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_PATTERN_H
#define TRN_LIB_TOKENIZE_PATTERN_H

#include "Unicode.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <bitset>
#include <vector>

namespace mlir::trn {

/// A set of characters, as `[^\s\p{L}]` or a literal is one.
class CharacterSet {
public:
  void addRange(Character first, Character last);
  void addCategories(Categories more) { categories |= more; }
  void addWhiteSpace() { whiteSpace = true; }
  void negate() { negated = !negated; }
  /// Also what differs from a character of the set only by case.
  void ignoreCase() { folded = true; }
  /// To be called once the set is complete.
  void finish();

  bool contains(Character character) const {
    return character < ascii.size() ? ascii[character] : find(character);
  }

private:
  bool find(Character character) const;

  llvm::SmallVector<std::pair<Character, Character>, 2> ranges;
  Categories categories = 0;
  bool whiteSpace = false, negated = false, folded = false;
  std::bitset<0x80> ascii; // the answers for these
};

/// A regular expression of Oniguruma, which Hugging Face uses, of the kind that
/// tokenizers cut words with: literals, sets, categories (`\p{L}`, `\s`, `\d`),
/// groups, `(?i:...)`, alternatives of which the first that fits is taken,
/// lookahead, and greedy or possessive repetition of a character.
class Pattern {
public:
  /// Matching recurses once for each part: longer ones could overflow the
  /// stack.
  static constexpr size_t maxLength = 2000; // bytes

  /// Fails with what is not of that kind.
  static llvm::Expected<Pattern> parse(llvm::StringRef text);
  /// What matches a string of at most `maxLength` and nothing else.
  static Pattern ofString(llvm::StringRef text);

  /// Calls `visit` with where each match begins and ends, from left to right.
  /// Empty matches are none. Fails if a text takes too long, which only a
  /// pattern made for that does.
  llvm::Error
  findAll(llvm::ArrayRef<Character> text,
          llvm::function_ref<void(size_t begin, size_t end)> visit) const;

private:
  struct Node;
  using Sequence = std::vector<Node>;
  class Parser;
  class Matcher;

  struct Node {
    enum Kind { Set, Group, Ahead, NotAhead } kind = Set;
    CharacterSet set;
    std::vector<Sequence> alternatives;
    size_t least = 1, most = 1;
    bool isPossessive = false;
  };

  std::vector<Sequence> alternatives;
};

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_PATTERN_H
