//===- Words.cpp - The vocabulary of each version of NKI ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Target/NKI/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
/// The versions that have a word.
enum Versions : unsigned {
  Beta1 = 1u << unsigned(NKIVersion::Beta1),
  Only0_6 = 1u << unsigned(NKIVersion::V0_6),
  Since0_7 = 1u << unsigned(NKIVersion::V0_7),
  Since0_6 = Only0_6 | Since0_7,
  All = Beta1 | Since0_6,
};

struct FunctionWord {
  unsigned versions;
  StringLiteral module, name, signature, op;
};

struct ValueWord {
  unsigned versions;
  ValueKind kind;
  StringLiteral name, meaning;
};
} // namespace

static constexpr FunctionWord functions[] = {
#define OPERATION(versions, module, name, signature, op)                       \
  {versions, module, name, signature, op},
#include "IsaWords.def"
#define OPERATION(versions, module, name, signature, op)                       \
  {versions, module, name, signature, op},
#include "LanguageWords.def"
};

static constexpr ValueWord values[] = {
#define VALUE(versions, kind, name, meaning)                                   \
  {versions, ValueKind::kind, name, meaning},
#include "ValueWords.def"
};

static constexpr std::pair<NKIVersion, StringLiteral> versionNames[] = {
    {NKIVersion::Beta1, "beta1"},
    {NKIVersion::V0_6, "0.6"},
    {NKIVersion::V0_7, "0.7"}};

template <typename Word>
static bool isIn(const Word &word, NKIVersion version) {
  return word.versions >> unsigned(version) & 1;
}

StringRef nki::stringify(NKIVersion version) {
  return versionNames[unsigned(version)].second;
}

std::optional<NKIVersion> nki::parseVersion(StringRef name) {
  for (const auto &known : versionNames)
    if (known.second == name)
      return known.first;
  return std::nullopt;
}

StringRef nki::nameOf(ValueKind kind, StringRef meaning, NKIVersion version) {
  for (const ValueWord &value : values)
    if (value.kind == kind && value.meaning == meaning && isIn(value, version))
      return value.name;
  return "";
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

namespace {
struct Argument {
  StringRef name, value;
  bool isVariadic, isKeyword;
};
} // namespace

/// `a, b=(1, 2), *, c=None`: no default has a comma but between parentheses.
static SmallVector<Argument> parseSignature(StringRef signature) {
  SmallVector<Argument> arguments;
  bool isKeyword = false;
  while (!signature.empty()) {
    size_t end = 0;
    int depth = 0;
    for (; end < signature.size() && (depth || signature[end] != ','); ++end)
      depth += (signature[end] == '(') - (signature[end] == ')');
    StringRef one = signature.take_front(end).trim();
    signature = signature.drop_front(std::min(end + 1, signature.size()));
    if (one == "*") {
      isKeyword = true;
      continue;
    }
    auto [name, value] = one.split('=');
    arguments.push_back(
        {name.ltrim('*'), value, name.starts_with("*"), isKeyword});
  }
  return arguments;
}

bool nki::hasArgument(StringRef module, StringRef name, StringRef argument,
                      NKIVersion version) {
  for (const FunctionWord &one : functions)
    if (one.module == module && one.name == name && isIn(one, version))
      return llvm::any_of(
          parseSignature(one.signature),
          [&](const Argument &a) { return a.name == argument; });
  return false;
}

//===----------------------------------------------------------------------===//
// As JSON
//===----------------------------------------------------------------------===//

static void printArguments(llvm::json::OStream &json, StringRef signature) {
  for (const Argument &one : parseSignature(signature))
    json.object([&] {
      json.attribute("name", one.name);
      if (!one.value.empty())
        json.attribute("default", one.value);
      if (one.isVariadic)
        json.attribute("variadic", true);
      if (one.isKeyword)
        json.attribute("keyword", true);
    });
}

static void printOperations(llvm::json::OStream &json, NKIVersion version) {
  for (const FunctionWord &one : functions) {
    if (!isIn(one, version))
      continue;
    json.object([&] {
      json.attribute("module", one.module);
      json.attribute("name", one.name);
      json.attributeArray("arguments",
                          [&] { printArguments(json, one.signature); });
      if (!one.op.empty())
        json.attribute("op", one.op);
    });
  }
}

void nki::printWords(NKIVersion version, raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  auto forEach = [&](ValueKind kind,
                     function_ref<void(const ValueWord &)> print) {
    for (const ValueWord &value : values)
      if (value.kind == kind && isIn(value, version))
        print(value);
  };
  auto printMeanings = [&](StringRef name, ValueKind kind) {
    json.attributeObject(name, [&] {
      forEach(kind, [&](const ValueWord &value) {
        if (value.meaning.empty())
          json.attribute(value.name, nullptr);
        else
          json.attribute(value.name, value.meaning);
      });
    });
  };
  json.object([&] {
    json.attribute("version", stringify(version));
    json.attributeArray("operations", [&] { printOperations(json, version); });
    json.attributeObject("functions", [&] {
      auto print = [&](ValueKind kind, StringRef name) {
        forEach(kind, [&](const ValueWord &value) {
          json.attributeObject(value.name,
                               [&] { json.attribute(name, value.meaning); });
        });
      };
      print(ValueKind::Binary, "binary");
      print(ValueKind::Reduce, "reduce");
      print(ValueKind::Activation, "activation");
    });
    printMeanings("dtypes", ValueKind::Dtype);
    printMeanings("buffers", ValueKind::Buffer);
    printMeanings("engines", ValueKind::Engine);
    json.attributeArray("others", [&] {
      forEach(ValueKind::Other,
              [&](const ValueWord &value) { json.value(value.name); });
    });
  });
  os << "\n";
}
