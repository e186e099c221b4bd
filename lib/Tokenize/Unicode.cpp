//===- Unicode.cpp - Characters of texts ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Unicode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include <array>
#include <vector>

using namespace mlir::trn;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// UTF-8
//===----------------------------------------------------------------------===//

size_t mlir::trn::measureCharacter(StringRef text) {
  auto *first = reinterpret_cast<const llvm::UTF8 *>(text.begin());
  auto *last = reinterpret_cast<const llvm::UTF8 *>(text.end());
  return llvm::isLegalUTF8Sequence(first, last)
             ? llvm::getNumBytesForUTF8(*first)
             : 1;
}

llvm::SmallVector<Character> mlir::trn::decodeUTF8(StringRef text) {
  llvm::SmallVector<Character> characters;
  while (!text.empty()) {
    const size_t length = measureCharacter(text);
    Character character = uint8_t(text.front());
    if (length > 1) {
      character &= 0x7F >> length;
      for (char byte : text.substr(1, length - 1))
        character = character << 6 | (uint8_t(byte) & 0x3F);
    } else if (character >= 0x80) {
      character += brokenByte;
    }
    characters.push_back(character);
    text = text.drop_front(length);
  }
  return characters;
}

size_t mlir::trn::countBytes(llvm::ArrayRef<Character> characters) {
  size_t bytes = 0;
  for (Character character : characters)
    bytes += character < 0x80 || character >= brokenByte ? 1
             : character < 0x800                         ? 2
             : character < 0x10000                       ? 3
                                                         : 4;
  return bytes;
}

void mlir::trn::appendUTF8(std::string &text, Character character) {
  if (character >= brokenByte) {
    text += char(character - brokenByte);
    return;
  }
  char bytes[UNI_MAX_UTF8_BYTES_PER_CODE_POINT], *end = bytes;
  llvm::ConvertCodePointToUTF8(character, end);
  text.append(bytes, end);
}

//===----------------------------------------------------------------------===//
// Categories
//===----------------------------------------------------------------------===//

namespace {
enum Category : uint8_t {
  Lu,
  Ll,
  Lt,
  Lm,
  Lo,
  Mn,
  Mc,
  Me,
  Nd,
  Nl,
  No,
  Pc,
  Pd,
  Ps,
  Pe,
  Pi,
  Pf,
  Po,
  Sm,
  Sc,
  Sk,
  So,
  Zs,
  Zl,
  Zp,
  Cc,
  Cf,
  Cs,
  Co,
  Cn
};
} // namespace

static constexpr const char *categoryNames[] = {
    "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl",
    "No", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "Sm", "Sc",
    "Sk", "So", "Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Co", "Cn"};

std::optional<Categories> mlir::trn::findCategories(StringRef name) {
  Categories found = 0;
  if (name.size() == 1 || name.size() == 2)
    for (size_t i = 0; i < std::size(categoryNames); ++i)
      if (StringRef(categoryNames[i]).starts_with(name))
        found |= Categories(1) << i;
  return found ? std::optional(found) : std::nullopt;
}

/// The category of each code point.
static const std::vector<uint8_t> &categoryTable() {
  static const std::vector<uint8_t> table = [] {
    static constexpr std::pair<Character, Category> runs[] = {
#define TRN_CATEGORY(first, category) {first, category},
#include "UnicodeData.def"
    };
    std::vector<uint8_t> table;
    table.reserve(brokenByte);
    for (const auto *run = std::begin(runs); run != std::end(runs); ++run)
      table.resize(run + 1 == std::end(runs) ? brokenByte : run[1].first,
                   run->second);
    return table;
  }();
  return table;
}

Categories mlir::trn::categoryOf(Character character) {
  if (character >= brokenByte)
    return 0;
  static const std::vector<uint8_t> &table = categoryTable();
  return Categories(1) << table[character];
}

bool mlir::trn::isWhiteSpace(Character character) {
  constexpr Categories separators =
      Categories(1) << Zs | Categories(1) << Zl | Categories(1) << Zp;
  return (character >= '\t' && character <= '\r') || character == 0x85 ||
         categoryOf(character) & separators;
}

//===----------------------------------------------------------------------===//
// Normalization Form C
//===----------------------------------------------------------------------===//

namespace {
/// What the Unicode Standard, section 3.11, needs of characters.
class NormalizationData {
public:
  static const NormalizationData &get() {
    static const NormalizationData data;
    return data;
  }
  uint8_t combiningClass(Character character) const {
    return classes.lookup(character);
  }
  /// Appends the full canonical decomposition.
  void decompose(Character character,
                 llvm::SmallVectorImpl<Character> &result) const;
  /// The character that two make, or 0.
  Character compose(Character first, Character second) const;

private:
  NormalizationData();

  // Hangul syllables are computed: section 3.12.
  static constexpr Character syllables = 0xAC00, leading = 0x1100,
                             vowels = 0x1161, trailing = 0x11A7;
  static constexpr unsigned numLeading = 19, numVowels = 21, numTrailing = 28;
  static constexpr unsigned numSyllables = numLeading * numVowels * numTrailing;

  llvm::DenseMap<Character, uint8_t> classes;
  llvm::DenseMap<Character, std::pair<Character, Character>> decompositions;
  llvm::DenseMap<std::pair<Character, Character>, Character> compositions;
};
} // namespace

NormalizationData::NormalizationData() {
#define TRN_COMBINING(character, number) classes[character] = number;
#include "UnicodeData.def"
  static constexpr std::array<Character, 4> entries[] = {
#define TRN_DECOMPOSITION(character, first, second, composes)                  \
  {character, first, second, composes},
#include "UnicodeData.def"
  };
  for (auto [character, first, second, composes] : entries) {
    decompositions[character] = {first, second};
    if (composes)
      compositions[{first, second}] = character;
  }
}

void NormalizationData::decompose(
    Character character, llvm::SmallVectorImpl<Character> &result) const {
  if (const unsigned index = character - syllables; index < numSyllables) {
    result.push_back(leading + index / (numVowels * numTrailing));
    result.push_back(vowels + index / numTrailing % numVowels);
    if (index % numTrailing)
      result.push_back(trailing + index % numTrailing);
    return;
  }
  auto found = decompositions.find(character);
  if (found == decompositions.end()) {
    result.push_back(character);
    return;
  }
  decompose(found->second.first, result);
  if (found->second.second)
    decompose(found->second.second, result);
}

Character NormalizationData::compose(Character first, Character second) const {
  if (first - leading < numLeading && second - vowels < numVowels)
    return syllables +
           ((first - leading) * numVowels + second - vowels) * numTrailing;
  if (first - syllables < numSyllables &&
      (first - syllables) % numTrailing == 0 && second > trailing &&
      second < trailing + numTrailing)
    return first + (second - trailing);
  return compositions.lookup({first, second});
}

/// Sorts marks behind the same character by their class; those of one class
/// keep their order.
static void sortMarks(llvm::MutableArrayRef<Character> text,
                      llvm::function_ref<uint8_t(Character)> classOf) {
  std::vector<std::tuple<uint8_t, size_t, Character>> marks;
  for (size_t at = 0; at < text.size();) {
    marks.clear();
    for (; at < text.size() && classOf(text[at]) != 0; ++at)
      marks.emplace_back(classOf(text[at]), at, text[at]);
    llvm::sort(marks);
    for (size_t i = 0; i < marks.size(); ++i)
      text[at - marks.size() + i] = std::get<Character>(marks[i]);
    if (marks.empty())
      ++at;
  }
}

std::string mlir::trn::composeNFC(StringRef text) {
  const llvm::SmallVector<Character> characters = decodeUTF8(text);
  // Nothing below U+0300 changes without something from there on.
  if (llvm::all_of(characters,
                   [](Character c) { return c < 0x300 || c >= brokenByte; }))
    return text.str();
  const NormalizationData &data = NormalizationData::get();
  llvm::SmallVector<Character> parts;
  for (Character character : characters)
    data.decompose(character, parts);
  auto classOf = [&](Character c) { return data.combiningClass(c); };
  sortMarks(parts, classOf);
  // A character joins the last starter if nothing between blocks it.
  size_t starter = 0, kept = 0;
  bool hasStarter = false;
  for (Character character : parts) {
    const uint8_t number = classOf(character);
    auto isBlocked = [&] {
      return kept != starter + 1 && classOf(parts[kept - 1]) >= number;
    };
    if (hasStarter && !isBlocked())
      if (Character whole = data.compose(parts[starter], character)) {
        parts[starter] = whole;
        continue;
      }
    if (number == 0) {
      starter = kept;
      hasStarter = true;
    }
    parts[kept++] = character;
  }
  parts.truncate(kept);
  std::string composed;
  for (Character character : parts)
    appendUTF8(composed, character);
  return composed;
}
