//===- CompileFlags.cpp - Options of the compiler as text -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Pipelines/CompileFlags.h"

#include "trn/Pipelines/Pipelines.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// What one option of the compiler takes.
struct FlagFacts {
  enum class Kind { Text, Number, Switch, Choice };
  StringRef key;
  Kind kind;
  /// Of a `Choice`.
  SmallVector<std::string> choices;
};
} // namespace

template <typename T>
static FlagFacts describe(mlir::detail::PassOptions::Option<T> &option) {
  FlagFacts facts{option.ArgStr, FlagFacts::Kind::Choice, {}};
  if constexpr (std::is_same_v<T, std::string>) {
    facts.kind = FlagFacts::Kind::Text;
  } else if constexpr (std::is_same_v<T, bool>) {
    facts.kind = FlagFacts::Kind::Switch;
    facts.choices = {"true", "false"};
  } else if constexpr (std::is_integral_v<T>) {
    facts.kind = FlagFacts::Kind::Number;
  } else {
    for (unsigned i = 0; i != option.getParser().getNumOptions(); ++i)
      facts.choices.push_back(option.getParser().getOption(i).str());
  }
  return facts;
}

static ArrayRef<FlagFacts> compileFlags() {
  // The names and choices are literals, which outlive the options.
  static const std::vector<FlagFacts> flags = [] {
    CompileOptions all;
    return std::vector<FlagFacts>{
        describe(all.machine),      describe(all.specialize),
        describe(all.partition),    describe(all.lnc),
        describe(all.scheme),       describe(all.strategy),
        describe(all.strategyFor),  describe(all.transpose),
        describe(all.outputLayout), describe(all.allowRounding),
        describe(all.dropMaxima),   describe(all.blockM),
        describe(all.blockK),       describe(all.blockR),
        describe(all.blockN),       describe(all.blocks),
        describe(all.keep),         describe(all.effort),
        describe(all.planCache)};
  }();
  return flags;
}

bool mlir::trn::isCompileFlag(StringRef key) {
  return llvm::any_of(compileFlags(),
                      [&](const FlagFacts &flag) { return flag.key == key; });
}

std::string mlir::trn::listCompileFlags() {
  return llvm::join(
      llvm::map_range(compileFlags(),
                      [](const FlagFacts &flag) { return flag.key; }),
      ", ");
}

llvm::Error mlir::trn::checkCompileFlag(StringRef key,
                                        std::optional<StringRef> value) {
  const FlagFacts *flag = llvm::find_if(
      compileFlags(), [&](const FlagFacts &flag) { return flag.key == key; });
  std::string withDashes = llvm::join(llvm::split(key, '_'), "-");
  if (flag == compileFlags().end() && isCompileFlag(withDashes))
    return llvm::createStringError(
        llvm::formatv("there is no option '{0}', but {1}: options have dashes, "
                      "no underscores",
                      key, withDashes));
  if (flag == compileFlags().end())
    return llvm::createStringError(llvm::formatv(
        "there is no option '{0}'; known are {1}", key, listCompileFlags()));
  if (!value || value->empty()) {
    // A switch that is named is on.
    if (!value && flag->kind == FlagFacts::Kind::Switch)
      return llvm::Error::success();
    return llvm::createStringError(llvm::formatv("{0} has no value", key));
  }
  int64_t number;
  if (flag->kind == FlagFacts::Kind::Number && value->getAsInteger(10, number))
    return llvm::createStringError(
        llvm::formatv("{0} is '{1}', but must be a whole number", key, *value));
  if (!flag->choices.empty() && !llvm::is_contained(flag->choices, *value))
    return llvm::createStringError(
        llvm::formatv("{0} is '{1}', but must be one of {2}", key, *value,
                      llvm::join(flag->choices, ", ")));
  return llvm::Error::success();
}

SmallVector<CompileFlag> mlir::trn::splitCompileFlags(StringRef text) {
  SmallVector<CompileFlag> flags;
  for (text = text.ltrim(); !text.empty(); text = text.ltrim()) {
    char quote = 0;
    size_t end = 0;
    for (; end != text.size() && (quote || !llvm::isSpace(text[end])); ++end) {
      if (quote)
        quote = text[end] == quote ? 0 : quote;
      else if (text[end] == '"' || text[end] == '\'')
        quote = text[end];
    }
    CompileFlag flag{{}, std::nullopt, text.take_front(end)};
    StringRef value;
    std::tie(flag.key, value) = flag.text.split('=');
    for (StringRef mark : {"\"", "'"})
      if (value.size() > 1 && value.starts_with(mark) && value.ends_with(mark))
        value = value.drop_front().drop_back();
    if (flag.text.contains('='))
      flag.value = value;
    flags.push_back(flag);
    text = text.drop_front(end);
  }
  return flags;
}

llvm::Error mlir::trn::parseCompileOptions(StringRef text,
                                           CompileOptions &options) {
  llvm::StringSet<> seen;
  for (const CompileFlag &flag : splitCompileFlags(text)) {
    if (llvm::Error problem = checkCompileFlag(flag.key, flag.value))
      return problem;
    if (!seen.insert(flag.key).second)
      return llvm::createStringError(flag.key + " is given twice");
  }
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(options.parseFromString(text, os)))
    return llvm::createStringError(StringRef(message).trim());
  return llvm::Error::success();
}
