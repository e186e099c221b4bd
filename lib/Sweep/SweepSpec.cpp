//===- SweepSpec.cpp - What a sweep varies, as text -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepSpec.h"

#include "ResizeDim.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Pipelines/CompileFlags.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

template <typename... Args>
static llvm::Error sweepError(const char *format, Args &&...args) {
  return llvm::createStringError(
      "sweep: " + llvm::formatv(format, std::forward<Args>(args)...).str());
}

static llvm::Error tooManyPoints(uint64_t count, uint64_t maxPoints) {
  return sweepError("{0} points are more than the {1} that are timed; leave "
                    "out values, or raise the limit with --max-points",
                    count, maxPoints);
}

StringRef mlir::trn::getMachineField(StringRef key) {
  return key.consume_front("machine.") ? key : StringRef();
}

static llvm::Error checkKey(StringRef key) {
  if (isDimName(key) || isCompileFlag(key))
    return llvm::Error::success();
  if (!key.starts_with("machine."))
    return sweepError(
        "there is no key '{0}'; known are {1}, m or rows, k, r, n, and "
        "machine.FIELD for the constants of a machine",
        key, listCompileFlags());
  StringRef field = getMachineField(key);
  if (findMachineField(field))
    return llvm::Error::success();
  auto keys = llvm::map_range(
      machineFields(), [](const MachineField &known) { return known.key; });
  return sweepError("a machine has no constant '{0}'; known are {1}", field,
                    llvm::join(keys, ", "));
}

llvm::Expected<llvm::json::Value>
mlir::trn::parseMachineConstant(StringRef field, StringRef text) {
  const MachineField &facts = machineFields()[*findMachineField(field)];
  if (facts.isBool()) {
    if (text == "true" || text == "false")
      return text == "true";
    return sweepError("machine.{0} is '{1}', but must be true or false", field,
                      text);
  }
  int64_t whole;
  if (!text.getAsInteger(10, whole))
    return whole;
  double number;
  if (!facts.isInteger() && !text.getAsDouble(number) && std::isfinite(number))
    return number;
  return sweepError("machine.{0} is '{1}', but must be a {2}number", field,
                    text, facts.isInteger() ? "whole " : "");
}

static llvm::Error checkValue(StringRef key, StringRef value) {
  if (StringRef field = getMachineField(key); !field.empty())
    return parseMachineConstant(field, value).takeError();
  if (!isDimName(key)) {
    if (llvm::Error problem = checkCompileFlag(key, value))
      return sweepError("{0}", llvm::toString(std::move(problem)));
    return llvm::Error::success();
  }
  int64_t size;
  if (value.getAsInteger(10, size) || size <= 0)
    return sweepError("{0} is '{1}', but must be a positive whole number", key,
                      value);
  return llvm::Error::success();
}

/// The values of `from:to:*factor` or `from:to:+step`; `text` itself if it is
/// no range.
static llvm::Expected<std::vector<std::string>>
expandRange(StringRef key, StringRef text, uint64_t maxPoints) {
  if (!text.contains(':'))
    return std::vector<std::string>{text.str()};
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  int64_t from = 0, to = 0, by = 0;
  bool isFactor = parts.size() == 3 && parts[2].consume_front("*");
  bool isStep = parts.size() == 3 && !isFactor && parts[2].consume_front("+");
  if ((!isFactor && !isStep) || parts[0].getAsInteger(10, from) ||
      parts[1].getAsInteger(10, to) || parts[2].getAsInteger(10, by))
    return sweepError("'{0}' of {1} is no range; write FROM:TO:*FACTOR or "
                      "FROM:TO:+STEP with whole numbers",
                      text, key);
  if (from < 1 || to < from || by < (isFactor ? 2 : 1))
    return sweepError("'{0}' of {1} has no end: FROM must be at least 1, TO at "
                      "least FROM, a factor at least 2 and a step at least 1",
                      text, key);
  // A factor gives few.
  uint64_t count = isStep ? uint64_t(to - from) / by + 1 : 0;
  if (count > maxPoints)
    return tooManyPoints(count, maxPoints);
  std::vector<std::string> values;
  for (int64_t value = from; value <= to;) {
    values.push_back(std::to_string(value));
    if (isFactor ? llvm::MulOverflow(value, by, value)
                 : llvm::AddOverflow(value, by, value))
      break;
  }
  return values;
}

/// Reads `key=value,value`.
static llvm::Expected<SweepKey> parseKey(StringRef text, uint64_t maxPoints) {
  auto [name, list] = text.split('=');
  SweepKey key{name.trim().str(), {}};
  if (llvm::Error problem = checkKey(key.name))
    return std::move(problem);
  if (list.trim().empty())
    return sweepError("{0} has no values; write {0}=VALUE,VALUE", key.name);
  SmallVector<StringRef> values;
  list.split(values, ',');
  llvm::StringSet<> known;
  for (auto [index, value] : llvm::enumerate(values)) {
    value = value.trim();
    if (value.empty())
      return sweepError("value {0} of {1} is empty", index + 1, key.name);
    // Paths of machines have colons, too.
    llvm::Expected<std::vector<std::string>> expanded =
        key.name == "machine" ? std::vector<std::string>{value.str()}
                              : expandRange(key.name, value, maxPoints);
    if (!expanded)
      return expanded.takeError();
    for (std::string &each : *expanded) {
      if (llvm::Error problem = checkValue(key.name, each))
        return std::move(problem);
      if (!known.insert(each).second)
        return sweepError("{0} has the value {1} twice", key.name, each);
      key.values.push_back(std::move(each));
    }
  }
  return key;
}

/// What a sweep sets by a key: the rows have two names.
static StringRef whatIsSet(const SweepKey &key) {
  return key.name == "rows" ? StringRef("m") : StringRef(key.name);
}

llvm::Expected<std::vector<SweepKey>>
mlir::trn::parseSweep(StringRef text, uint64_t maxPoints) {
  std::vector<SweepKey> keys;
  SmallVector<StringRef> parts;
  text.split(parts, ';');
  for (StringRef part : parts) {
    if (part.trim().empty())
      continue;
    llvm::Expected<SweepKey> key = parseKey(part, maxPoints);
    if (!key)
      return key.takeError();
    for (const SweepKey &other : keys)
      if (whatIsSet(other) == whatIsSet(*key))
        return other.name == key->name
                   ? sweepError("{0} is given twice; write all its values in "
                                "one list",
                                key->name)
                   : sweepError("{0} and {1} are the same size; write all its "
                                "values in one list",
                                other.name, key->name);
    keys.push_back(std::move(*key));
  }
  if (keys.empty())
    return sweepError("there is nothing to vary; write for example "
                      "\"strategy=strip-cache,sequential; block-m=256,512\"");
  return keys;
}

llvm::Error mlir::trn::checkPoints(ArrayRef<SweepKey> keys, uint64_t files,
                                   uint64_t maxPoints) {
  uint64_t points = files;
  for (const SweepKey &key : keys)
    points = llvm::SaturatingMultiply<uint64_t>(points, key.values.size());
  return points > maxPoints ? tooManyPoints(points, maxPoints)
                            : llvm::Error::success();
}

std::vector<std::vector<SweepSetting>>
mlir::trn::enumeratePoints(ArrayRef<SweepKey> keys) {
  std::vector<std::vector<SweepSetting>> points(1);
  for (const SweepKey &key : keys) {
    std::vector<std::vector<SweepSetting>> longer;
    for (const std::vector<SweepSetting> &point : points)
      for (const std::string &value : key.values) {
        longer.push_back(point);
        longer.back().emplace_back(key.name, value);
      }
    points = std::move(longer);
  }
  return points;
}
