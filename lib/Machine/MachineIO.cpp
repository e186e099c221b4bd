//===- MachineIO.cpp - Machines as JSON -----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/MachineIO.h"

#include "MachineError.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "trn/Support/Suggestion.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <cmath>

using namespace mlir::trn;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

static Error unknownKey(StringRef key, StringRef where) {
  return machineError(
      where, "unknown key '{0}'{1}", key,
      suggest(key,
              llvm::map_range(machineFields(), [](const MachineField &field) {
                return field.key;
              })));
}

static Error unknownMachine(StringRef name, StringRef where) {
  std::string known;
  for (const Machine &machine : knownMachines())
    known += (known.empty() ? "" : ", ") + machine.name;
  return machineError(where,
                      "unknown machine '{0}'; known are {1}, or give the path "
                      "of a JSON file that ends in .json",
                      name, known);
}

/// The number that `value` gives to `field`.
static Expected<double> readNumber(const MachineField &field,
                                   const llvm::json::Value &value,
                                   StringRef where) {
  if (field.isBool()) {
    if (std::optional<bool> flag = value.getAsBoolean())
      return *flag;
    return machineError(where, "'{0}' is {1}, but must be true or false",
                        field.key, value);
  }
  std::optional<double> number = value.getAsNumber();
  if (!number || !std::isfinite(*number) ||
      (field.isInteger() && std::trunc(*number) != *number))
    return machineError(where, "'{0}' is {1}, but must be {2}", field.key,
                        value,
                        field.isInteger() ? "a whole number" : "a number");
  // Before it is stored, which must be possible.
  if (Error err = verifyRange(field, *number, where))
    return err;
  return *number;
}

/// Text at `key` of a constant written as an object; empty when absent.
static Expected<std::string> readText(const MachineField &field,
                                      const llvm::json::Object &object,
                                      StringRef key, StringRef where) {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return std::string();
  if (std::optional<StringRef> text = value->getAsString())
    return text->str();
  return machineError(where, "'{0}' of '{1}' is {2}, but must be text", key,
                      field.key, *value);
}

/// `range` of a constant written as an object: `[lowest, highest]`.
static Error readRange(const MachineField &field,
                       const llvm::json::Object &object, StringRef where,
                       double number, Origin &origin) {
  const llvm::json::Value *value = object.get("range");
  if (!value)
    return Error::success();
  if (!field.isCost())
    return machineError(
        where, "'{0}' has a 'range', but only times and rates may", field.key);
  const llvm::json::Array *ends = value->getAsArray();
  if (!ends || ends->size() != 2)
    return machineError(
        where,
        "'range' of '{0}' is {1}, but must be the lowest and the highest "
        "value: [low, high]",
        field.key, *value);
  double low = 0, high = 0;
  if (Error err = readNumber(field, ends->front(), where).moveInto(low))
    return err;
  if (Error err = readNumber(field, ends->back(), where).moveInto(high))
    return err;
  if (low > number || number > high)
    return machineError(where, "'{0}' is {1}, but its 'range' is {2} to {3}",
                        field.key, formatNumber(number), formatNumber(low),
                        formatNumber(high));
  origin.range = {low, high};
  return Error::success();
}

/// Reads `{"value": ..., "unit": ..., "range": ..., "kind": ..., "source":
/// ...}`.
static Error readObject(const MachineField &field,
                        const llvm::json::Object &object, StringRef where,
                        double &number, Origin &origin) {
  for (const auto &[key, value] : object)
    if (StringRef name = key; name != "value" && name != "unit" &&
                              name != "range" && name != "kind" &&
                              name != "source")
      return machineError(
          where,
          "unknown key '{0}' in '{1}'; known are value, unit, range, kind "
          "and source",
          name, field.key);
  const llvm::json::Value *value = object.get("value");
  if (!value)
    return machineError(where, "'{0}' has no 'value'", field.key);
  if (Error err = readNumber(field, *value, where).moveInto(number))
    return err;
  if (Error err = readRange(field, object, where, number, origin))
    return err;

  std::string unit, kind, source;
  if (Error err = readText(field, object, "unit", where).moveInto(unit))
    return err;
  if (Error err = readText(field, object, "kind", where).moveInto(kind))
    return err;
  if (Error err = readText(field, object, "source", where).moveInto(source))
    return err;
  if (object.get("unit") && unit != field.unit)
    return machineError(where, "'{0}' is given in '{1}', but its unit is '{2}'",
                        field.key, unit, field.unit);
  if (object.get("kind")) {
    std::optional<FactKind> parsed = parseFactKind(kind);
    if (!parsed)
      return machineError(
          where,
          "'kind' of '{0}' is '{1}', but must be legality, published, "
          "fitted or assumed",
          field.key, kind);
    origin.kind = *parsed;
  }
  if (!source.empty())
    origin.source = source;
  return Error::success();
}

Error mlir::trn::applyOverrides(Machine &machine,
                                const llvm::json::Object &overrides,
                                StringRef where) {
  machine.origins.resize(machineFields().size());
  // In a fixed order, so that the first error is always the same.
  llvm::SmallVector<StringRef> keys;
  for (const auto &override : overrides)
    keys.push_back(override.first);
  llvm::sort(keys);
  for (StringRef key : keys) {
    std::optional<size_t> index = findMachineField(key);
    if (!index)
      return unknownKey(key, where);
    const llvm::json::Value &value = *overrides.get(key);
    const MachineField &field = machineFields()[*index];
    // A limit stays a limit; what was published is now somebody's assumption.
    Origin origin = machine.origins[*index];
    if (origin.kind != FactKind::Legality)
      origin.kind = FactKind::Assumed;
    origin.source = where.str();
    origin.range.reset();

    double number = 0;
    if (const llvm::json::Object *object = value.getAsObject()) {
      if (Error err = readObject(field, *object, where, number, origin))
        return err;
    } else if (Error err = readNumber(field, value, where).moveInto(number)) {
      return err;
    }
    field.set(machine, number);
    machine.origins[*index] = origin;
  }
  return verifyMachine(machine, where);
}

/// The machine that the file starts from, with the file's name for it.
static Expected<Machine> readBase(llvm::json::Object &object, StringRef where) {
  Machine machine;
  if (const llvm::json::Value *base = object.get("base")) {
    std::optional<StringRef> name = base->getAsString();
    if (!name)
      return machineError(
          where, "'base' is {0}, but must be the name of a machine", *base);
    const Machine *known = findKnownMachine(*name);
    if (!known)
      return unknownMachine(*name, where);
    machine = *known;
  } else {
    for (const MachineField &field : machineFields())
      if (!field.optional && !object.get(field.key))
        return machineError(
            where,
            "'{0}' is missing; give every constant, or name the "
            "machine to start from as \"base\": \"{1}\"",
            field.key, defaultMachine().name);
  }
  if (const llvm::json::Value *value = object.get("name")) {
    std::optional<StringRef> name = value->getAsString();
    if (!name || name->empty())
      return machineError(where, "'name' is {0}, but must be a name", *value);
    machine.name = name->str();
  } else {
    machine.name = llvm::sys::path::stem(where).str();
  }
  object.erase("base");
  object.erase("name");
  return machine;
}

Expected<Machine> mlir::trn::parseMachine(StringRef text, StringRef where) {
  Expected<llvm::json::Value> value = parseJSON(text);
  if (!value)
    return machineError(where, "not JSON: {0}",
                        llvm::toString(value.takeError()));
  llvm::json::Object *object = value->getAsObject();
  if (!object)
    return machineError(where,
                        "a machine is an object of constants, such as "
                        "{{\"base\": \"trn1\", \"sbuf_partition_bytes\": "
                        "393216}");
  Expected<Machine> machine = readBase(*object, where);
  if (!machine)
    return machine;
  if (Error err = applyOverrides(*machine, *object, where))
    return err;
  return machine;
}

Expected<Machine> mlir::trn::loadMachine(StringRef nameOrPath) {
  if (const Machine *known = findKnownMachine(nameOrPath))
    return *known;
  bool looksLikePath = nameOrPath.contains('/') ||
                       nameOrPath.ends_with(".json") ||
                       llvm::sys::fs::exists(nameOrPath);
  if (!looksLikePath)
    return unknownMachine(nameOrPath, "machine");
  auto buffer = readInputFile(nameOrPath, /*isText=*/true);
  if (!buffer)
    return machineError(nameOrPath, "cannot read the machine: {0}",
                        llvm::toString(buffer.takeError()));
  return parseMachine((*buffer)->getBuffer(), nameOrPath);
}

void mlir::trn::printMachine(const Machine &machine, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  json.objectBegin();
  json.attribute("name", machine.name);
  for (auto [field, origin] : llvm::zip(machineFields(), machine.origins)) {
    if (origin.source.empty())
      continue;
    json.attributeBegin(field.key);
    json.objectBegin();
    double value = field.get(machine);
    json.attributeBegin("value");
    json.rawValue(field.isBool() ? (value != 0 ? "true" : "false")
                                 : formatNumber(value));
    json.attributeEnd();
    json.attribute("unit", field.unit);
    if (origin.range) {
      json.attributeBegin("range");
      json.rawValue("[" + formatNumber(origin.range->first) + ", " +
                    formatNumber(origin.range->second) + "]");
      json.attributeEnd();
    }
    json.attribute("kind", stringify(origin.kind));
    json.attribute("source", origin.source);
    json.objectEnd();
    json.attributeEnd();
  }
  json.objectEnd();
  os << '\n';
}
