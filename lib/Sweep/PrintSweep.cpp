//===- PrintSweep.cpp - Sweeps as tables ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepPoint.h"

#include "ResizeDim.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Report/Keys.h"
#include "trn/Support/Escape.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>

using namespace mlir;
using namespace mlir::trn;

/// What a point computes, if that varies: less work is not better. Without
/// `choice` and the file it is what all do that may be chosen from.
static std::string workOf(const SweepPoint &point, StringRef choice = "") {
  std::string work;
  for (const auto &[key, value] : point.settings)
    if (isDimName(key) ? key != choice : key == fileKey && choice.empty())
      work += key + "=" + value + " ";
  return work;
}

/// The points with the least latency among those that compute the same.
static SmallVector<bool> findBest(ArrayRef<SweepPoint> points) {
  std::map<std::string, int64_t> least;
  for (const SweepPoint &point : points)
    if (point.report) {
      int64_t latency = point.report->total.sum.latency;
      auto [it, isNew] = least.try_emplace(workOf(point), latency);
      it->second = std::min(it->second, latency);
    }
  return llvm::map_to_vector(points, [&](const SweepPoint &point) {
    return point.report &&
           point.report->total.sum.latency == least[workOf(point)];
  });
}

//===----------------------------------------------------------------------===//
// For people
//===----------------------------------------------------------------------===//

using Row = SmallVector<std::string>;

static std::string valueOf(const Report &report, StringRef key) {
  return formatValue(findMetricKey(key)->value(report.total, report.machine));
}

static bool hasRange(const SweepPoint &point) {
  return point.report && point.report->total.latencyRange;
}

/// The columns of a table between the settings and the remarks.
static Row chooseColumns(ArrayRef<SweepPoint> points) {
  Row columns = {"latency_ms",  "speedup",          "latency_range_ms",
                 "bound_ms",    "mfu_percent",      "hbm_bytes",
                 "spill_bytes", "sbuf_live_percent"};
  if (llvm::none_of(points, hasRange))
    llvm::erase(columns, "latency_range_ms");
  return columns;
}

/// How many times faster each point is than the first one for as many rows and
/// columns; rank and file may differ.
static SmallVector<double> findSpeedups(ArrayRef<SweepPoint> points) {
  std::map<std::string, double> first;
  return llvm::map_to_vector(points, [&](const SweepPoint &point) {
    if (!point.report)
      return 0.0;
    double latency = point.report->total.sum.latency;
    return first.try_emplace(workOf(point, "r"), latency).first->second /
           latency;
  });
}

static void addNumbers(Row &row, const SweepPoint &point, double speedup,
                       ArrayRef<std::string> columns) {
  for (StringRef column : columns) {
    if (!point.report)
      row.push_back("-");
    else if (column == "speedup")
      row.push_back(llvm::formatv("{0:F2}x", speedup));
    else if (column == "spill_bytes")
      row.push_back(formatValue(point.report->total.sum.spillSaveBytes +
                                point.report->total.sum.spillReloadBytes));
    else
      row.push_back(valueOf(*point.report, column));
  }
}

static std::string describe(const SweepPoint &point) {
  if (!point.report)
    return "error: " + escapeUnprintable(point.error);
  SmallVector<std::string> remarks = {
      point.chosen, describeHostOps(countHostOps(*point.report))};
  if (!point.overBudget.empty())
    remarks.push_back("over budget: " + llvm::join(point.overBudget, ", "));
  llvm::erase_if(remarks, [](StringRef remark) { return remark.empty(); });
  return escapeUnprintable(llvm::join(remarks, "; "));
}

void mlir::trn::printTable(ArrayRef<SweepPoint> points, llvm::raw_ostream &os) {
  SmallVector<Row> rows(1);
  for (const auto &[key, value] : points.front().settings)
    rows.front().push_back(key);
  Row columns = chooseColumns(points);
  llvm::append_range(rows.front(), columns);
  for (const auto &[name, number] : points.front().joined)
    rows.front().push_back(escapeUnprintable(name));
  for (auto [point, speedup] : llvm::zip_equal(points, findSpeedups(points))) {
    Row &row = rows.emplace_back();
    for (const auto &[key, value] : point.settings)
      row.push_back(escapeUnprintable(value));
    addNumbers(row, point, speedup, columns);
    for (const auto &[name, number] : point.joined)
      row.push_back(number ? formatValue(*number) : "-");
  }
  SmallVector<size_t> widths(rows.front().size(), 0);
  for (const Row &row : rows)
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      width = std::max(width, cell.size());

  os << "modelled (simulated, not measured on hardware); * is the best\n";
  SmallVector<bool> best = findBest(points);
  for (auto [index, row] : llvm::enumerate(rows)) {
    std::string line = index > 0 && best[index - 1] ? "*" : " ";
    llvm::raw_string_ostream cells(line);
    for (auto [width, cell] : llvm::zip_equal(widths, row))
      cells << " " << llvm::right_justify(cell, width) << " ";
    cells << (index > 0 ? " " + describe(points[index - 1]) : " remarks");
    os << StringRef(line).rtrim() << "\n";
  }
}

//===----------------------------------------------------------------------===//
// For programs
//===----------------------------------------------------------------------===//

/// A cell with a comma, a quote or a line break stands in quotes.
static std::string quote(StringRef cell) {
  if (cell.find_first_of(",\"\n\r") == StringRef::npos)
    return cell.str();
  return "\"" + llvm::join(llvm::split(cell, '"'), "\"\"") + "\"";
}

void mlir::trn::printCsv(ArrayRef<SweepPoint> points, llvm::raw_ostream &os) {
  Row header;
  for (const auto &[key, value] : points.front().settings)
    header.push_back(key);
  SmallVector<const MetricKey *> keys;
  for (const MetricKey &key : metricKeys())
    if (key.better != Better::Neither) {
      keys.push_back(&key);
      header.push_back(key.name.str());
    }
  bool withRange = llvm::any_of(points, hasRange);
  if (withRange)
    header.append({"latency_low_ms", "latency_high_ms"});
  for (const auto &[name, number] : points.front().joined)
    header.push_back(quote(name));
  header.append({"host_ops", "chosen", "over_budget", "error"});
  os << llvm::join(header, ",") << "\n";
  for (const SweepPoint &point : points) {
    Row row;
    for (const auto &[key, value] : point.settings)
      row.push_back(value == noValue ? "" : quote(value));
    for (const MetricKey *key : keys) {
      llvm::raw_string_ostream cell(row.emplace_back());
      if (point.report)
        cell << key->value(point.report->total, point.report->machine);
    }
    if (withRange) {
      auto [low, high] = hasRange(point) ? *point.report->total.latencyRange
                                         : std::pair<int64_t, int64_t>();
      for (int64_t end : {low, high})
        row.push_back(hasRange(point) ? formatNumber(end / 1e9) : "");
    }
    for (const auto &[name, number] : point.joined)
      row.push_back(number ? formatNumber(*number) : "");
    row.push_back(point.report ? std::to_string(countHostOps(*point.report))
                               : "");
    row.append({quote(point.chosen), quote(llvm::join(point.overBudget, "; ")),
                quote(point.error)});
    os << llvm::join(row, ",") << "\n";
  }
}

void mlir::trn::printJson(ArrayRef<SweepPoint> points, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  auto writePoint = [&](const SweepPoint &point, bool isBest) {
    json.attributeObject("point", [&] {
      for (const auto &[key, value] : point.settings)
        if (value != noValue)
          json.attribute(key, value);
    });
    if (!point.joined.empty())
      json.attributeObject("joined", [&] {
        for (const auto &[name, number] : point.joined)
          if (number)
            json.attribute(llvm::json::fixUTF8(name), *number);
      });
    if (!point.report)
      return json.attribute("error", point.error);
    json.attributeBegin("report");
    printJson(*point.report, json);
    json.attributeEnd();
    if (isBest)
      json.attribute("best", true);
    if (!point.overBudget.empty())
      json.attributeArray("over_budget", [&] {
        for (StringRef excess : point.overBudget)
          json.value(excess);
      });
  };
  json.object([&] {
    json.attributeArray("sweep", [&] {
      for (auto [point, isBest] : llvm::zip_equal(points, findBest(points)))
        json.object([&, &point = point, isBest = isBest] {
          writePoint(point, isBest);
        });
    });
  });
  os << "\n";
}
