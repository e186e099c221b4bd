//===- MutatedTokenizerTest.cpp - Open tokenizers that are damaged --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A tokenizer.json with changed bytes and values is refused with a word, or
// makes tokens of texts and texts of tokens; that this neither crashes nor
// takes long nor needs much memory is what is tested. TRN_MUTANTS says how
// many.

#include "../Support/Mutator.h"
#include "trn/Tokenize/Tokenizer.h"

#include "gtest/gtest.h"
#include <chrono>
#include <sys/resource.h>

using namespace mlir::trn;

namespace {

// All parts that are read, with few pieces, so that most changes are of parts.
constexpr const char *bytes = R"json({
 "version": "1.0", "truncation": null, "padding": null,
 "added_tokens": [
  {"id": 20, "content": "<|begin|>", "single_word": false, "lstrip": false,
   "rstrip": true, "normalized": false, "special": true},
  {"id": 21, "content": "<tool>", "single_word": false, "lstrip": true,
   "rstrip": false, "normalized": true, "special": false}],
 "normalizer": {"type": "Sequence", "normalizers": [{"type": "NFC"}]},
 "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
  {"type": "Digits", "individual_digits": true},
  {"type": "Split", "pattern": {"String": "\n"}, "behavior": "MergedWithNext",
   "invert": false},
  {"type": "Split", "pattern": {"Regex":
   "(?i:'s|'t)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}]++[\\r\\n]*|\\s+(?!\\S)|\\s+"},
   "behavior": "Isolated", "invert": false},
  {"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true,
   "use_regex": true}]},
 "post_processor": {"type": "Sequence", "processors": [
  {"type": "ByteLevel", "add_prefix_space": true},
  {"type": "TemplateProcessing", "single": [
    {"SpecialToken": {"id": "<|begin|>", "type_id": 0}},
    {"Sequence": {"id": "A", "type_id": 0}}],
   "special_tokens": {"<|begin|>": {"id": "<|begin|>", "ids": [20],
                                    "tokens": ["<|begin|>"]}}}]},
 "decoder": {"type": "ByteLevel", "add_prefix_space": true},
 "model": {"type": "BPE", "dropout": null, "unk_token": "a",
  "continuing_subword_prefix": null, "end_of_word_suffix": "",
  "fuse_unk": false, "byte_fallback": false, "ignore_merges": true,
  "vocab": {"a": 0, "b": 1, "\u0120": 2, "s": 3, "'": 4, "\u0120a": 5, "ab": 6,
            "'s": 7, "aba": 8, "1": 9, "\u010a": 10, "\u00c3": 11},
  "merges": ["\u0120 a", "a b", ["'", "s"], "ab a"]}
})json";

constexpr const char *characters = R"json({
 "added_tokens": [
  {"id": 1, "content": "<s>", "single_word": false, "lstrip": false,
   "rstrip": false, "normalized": true, "special": true}],
 "normalizer": {"type": "Sequence", "normalizers": [
  {"type": "Prepend", "prepend": "\u2581"},
  {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}]},
 "pre_tokenizer": {"type": "Metaspace", "replacement": "\u2581",
                   "prepend_scheme": "first", "split": true},
 "post_processor": {"type": "TemplateProcessing", "single": [
    {"SpecialToken": {"id": "<s>", "type_id": 0}},
    {"Sequence": {"id": "A", "type_id": 0}}],
   "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}},
 "decoder": {"type": "Sequence", "decoders": [
  {"type": "Replace", "pattern": {"String": "\u2581"}, "content": " "},
  {"type": "ByteFallback"}, {"type": "Fuse"},
  {"type": "Strip", "content": " ", "start": 1, "stop": 0}]},
 "model": {"type": "BPE", "dropout": null, "unk_token": "<unk>",
  "fuse_unk": true, "byte_fallback": true, "ignore_merges": false,
  "vocab": {"<unk>": 0, "<s>": 1, "\u2581": 2, "a": 3, "b": 4, "\u2581a": 5,
            "ab": 6, "<0x0A>": 7, "\u00e9": 8},
  "merges": ["\u2581 a", "a b"]}
})json";

/// Everything that a tokenizer does.
llvm::Error useTokenizer(llvm::StringRef json) {
  auto tokenizer = parseHuggingFaceTokenizer(json);
  if (!tokenizer)
    return tokenizer.takeError();
  for (const char *text :
       {"", "a", "aba ab's\n\n  b12345 <tool> a<|begin|>  b <s>",
        "\u00e9e\u0301\xFF\xE2\x98 \u4e2d\U0001F600\t \r\n"}) {
    auto tokens = (*tokenizer)->encode(text);
    if (!tokens)
      return tokens.takeError();
    TokenDecoder decoder(**tokenizer);
    for (int32_t token : *tokens) {
      EXPECT_LT(token, (*tokenizer)->size());
      decoder.decode(token);
    }
  }
  return llvm::Error::success();
}

void run(llvm::StringRef whole) {
  llvm::cantFail(useTokenizer(whole));
  const size_t count = countMutants(10000);
  size_t refused = 0;
  for (size_t number = 0; number < count; ++number) {
    std::string json = Mutator(number).mutate(whole.str(), whole.size());
    auto start = std::chrono::steady_clock::now();
    llvm::Error error = useTokenizer(json);
    std::chrono::duration<double> taken =
        std::chrono::steady_clock::now() - start;
    ASSERT_LT(taken.count(), 10) << "mutant " << number;
    if (!error)
      continue;
    ++refused;
    ASSERT_FALSE(llvm::toString(std::move(error)).empty());
  }
  EXPECT_GT(refused, count / 4);
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 1 << 20) << "kilobytes";
}

} // namespace

TEST(MutatedTokenizer, OfBytes) { run(bytes); }

TEST(MutatedTokenizer, OfCharacters) { run(characters); }
