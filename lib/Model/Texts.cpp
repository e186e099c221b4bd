//===- Texts.cpp - Texts as tokens ----------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Texts.h"

#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "trn/Support/NPY.h"
#include "trn/Support/Paths.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/Path.h"
#include <random>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Tokenizers
//===----------------------------------------------------------------------===//

/// What is called like a tokenizer in `folder`.
static std::vector<std::string> listTokenizers(StringRef folder) {
  for (const char *name : {"tokenizer.bin", "tokenizer.json"})
    if (std::string path = joinPath(folder, name); llvm::sys::fs::exists(path))
      return {path};
  std::vector<std::string> found;
  std::error_code error;
  llvm::sys::fs::directory_iterator at(folder, error), end;
  for (; !error && at != end; at.increment(error)) {
    StringRef name = llvm::sys::path::filename(at->path());
    if (name.starts_with("tok") && name.ends_with(".bin"))
      found.push_back(at->path());
  }
  return found;
}

std::vector<std::string> mlir::trn::findTokenizers(StringRef model) {
  llvm::SmallString<0> folder(model);
  if (!llvm::sys::fs::is_directory(model))
    llvm::sys::path::remove_filename(folder);
  if (folder.empty())
    folder = ".";
  return listTokenizers(folder);
}

llvm::Expected<std::unique_ptr<Tokenizer>>
mlir::trn::findTokenizer(StringRef path, StringRef model,
                         std::optional<int64_t> vocabulary) {
  std::string file = path.str();
  if (file.empty()) {
    std::vector<std::string> found = findTokenizers(model);
    if (found.size() != 1)
      return createStringError(formatv(
          "there {0} beside '{1}'; name the model's tokenizer.json or "
          "tokenizer.bin with --tokenizer=FILE, or give tokens as npy",
          found.empty() ? "is no tokenizer" : "are several tokenizers", model));
    file = found.front();
  }
  auto tokenizer = Tokenizer::open(file);
  if (tokenizer && vocabulary && !(*tokenizer)->fits(*vocabulary))
    return createStringError(
        formatv("'{0}' has {1} pieces, but the vocabulary of the model has "
                "{2}; name its own tokenizer with --tokenizer=FILE",
                file, (*tokenizer)->size(), *vocabulary));
  return tokenizer;
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

/// The numbers that are taken of `all`, in order.
static std::vector<size_t> choose(size_t all, const SequenceChoice &choice) {
  auto numbers = llvm::to_vector(llvm::seq<size_t>(all));
  size_t count = choice.count ? std::min<size_t>(choice.count, all) : all;
  if (choice.seed) {
    std::mt19937_64 random(*choice.seed);
    for (size_t i = 0; i < count; ++i)
      std::swap(numbers[i], numbers[i + random() % (all - i)]);
    std::sort(numbers.begin(), numbers.begin() + count);
  }
  return {numbers.begin(), numbers.begin() + count};
}

/// The integers of an npy file. `accepts` says of which shapes.
static llvm::Expected<HostTensor>
readIntegers(StringRef path, const char *wanted,
             llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> accepts) {
  auto buffer = readInputFile(path, /*isText=*/false);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<ArrayView> view = parseNPY((*buffer)->getBuffer());
  if (!view)
    return view.takeError();
  if (!view->type.isInteger() || !accepts(view->shape))
    return createStringError(formatv("it is {0} of {1}, but must be {2}",
                                     formatShape(view->shape),
                                     stringify(view->type), wanted));
  llvm::Expected<HostTensor> integers =
      HostTensor::create(HostType::integer(32), view->shape);
  if (!integers)
    return integers.takeError();
  if (llvm::Error error = integers->assign(*view))
    return error;
  return integers;
}

static const int32_t *valuesOf(const HostTensor &integers) {
  return static_cast<const int32_t *>(integers.data());
}

llvm::Expected<HostModel::Tokens> mlir::trn::readIds(StringRef path) {
  llvm::Expected<HostTensor> ids =
      readIntegers(path, "a vector of integers", [](auto shape) {
        return shape.size() == 1 || (shape.size() == 2 && shape[0] == 1);
      });
  if (!ids)
    return llvm::createFileError(path, ids.takeError());
  return HostModel::Tokens(valuesOf(*ids), valuesOf(*ids) + ids->numElements());
}

static llvm::Error readRows(StringRef path, const SequenceChoice &choice,
                            std::vector<HostModel::Tokens> &sequences) {
  llvm::Expected<HostTensor> tokens =
      readIntegers(path, "sequences by tokens of integers",
                   [](auto shape) { return shape.size() == 2; });
  if (!tokens)
    return tokens.takeError();
  const int64_t length = tokens->getShape()[1];
  for (size_t row : choose(tokens->getShape()[0], choice)) {
    const int32_t *begin = valuesOf(*tokens) + row * length;
    sequences.emplace_back(begin, begin + std::min(length, choice.maxTokens));
  }
  if (sequences.empty())
    return createStringError("it has no sequences");
  return llvm::Error::success();
}

llvm::Error
SequenceReader::tokenize(StringRef path, const SequenceChoice &choice,
                         std::vector<HostModel::Tokens> &sequences) {
  auto buffer = readInputFile(path, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  if (!tokenizer) {
    auto found = findTokenizer(tokenizerFile, model, vocabulary);
    if (!found)
      return found.takeError();
    tokenizer = std::move(*found);
  }
  std::vector<StringRef> stories = splitStories((*buffer)->getBuffer());
  for (size_t number : choose(stories.size(), choice)) {
    auto tokens = tokenizer->encode(stories[number]);
    if (!tokens)
      return llvm::createFileError(path, tokens.takeError());
    if (tokens->empty()) // of characters that the tokenizer leaves out
      continue;
    tokens->resize(std::min<int64_t>(tokens->size(), choice.maxTokens));
    sequences.push_back(std::move(*tokens));
  }
  if (sequences.empty())
    return createStringError(
        formatv("'{0}' has no stories, only white space", path));
  return llvm::Error::success();
}

llvm::Expected<std::vector<HostModel::Tokens>>
SequenceReader::read(StringRef path, const SequenceChoice &choice) {
  std::vector<HostModel::Tokens> sequences;
  if (path.ends_with(".npy")) {
    if (llvm::Error problem = readRows(path, choice, sequences))
      return llvm::createFileError(path, std::move(problem));
  } else if (llvm::Error problem = tokenize(path, choice, sequences)) {
    return problem;
  }
  return sequences;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

static bool readTokens(const llvm::json::Value *value,
                       HostModel::Tokens &tokens) {
  const llvm::json::Array *array = value ? value->getAsArray() : nullptr;
  if (!array)
    return false;
  for (const llvm::json::Value &token : *array) {
    std::optional<int64_t> number = token.getAsInteger();
    if (!number || int32_t(*number) != *number)
      return false;
    tokens.push_back(*number);
  }
  return !tokens.empty();
}

namespace {
/// Reads one line.
class ChoiceReader {
public:
  ChoiceReader(const llvm::json::Object &object, const Tokenizer *tokenizer)
      : object(object), tokenizer(tokenizer) {}

  /// Returns whether it is an item.
  llvm::Expected<bool> read(ChoiceItem &item) {
    std::optional<int64_t> answer = object.getInteger("answer");
    if (!answer)
      return false;
    llvm::Expected<bool> isItem =
        object.get("context") ? readTexts(item) : readIds(item);
    item.answer = *answer;
    if (isItem)
      *isItem &= item.answer >= 0 && item.answer < int64_t(item.choices.size());
    return isItem;
  }

private:
  bool readIds(ChoiceItem &item) {
    const llvm::json::Array *choices = object.getArray("choices_ids");
    if (!choices || !readTokens(object.get("context_ids"), item.context))
      return false;
    for (const llvm::json::Value &choice : *choices) {
      HostModel::Tokens &tokens = item.choices.emplace_back();
      if (!readTokens(&choice, tokens))
        return false;
      if (!tokenizer)
        continue;
      int64_t length = 0;
      for (int32_t token : tokens)
        length += tokenizer->pieceOf(token).size();
      item.lengths.push_back(std::max<int64_t>(1, length));
    }
    return true;
  }
  /// The tokens of a choice are those that it adds to the context's.
  llvm::Expected<bool> readTexts(ChoiceItem &item) {
    std::optional<StringRef> context = object.getString("context");
    const llvm::json::Array *choices = object.getArray("choices");
    if (!context || !choices)
      return false;
    if (!tokenizer)
      return createStringError(
          "texts need a tokenizer; there is none beside the "
          "model: name it with --tokenizer=FILE");
    if (llvm::Error error = tokenizer->encode(*context).moveInto(item.context))
      return error;
    for (const llvm::json::Value &choice : *choices) {
      std::optional<StringRef> text = choice.getAsString();
      if (!text || text->empty())
        return false;
      auto tokens = tokenizer->encode((*context + *text).str());
      if (!tokens)
        return tokens.takeError();
      if (tokens->empty())
        return false;
      size_t kept = std::min(item.context.size(), tokens->size() - 1);
      item.choices.emplace_back(tokens->begin() + kept, tokens->end());
      item.lengths.push_back(text->size());
    }
    return true;
  }

  const llvm::json::Object &object;
  const Tokenizer *tokenizer;
};
} // namespace

static llvm::Error readChoice(StringRef line, const Tokenizer *tokenizer,
                              ChoiceItem &item) {
  llvm::Expected<llvm::json::Value> json = parseJSON(line);
  if (!json)
    return json.takeError();
  const llvm::json::Object *object = json->getAsObject();
  llvm::Expected<bool> isItem =
      object ? ChoiceReader(*object, tokenizer).read(item) : false;
  if (!isItem || *isItem)
    return isItem.takeError();
  return createStringError(
      "this is no item: it must have 'context', 'choices' and 'answer', the "
      "number of one of them, or 'context_ids' and 'choices_ids' with tokens");
}

llvm::Expected<std::vector<ChoiceItem>>
mlir::trn::readChoices(StringRef path, const Tokenizer *tokenizer) {
  auto buffer = readInputFile(path, /*isText=*/true);
  if (!buffer)
    return llvm::createFileError(path, buffer.takeError());
  std::vector<ChoiceItem> items;
  for (llvm::line_iterator line(**buffer); !line.is_at_end(); ++line)
    if (llvm::Error error = readChoice(*line, tokenizer, items.emplace_back()))
      return createStringError(formatv("'{0}': line {1}: {2}", path,
                                       line.line_number(),
                                       llvm::toString(std::move(error))));
  if (items.empty())
    return createStringError(formatv("'{0}' has no items", path));
  return items;
}
