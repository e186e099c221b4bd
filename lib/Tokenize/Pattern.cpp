//===- Pattern.cpp - Regular expressions that cut texts -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pattern.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Unicode.h"
#include <limits>

using namespace mlir::trn;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Sets
//===----------------------------------------------------------------------===//

static Character fold(Character character) {
  return character < brokenByte ? llvm::sys::unicode::foldCharSimple(character)
                                : character;
}

void CharacterSet::addRange(Character first, Character last) {
  ranges.emplace_back(first, last);
}

bool CharacterSet::find(Character character) const {
  if (folded)
    character = fold(character);
  bool found = (categoryOf(character) & categories) ||
               (whiteSpace && isWhiteSpace(character)) ||
               llvm::any_of(ranges, [&](auto range) {
                 return range.first <= character && character <= range.second;
               });
  return found != negated;
}

void CharacterSet::finish() {
  if (folded)
    for (auto &[first, last] : ranges)
      first = last = fold(first);
  for (size_t i = 0; i < ascii.size(); ++i)
    ascii[i] = find(i);
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

class Pattern::Parser {
public:
  explicit Parser(StringRef text) : text(text) {}

  llvm::Expected<std::vector<Sequence>> parse() {
    auto alternatives = parseAlternatives();
    if (alternatives && !text.empty())
      return fail("')' closes nothing");
    return alternatives;
  }

private:
  static constexpr unsigned maxDepth = 16;

  static llvm::Error fail(const llvm::Twine &reason) {
    return llvm::createStringError(
        reason + ", which is not among what patterns of tokenizers may have");
  }

  llvm::Expected<std::vector<Sequence>> parseAlternatives();
  llvm::Expected<Node> parseGroup();
  llvm::Expected<Node> parseOne();
  llvm::Error parseBrackets(CharacterSet &set);
  /// Reads what follows a backslash: returns a character, or adds several to
  /// `set`. One that is alone may also stand for all others (`\S`).
  llvm::Expected<std::optional<Character>> parseEscape(CharacterSet &set,
                                                       bool isAlone);
  llvm::Error parseRepetition(Node &node);
  llvm::Error checkRepetition(const Node &node) const;
  bool parseCounts(Node &node);

  Character take() {
    const size_t length = measureCharacter(text);
    const Character character = decodeUTF8(text.take_front(length)).front();
    text = text.drop_front(length);
    return character;
  }

  StringRef text;
  unsigned depth = 0;
  bool ignoresCase = false;
};

llvm::Expected<std::vector<Pattern::Sequence>>
Pattern::Parser::parseAlternatives() {
  std::vector<Sequence> alternatives(1);
  while (!text.empty() && text.front() != ')') {
    if (text.consume_front("|")) {
      alternatives.emplace_back();
      continue;
    }
    llvm::Expected<Node> node = parseOne();
    if (!node)
      return node.takeError();
    if (llvm::Error error = parseRepetition(*node))
      return error;
    alternatives.back().push_back(std::move(*node));
  }
  return alternatives;
}

llvm::Expected<Pattern::Node> Pattern::Parser::parseGroup() {
  Node node;
  node.kind = Node::Group;
  const bool outerIgnoresCase = ignoresCase;
  if (text.consume_front("?i:"))
    ignoresCase = true;
  else if (text.consume_front("?="))
    node.kind = Node::Ahead;
  else if (text.consume_front("?!"))
    node.kind = Node::NotAhead;
  else if (!text.consume_front("?:") && text.starts_with("?"))
    return fail("a group '(" + text.take_front(3) + "'");
  if (++depth > maxDepth)
    return fail("groups more than " + llvm::Twine(maxDepth) + " deep");
  if (llvm::Error error = parseAlternatives().moveInto(node.alternatives))
    return error;
  --depth;
  ignoresCase = outerIgnoresCase;
  if (!text.consume_front(")"))
    return fail("a group that does not end");
  return node;
}

llvm::Expected<Pattern::Node> Pattern::Parser::parseOne() {
  if (text.consume_front("("))
    return parseGroup();
  Node node;
  if (text.consume_front("[")) {
    if (llvm::Error error = parseBrackets(node.set))
      return error;
  } else if (text.consume_front("\\")) {
    std::optional<Character> character;
    if (llvm::Error error =
            parseEscape(node.set, /*isAlone=*/true).moveInto(character))
      return error;
    if (character)
      node.set.addRange(*character, *character);
    else if (ignoresCase)
      return fail("a set in (?i:...)");
  } else if (text.consume_front(".")) {
    node.set.addRange('\n', '\n');
    node.set.negate();
  } else if (StringRef("?*+{}^$").contains(text.front())) {
    return fail("'" + text.take_front(1) + "' in this place");
  } else {
    const Character character = take();
    node.set.addRange(character, character);
  }
  if (ignoresCase)
    node.set.ignoreCase();
  node.set.finish();
  return node;
}

llvm::Error Pattern::Parser::parseBrackets(CharacterSet &set) {
  if (ignoresCase)
    return fail("a set in (?i:...)");
  if (text.consume_front("^"))
    set.negate();
  while (!text.empty() && text.front() != ']') {
    if (text.starts_with("[") || text.starts_with("&&"))
      return fail("a set in a set");
    std::optional<Character> first;
    if (!text.consume_front("\\"))
      first = take();
    else if (llvm::Error error =
                 parseEscape(set, /*isAlone=*/false).moveInto(first))
      return error;
    if (!first)
      continue;
    Character last = *first;
    if (text.size() > 1 && text[0] == '-' && text[1] != ']') {
      text = text.drop_front();
      if (text.starts_with("\\") || text.starts_with("["))
        return fail("a range that ends with '" + text.take_front(1) + "'");
      last = take();
      if (last < *first)
        return fail("a range that ends before it begins");
    }
    set.addRange(*first, last);
  }
  if (!text.consume_front("]"))
    return fail("a set that does not end");
  return llvm::Error::success();
}

llvm::Expected<std::optional<Character>>
Pattern::Parser::parseEscape(CharacterSet &set, bool isAlone) {
  StringRef escape = text.take_front(1);
  text = text.drop_front(escape.size());
  if (escape == "n")
    return '\n';
  if (escape == "r")
    return '\r';
  if (escape == "t")
    return '\t';
  if (!escape.empty() && llvm::isPunct(escape.front()))
    return escape.front();
  const bool isNegated = escape == "S" || escape == "D" || escape == "P";
  if (isNegated && isAlone)
    set.negate();
  if (escape == "s" || (escape == "S" && isAlone)) {
    set.addWhiteSpace();
    return std::nullopt;
  }
  std::optional<Categories> categories;
  if (escape == "d" || (escape == "D" && isAlone)) {
    categories = findCategories("Nd");
  } else if (escape == "p" || (escape == "P" && isAlone)) {
    auto [name, rest] = text.split('}');
    if (name.starts_with("{"))
      categories = findCategories(name.drop_front());
    escape = StringRef(escape.begin(), 1 + name.size() + !rest.empty());
    text = rest;
  }
  if (!categories)
    return fail("'\\" + escape + "'" + (isAlone ? "" : " in a set"));
  set.addCategories(*categories);
  return std::nullopt;
}

llvm::Error Pattern::Parser::parseRepetition(Node &node) {
  constexpr size_t any = std::numeric_limits<size_t>::max();
  if (text.consume_front("?")) {
    node.least = 0;
  } else if (text.consume_front("*")) {
    node.least = 0;
    node.most = any;
  } else if (text.consume_front("+")) {
    node.most = any;
  } else if (text.starts_with("{")) {
    if (!parseCounts(node))
      return fail("a repetition '" + text.take_front(8) + "'");
    return checkRepetition(node);
  } else {
    return llvm::Error::success();
  }
  node.isPossessive = text.consume_front("+");
  return checkRepetition(node);
}

bool Pattern::Parser::parseCounts(Node &node) {
  auto [counts, rest] = text.drop_front().split('}');
  auto [least, most] = counts.split(',');
  // Larger ones are no tokenizer's, and what is in between would be slow.
  constexpr size_t limit = 1000;
  if (!llvm::to_integer(least, node.least, 10))
    return false;
  if (!counts.contains(','))
    node.most = node.least;
  else if (most.empty())
    node.most = std::numeric_limits<size_t>::max();
  else if (!llvm::to_integer(most, node.most, 10) || node.most > limit)
    return false;
  if (node.least > limit || node.least > node.most)
    return false;
  text = rest;
  return true;
}

llvm::Error Pattern::Parser::checkRepetition(const Node &node) const {
  if (!text.empty() && StringRef("?*+{").contains(text.front()))
    return fail("a repetition followed by '" + text.take_front(1) + "'");
  const bool isOptional =
      node.kind == Node::Group && node.most == 1 && !node.isPossessive;
  if (node.kind != Node::Set && !isOptional)
    return fail("a group that is repeated");
  return llvm::Error::success();
}

llvm::Expected<Pattern> Pattern::parse(StringRef text) {
  if (text.size() > maxLength)
    return llvm::createStringError(
        llvm::formatv("a pattern has {0} bytes, but at most {1} are read",
                      text.size(), maxLength));
  Pattern pattern;
  if (llvm::Error error = Parser(text).parse().moveInto(pattern.alternatives))
    return llvm::createStringError(llvm::formatv(
        "the pattern '{0}' has {1}", text, llvm::toString(std::move(error))));
  return pattern;
}

Pattern Pattern::ofString(StringRef text) {
  Sequence sequence;
  for (Character character : decodeUTF8(text)) {
    CharacterSet &set = sequence.emplace_back().set;
    set.addRange(character, character);
    set.finish();
  }
  Pattern pattern;
  pattern.alternatives = {std::move(sequence)};
  return pattern;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

/// Tries what could match in the order of preference, and goes back where it
/// does not.
class Pattern::Matcher {
public:
  /// What must match next; given where.
  using Next = llvm::function_ref<bool(size_t)>;

  explicit Matcher(llvm::ArrayRef<Character> text) : text(text) {}

  /// Whether one of `alternatives` and then `next` matches at `at`.
  bool matchOne(llvm::ArrayRef<Sequence> alternatives, size_t at, Next next) {
    return llvm::any_of(alternatives, [&](const Sequence &sequence) {
      return match(sequence, at, next);
    });
  }
  /// Once this is true, answers mean nothing.
  bool isExhausted() const { return numSteps > maxSteps; }

private:
  bool match(llvm::ArrayRef<Node> sequence, size_t at, Next next);
  bool matchRepeated(llvm::ArrayRef<Node> sequence, size_t at, Next next);

  llvm::ArrayRef<Character> text;
  // Known patterns need less than ten steps for a character.
  const size_t maxSteps = 1000 * (text.size() + 1);
  size_t numSteps = 0;
};

bool Pattern::Matcher::match(llvm::ArrayRef<Node> sequence, size_t at,
                             Next next) {
  if (++numSteps > maxSteps)
    return false;
  if (sequence.empty())
    return next(at);
  const Node &node = sequence.front();
  auto matchRest = [&](size_t end) {
    return match(sequence.drop_front(), end, next);
  };
  switch (node.kind) {
  case Node::Set:
    return matchRepeated(sequence, at, next);
  case Node::Group:
    return matchOne(node.alternatives, at, matchRest) ||
           (node.least == 0 && matchRest(at));
  case Node::Ahead:
  case Node::NotAhead: {
    const bool isThere =
        matchOne(node.alternatives, at, [](size_t) { return true; });
    return isThere == (node.kind == Node::Ahead) && matchRest(at);
  }
  }
  return false;
}

bool Pattern::Matcher::matchRepeated(llvm::ArrayRef<Node> sequence, size_t at,
                                     Next next) {
  const Node &node = sequence.front();
  size_t count = 0;
  while (count < node.most && at + count < text.size() &&
         node.set.contains(text[at + count]))
    ++count;
  numSteps += count;
  if (count < node.least)
    return false;
  const size_t least = node.isPossessive ? count : node.least;
  for (size_t taken = count + 1; taken-- > least;)
    if (match(sequence.drop_front(), at + taken, next))
      return true;
  return false;
}

llvm::Error
Pattern::findAll(llvm::ArrayRef<Character> text,
                 llvm::function_ref<void(size_t, size_t)> visit) const {
  Matcher matcher(text);
  for (size_t at = 0; at < text.size();) {
    size_t end = at;
    matcher.matchOne(alternatives, at, [&](size_t found) {
      end = found;
      return true;
    });
    if (matcher.isExhausted())
      return llvm::createStringError(
          "a pattern of the tokenizer takes too long: more than 1,000 steps "
          "for a character of the text");
    if (end > at)
      visit(at, end);
    at = std::max(end, at + 1);
  }
  return llvm::Error::success();
}
