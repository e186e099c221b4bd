//===- CompareSweeps.cpp - Sweeps side by side ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/CompareSweeps.h"

#include "trn/Report/Keys.h"
#include "trn/Support/Escape.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace mlir::trn;
namespace json = llvm::json;

static llvm::Expected<json::Value> readJson(const std::string &file) {
  auto buffer = readInputFile(file, /*isText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '" + file +
                                   "': " + llvm::toString(buffer.takeError()));
  llvm::Expected<json::Value> value = parseJSON((*buffer)->getBuffer());
  if (!value)
    return llvm::createStringError(
        "'" + file + "' is not JSON: " + llvm::toString(value.takeError()));
  return value;
}

bool mlir::trn::areSweeps(llvm::ArrayRef<std::string> files) {
  if (files.empty())
    return false;
  llvm::Expected<json::Value> value = readJson(files.front());
  if (!value) {
    llvm::consumeError(value.takeError());
    return false;
  }
  const json::Object *object = value->getAsObject();
  return object && object->getArray("sweep");
}

namespace {
using Line = std::vector<std::string>;

/// All points of all sweeps: what is set, and a latency or nothing by sweep.
class Points {
public:
  explicit Points(size_t sweeps) : sweeps(sweeps) {}

  /// Whether `point` has the form of one.
  bool add(size_t sweep, const json::Value &point);
  std::vector<Line> print(llvm::ArrayRef<std::string> names) const;

private:
  struct Point {
    std::map<std::string, std::string> settings;
    std::vector<std::optional<double>> latencies;
  };

  size_t sweeps;
  /// The keys that are set, in the order in which they come.
  std::vector<std::string> keys;
  std::vector<Point> points;
};
} // namespace

bool Points::add(size_t sweep, const json::Value &value) {
  const json::Object *object = value.getAsObject();
  const json::Object *point = object ? object->getObject("point") : nullptr;
  if (!point)
    return false;
  std::map<std::string, std::string> settings;
  for (const auto &[key, setting] : *point) {
    settings[key.str()] = setting.getAsString().value_or("").str();
    if (!llvm::is_contained(keys, key.str()))
      keys.push_back(key.str());
  }
  auto known = llvm::find_if(
      points, [&](const Point &other) { return other.settings == settings; });
  if (known == points.end())
    known = points.insert(
        known, {settings, std::vector<std::optional<double>>(sweeps)});
  if (const json::Object *report = object->getObject("report"))
    known->latencies[sweep] = report->getNumber("latency_ms");
  return true;
}

std::vector<Line> Points::print(llvm::ArrayRef<std::string> names) const {
  std::vector<Line> lines(1);
  lines[0] = keys;
  for (auto [sweep, name] : llvm::enumerate(names)) {
    lines[0].push_back(name);
    if (sweep > 0)
      lines[0].push_back("speedup");
  }
  for (const auto &[settings, latencies] : points) {
    Line &line = lines.emplace_back();
    for (const std::string &key : keys) {
      auto it = settings.find(key);
      line.push_back(it == settings.end() ? "-" : it->second);
    }
    std::optional<double> first = latencies.front();
    for (auto [sweep, latency] : llvm::enumerate(latencies)) {
      line.push_back(latency ? formatValue(*latency) : "-");
      if (sweep > 0)
        line.push_back(latency && *latency > 0 && first
                           ? llvm::formatv("{0:F2}x", *first / *latency).str()
                           : "-");
    }
  }
  return lines;
}

llvm::Error mlir::trn::compareSweeps(llvm::ArrayRef<std::string> files,
                                     llvm::raw_ostream &os) {
  Points points(files.size());
  std::vector<std::string> names;
  for (auto [index, file] : llvm::enumerate(files)) {
    llvm::Expected<json::Value> value = readJson(file);
    if (!value)
      return value.takeError();
    const json::Object *object = value->getAsObject();
    const json::Array *sweep = object ? object->getArray("sweep") : nullptr;
    if (!sweep)
      return llvm::createStringError(
          "'" + file + "' is no sweep of trn-run, but the first file is one");
    for (const json::Value &point : *sweep)
      if (!points.add(index, point))
        return llvm::createStringError("'" + file +
                                       "' has a point without 'point'");
    names.push_back(llvm::sys::path::stem(file).str());
  }
  os << "latency_ms, modelled (simulated, not measured on hardware)\n";
  std::vector<Line> lines = points.print(names);
  for (Line &line : lines)
    for (std::string &cell : line)
      cell = escapeUnprintable(cell);
  std::vector<size_t> widths(lines[0].size(), 0);
  for (const Line &line : lines)
    for (auto [width, cell] : llvm::zip_equal(widths, line))
      width = std::max(width, cell.size());
  for (const Line &line : lines) {
    for (auto [width, cell] : llvm::zip_equal(widths, line))
      os << "  " << llvm::right_justify(cell, width);
    os << '\n';
  }
  return llvm::Error::success();
}
