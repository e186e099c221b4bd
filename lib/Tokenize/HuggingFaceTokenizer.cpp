//===- HuggingFaceTokenizer.cpp - tokenizer.json of Hugging Face ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddedTokens.h"
#include "BytePairs.h"
#include "Normalizer.h"
#include "PieceDecoder.h"
#include "PreTokenizer.h"
#include "trn/Support/JSON.h"
#include "trn/Tokenize/Tokenizer.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Marks around a text
//===----------------------------------------------------------------------===//

namespace {
/// What `post_processor` puts around the tokens of a text.
struct Marks {
  std::vector<int32_t> before, behind;
};
} // namespace

/// Appends the numbers of a special token of TemplateProcessing.
static llvm::Error addMark(const JSONPart &processor, const json::Value &step,
                           std::vector<int32_t> &numbers) {
  llvm::Expected<JSONPart> piece =
      JSONPart::get(step, "one of 'single' of post_processor");
  if (!piece)
    return piece.takeError();
  llvm::Expected<JSONPart> special = piece->getPart("SpecialToken");
  if (!special)
    return special.takeError();
  llvm::Expected<std::string> name = special->getString("id");
  if (!name)
    return name.takeError();
  llvm::Expected<JSONPart> all = processor.getPart("special_tokens");
  if (!all)
    return all.takeError();
  llvm::Expected<JSONPart> one = all->getPart(*name);
  if (!one)
    return one.takeError();
  llvm::Expected<const json::Array *> ids = one->getArray("ids");
  if (!ids)
    return ids.takeError();
  for (const json::Value &id : **ids) {
    std::optional<int64_t> number = id.getAsInteger();
    if (!number || *number < 0 || *number >= maxTokens)
      return one->refuse("ids", "numbers of tokens");
    numbers.push_back(*number);
  }
  return llvm::Error::success();
}

static llvm::Error addMarks(const JSONPart &part, Marks &marks) {
  if (part.type() == "ByteLevel") // only offsets, of which there are none here
    return llvm::Error::success();
  if (part.type() != "TemplateProcessing")
    return part.refuseType("ByteLevel, TemplateProcessing and Sequence");
  llvm::Expected<const json::Array *> single = part.getArray("single");
  if (!single)
    return single.takeError();
  int numTexts = 0;
  for (const json::Value &step : **single) {
    const json::Object *object = step.getAsObject();
    if (object && object->get("Sequence")) {
      ++numTexts;
      continue;
    }
    if (llvm::Error error =
            addMark(part, step, numTexts ? marks.behind : marks.before))
      return error;
  }
  if (numTexts != 1)
    return part.refuse("single", "marks with one text, 'Sequence', among them");
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The tokenizer
//===----------------------------------------------------------------------===//

/// Those that are looked for in a text after the normalizer, or before.
static std::vector<AddedToken> filter(llvm::ArrayRef<AddedToken> all,
                                      bool isNormalized) {
  std::vector<AddedToken> tokens = all.vec();
  llvm::erase_if(tokens, [&](const AddedToken &token) {
    return token.isNormalized != isNormalized || token.content.empty();
  });
  return tokens;
}

namespace {
class HuggingFaceTokenizer : public Tokenizer {
public:
  static llvm::Expected<std::unique_ptr<Tokenizer>> parse(const JSONPart &file);

  int64_t size() const override { return texts.size(); }
  /// Models have more embeddings than pieces, for the sake of the hardware.
  bool fits(int64_t vocabulary) const override { return size() <= vocabulary; }
  llvm::Expected<std::vector<int32_t>> encode(StringRef text) const override;
  StringRef pieceOf(int32_t token) const override {
    return token >= 0 && token < size() ? StringRef(texts[token]) : "";
  }
  bool hasBlankBefore() const override { return stripsBlank; }
  bool isBegin(int32_t token) const override { return false; }

private:
  /// `added` are as they are in a text when they are looked for.
  HuggingFaceTokenizer(Normalizer normalizer, PreTokenizer preTokenizer,
                       BytePairs pairs, llvm::ArrayRef<AddedToken> added)
      : normalizer(std::move(normalizer)),
        preTokenizer(std::move(preTokenizer)), pairs(std::move(pairs)),
        original(filter(added, false)), normalized(filter(added, true)) {}

  llvm::Error nameTokens(const PieceDecoder &decoder,
                         llvm::ArrayRef<AddedToken> added);
  llvm::Error encodeText(StringRef text, bool isFirst,
                         std::vector<int32_t> &tokens) const;

  Normalizer normalizer;
  PreTokenizer preTokenizer;
  BytePairs pairs;
  AddedTokenFinder original, normalized; // in a text before and after that
  Marks marks;
  std::vector<std::string> texts; // of each token
  llvm::DenseSet<int32_t> specials;
  bool stripsBlank = false;
};
} // namespace

/// Fills `texts` and `specials`.
llvm::Error HuggingFaceTokenizer::nameTokens(const PieceDecoder &decoder,
                                             llvm::ArrayRef<AddedToken> added) {
  std::vector<std::optional<StringRef>> pieces;
  auto name = [&](StringRef piece, int32_t token) -> llvm::Error {
    if (size_t(token) >= pieces.size())
      pieces.resize(token + 1);
    std::optional<StringRef> &known = pieces[token];
    if (known && *known != piece)
      return createStringError(formatv("'{0}' and '{1}' both have the number "
                                       "{2}",
                                       std::min(*known, piece),
                                       std::max(*known, piece), token));
    known = piece;
    return llvm::Error::success();
  };
  for (const auto &piece : pairs.pieces())
    if (llvm::Error error = name(piece.getKey(), piece.getValue()))
      return error;
  for (const AddedToken &token : added) {
    auto known = pairs.pieces().find(token.content);
    if (known != pairs.pieces().end() && known->second != token.number)
      return createStringError(
          formatv("'{0}' has the number {1} in added_tokens, but {2} in "
                  "'vocab' of model",
                  token.content, token.number, known->second));
    if (llvm::Error error = name(token.content, token.number))
      return error;
    if (token.isSpecial)
      specials.insert(token.number);
  }
  texts.resize(pieces.size());
  for (const auto &[token, piece] : llvm::enumerate(pieces))
    if (piece && !specials.contains(token))
      if (llvm::Error error = decoder.decode(*piece).moveInto(texts[token]))
        return error;
  for (const auto *side : {&marks.before, &marks.behind})
    for (int32_t mark : *side)
      if (mark >= size())
        return createStringError(
            formatv("the post_processor adds token {0}, but there are only {1}",
                    mark, size()));
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<Tokenizer>>
HuggingFaceTokenizer::parse(const JSONPart &file) {
  auto normalizer = Normalizer::parse(file.find("normalizer"));
  if (!normalizer)
    return normalizer.takeError();
  auto preTokenizer = PreTokenizer::parse(file.find("pre_tokenizer"));
  if (!preTokenizer)
    return preTokenizer.takeError();
  if (!file.find("model"))
    return file.refuse("model", "an object");
  llvm::Expected<JSONPart> model = JSONPart::get(*file.find("model"), "model");
  if (!model)
    return model.takeError();
  auto pairs = BytePairs::parse(*model, preTokenizer->isByteLevel());
  if (!pairs)
    return pairs.takeError();
  auto added = parseAddedTokens(file.find("added_tokens"));
  if (!added)
    return added.takeError();
  auto decoder = PieceDecoder::parse(file.find("decoder"));
  if (!decoder)
    return decoder.takeError();
  std::vector<AddedToken> inTexts = *added;
  for (AddedToken &token : inTexts)
    if (token.isNormalized)
      if (llvm::Error error =
              normalizer->apply(token.content).moveInto(token.content))
        return error;
  std::unique_ptr<HuggingFaceTokenizer> tokenizer(
      new HuggingFaceTokenizer(std::move(*normalizer), std::move(*preTokenizer),
                               std::move(*pairs), inTexts));
  tokenizer->stripsBlank = decoder->stripsBlank();
  if (llvm::Error error =
          forEachStep(file.find("post_processor"), "post_processor",
                      "processors", [&](const JSONPart &part) {
                        return addMarks(part, tokenizer->marks);
                      }))
    return error;
  if (llvm::Error error = tokenizer->nameTokens(*decoder, *added))
    return error;
  return tokenizer;
}

llvm::Error
HuggingFaceTokenizer::encodeText(StringRef text, bool isFirst,
                                 std::vector<int32_t> &tokens) const {
  llvm::Expected<std::string> changed = normalizer.apply(text);
  if (!changed)
    return changed.takeError();
  return normalized.split(
      *changed,
      [&](StringRef part) {
        return preTokenizer.split(
            part, isFirst && part.begin() == changed->data(),
            [&](StringRef word) { pairs.encode(word, tokens); });
      },
      [&](int32_t token) { tokens.push_back(token); });
}

llvm::Expected<std::vector<int32_t>>
HuggingFaceTokenizer::encode(StringRef text) const {
  std::vector<int32_t> tokens = marks.before;
  if (llvm::Error error = original.split(
          text,
          [&](StringRef part) {
            return encodeText(part, part.begin() == text.begin(), tokens);
          },
          [&](int32_t token) { tokens.push_back(token); }))
    return error;
  tokens.insert(tokens.end(), marks.behind.begin(), marks.behind.end());
  return tokens;
}

llvm::Expected<std::unique_ptr<Tokenizer>>
mlir::trn::parseHuggingFaceTokenizer(StringRef text) {
  llvm::Expected<json::Value> value = parseJSON(text);
  if (!value)
    return value.takeError();
  llvm::Expected<JSONPart> file = JSONPart::get(*value, "tokenizer.json");
  if (!file)
    return file.takeError();
  return HuggingFaceTokenizer::parse(*file);
}
