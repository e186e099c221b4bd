//===- SweepSpec.cpp - What a sweep varies, as text -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepSpec.h"

#include "CompileFlags.h"
#include "trn/Machine/MachineFields.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

/// All reports are kept until the last point is done.
static constexpr size_t maxPoints = 100000;

template <typename... Args>
static llvm::Error sweepError(const char *format, Args &&...args) {
  return llvm::createStringError(
      "sweep: " + llvm::formatv(format, std::forward<Args>(args)...).str());
}

StringRef mlir::trn::getMachineField(StringRef key) {
  return key.consume_front("machine.") ? key : StringRef();
}

static llvm::Error checkKey(StringRef key) {
  if (key == "rows" || isCompileFlag(key))
    return llvm::Error::success();
  if (!key.starts_with("machine."))
    return sweepError("there is no key '{0}'; known are {1}, rows, and "
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
  if (key != "rows") {
    if (llvm::Error problem = checkCompileFlag(key, value))
      return sweepError("{0}", llvm::toString(std::move(problem)));
    return llvm::Error::success();
  }
  int64_t rows;
  if (value.getAsInteger(10, rows) || rows <= 0)
    return sweepError("rows is '{0}', but must be a positive whole number",
                      value);
  return llvm::Error::success();
}

/// Reads `key=value,value`.
static llvm::Expected<SweepKey> parseKey(StringRef text) {
  auto [name, list] = text.split('=');
  SweepKey key{name.trim().str(), {}};
  if (llvm::Error problem = checkKey(key.name))
    return std::move(problem);
  if (list.trim().empty())
    return sweepError("{0} has no values; write {0}=VALUE,VALUE", key.name);
  SmallVector<StringRef> values;
  list.split(values, ',');
  for (auto [index, value] : llvm::enumerate(values)) {
    value = value.trim();
    if (value.empty())
      return sweepError("value {0} of {1} is empty", index + 1, key.name);
    if (llvm::Error problem = checkValue(key.name, value))
      return std::move(problem);
    if (llvm::is_contained(key.values, value))
      return sweepError("{0} has the value {1} twice", key.name, value);
    key.values.push_back(value.str());
  }
  return key;
}

llvm::Expected<std::vector<SweepKey>> mlir::trn::parseSweep(StringRef text) {
  std::vector<SweepKey> keys;
  SmallVector<StringRef> parts;
  text.split(parts, ';');
  for (StringRef part : parts) {
    if (part.trim().empty())
      continue;
    llvm::Expected<SweepKey> key = parseKey(part);
    if (!key)
      return key.takeError();
    if (llvm::any_of(keys, [&](const SweepKey &other) {
          return other.name == key->name;
        }))
      return sweepError("{0} is given twice; write all its values in one list",
                        key->name);
    keys.push_back(std::move(*key));
  }
  if (keys.empty())
    return sweepError("there is nothing to vary; write for example "
                      "\"strategy=strip-cache,sequential; block-m=256,512\"");
  size_t points = 1;
  for (const SweepKey &key : keys)
    if ((points *= key.values.size()) > maxPoints)
      return sweepError("there are more than {0} combinations, the most that "
                        "one sweep times; leave out values",
                        maxPoints);
  return keys;
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
