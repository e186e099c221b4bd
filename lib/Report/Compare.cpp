//===- Compare.cpp - Reports side by side ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Compare.h"

#include "Table.h"

#include "trn/Report/Keys.h"
#include "trn/Support/Escape.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/JSON.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <map>
#include <set>

using namespace mlir::trn;
namespace json = llvm::json;

static llvm::Error makeError(const llvm::Twine &text) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), text);
}

/// The ends of the latency's range, if `report` has one.
static std::optional<std::pair<double, double>>
rangeOf(const json::Object &report) {
  const json::Value *range = report.get("latency_range_ms");
  return range ? asRange(*range) : std::nullopt;
}

/// A report has no range, or one that holds its latency.
static bool hasSoundRange(const json::Object &report, double latency) {
  if (!report.get("latency_range_ms"))
    return true;
  auto range = rangeOf(report);
  return range && range->first <= latency && latency <= range->second;
}

/// Null if `value` is what `printJson` writes, else what is wrong with it.
static const char *findFault(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  if (!object)
    return "it is no object";
  if (object->get("sweep"))
    return "it is a sweep, but the report of a single run is needed";
  std::optional<double> latency = object->getNumber("latency_ms");
  if (!latency)
    return "it has no number 'latency_ms'";
  if (!hasSoundRange(*object, *latency))
    return "its 'latency_range_ms' is not [low, high] with its 'latency_ms' "
           "in between";
  const json::Array *kernels = object->getArray("kernels");
  if (!kernels)
    return "it has no list 'kernels'";
  for (const json::Value &kernel : *kernels)
    if (!kernel.getAsObject())
      return "one of its 'kernels' is no object";
  return nullptr;
}

/// The data of a page of trn-run; all of any other text.
static llvm::StringRef findData(llvm::StringRef text) {
  if (!text.starts_with("<!DOCTYPE html>"))
    return text;
  return text.split("<script type=\"application/json\" id=\"data\">")
      .second.split("</script>")
      .first;
}

/// What a page of a single run has; null for any other one.
static json::Object *findRun(json::Value &value) {
  json::Object *data = value.getAsObject();
  json::Array *runs = data ? data->getArray("reports") : nullptr;
  return runs && runs->size() == 1 ? runs->front().getAsObject() : nullptr;
}

static llvm::Error readReport(const std::string &file, NamedReport &into) {
  auto buffer = readInputFile(file, /*isText=*/true);
  if (!buffer)
    return makeError("cannot read '" + file +
                     "': " + llvm::toString(buffer.takeError()));
  llvm::StringRef text = (*buffer)->getBuffer(), data = findData(text);
  const bool isPage = data.size() != text.size();
  llvm::Expected<json::Value> value = parseJSON(data);
  if (!value)
    return makeError(
        "'" + file +
        (isPage ? "' is no page of trn-run: " : "' is not JSON: ") +
        llvm::toString(value.takeError()));
  into.report = std::move(*value);
  if (isPage) {
    json::Object *run = findRun(into.report);
    if (!run || !run->get("report"))
      return makeError("'" + file + "' is not the page of a single run");
    if (json::Value *timeline = run->get("timeline"))
      into.timeline = std::move(*timeline);
    into.report = json::Value(std::move(*run->get("report")));
  }
  if (const char *fault = findFault(into.report))
    return makeError("'" + file + "' is not a report of trn-run: " + fault);
  return llvm::Error::success();
}

/// Files without folder and extension, unless two would be called the same.
static std::vector<std::string> nameFiles(llvm::ArrayRef<std::string> files) {
  std::vector<std::string> names;
  llvm::StringSet<> different;
  for (const std::string &file : files) {
    names.push_back(llvm::sys::path::stem(file).str());
    different.insert(names.back());
  }
  return different.size() == files.size() ? names : files.vec();
}

llvm::Expected<std::vector<NamedReport>>
mlir::trn::readReports(llvm::ArrayRef<std::string> files) {
  if (files.size() < 2)
    return makeError("comparing needs at least two reports, but " +
                     llvm::Twine(files.size()) +
                     (files.size() == 1 ? " is" : " are") + " given");
  std::vector<NamedReport> reports;
  for (auto [file, name] : llvm::zip(files, nameFiles(files))) {
    reports.push_back({name, nullptr});
    if (llvm::Error error = readReport(file, reports.back()))
      return error;
  }
  return reports;
}

/// `kernel 0 and 2 more`.
static std::string nameKernels(size_t first, size_t count) {
  std::string name = "kernel " + std::to_string(first);
  return count == 1 ? name
                    : name + " and " + std::to_string(count - 1) + " more";
}

namespace {
/// One line: a key and its value in each report, null where it has none.
struct Row {
  std::string label;
  std::vector<const json::Value *> values;
};

class Comparison {
public:
  explicit Comparison(llvm::ArrayRef<NamedReport> reports) {
    for (const NamedReport &report : reports)
      objects.push_back(report.report.getAsObject());
    for (const MetricKey &key : metricKeys())
      addValue(key.name.str(), objects, key.name);
    addMembers("instruction_counts");
    addKernels();
  }

  std::vector<Row> rows;

private:
  using Objects = std::vector<const json::Object *>;

  /// The rows of kernels at one place; `text` says all of them but the names.
  static std::vector<Row> describeKernels(const Objects &kernels,
                                          std::string &text) {
    std::vector<Row> group;
    addValue(group, "", kernels, "name");
    if (group.empty()) // its label stands for them
      group.push_back({"", std::vector<const json::Value *>(kernels.size())});
    for (const std::string &key : keysOf(kernels))
      if (key != "name" && key != "schedule" && !findMetricKey(key))
        addValue(group, "  " + key, kernels, key);
    llvm::raw_string_ostream os(text);
    for (const Row &row : llvm::drop_begin(group))
      for (const json::Value *value : row.values)
        os << row.label << (value ? formatValue(*value) : "-") << '\n';
    for (const json::Object *kernel : kernels)
      os << (kernel ? kernel->getString("schedule").value_or("") : "-") << '\n';
    return group;
  }

  /// Adds a row unless no object has a number or text under `key`.
  void addValue(std::string label, const Objects &from, llvm::StringRef key) {
    addValue(rows, std::move(label), from, key);
  }
  static void addValue(std::vector<Row> &rows, std::string label,
                       const Objects &from, llvm::StringRef key) {
    Row row{std::move(label), {}};
    for (const json::Object *object : from) {
      const json::Value *value = object ? object->get(key) : nullptr;
      row.values.push_back(value && !formatValue(*value).empty() ? value
                                                                 : nullptr);
    }
    if (llvm::any_of(row.values, [](auto *value) { return value; }))
      rows.push_back(std::move(row));
  }

  static std::set<std::string> keysOf(const Objects &from) {
    std::set<std::string> keys;
    for (const json::Object *object : from)
      if (object)
        for (const auto &member : *object)
          keys.insert(member.first.str());
    return keys;
  }

  void addMembers(llvm::StringRef key) {
    Objects inner;
    for (const json::Object *object : objects)
      inner.push_back(object->getObject(key));
    for (const std::string &name : keysOf(inner))
      addValue("  " + name, inner, name);
  }

  /// How the n-th kernel of each run was compiled. Where all runs have the same
  /// again, the first one stands for the others.
  void addKernels() {
    std::vector<std::vector<Row>> groups;
    std::vector<size_t> firsts, counts;
    std::map<std::string, size_t> known;
    for (size_t i = 0;; ++i) {
      Objects kernels;
      for (const json::Object *object : objects) {
        const json::Array &list = *object->getArray("kernels");
        kernels.push_back(i < list.size() ? list[i].getAsObject() : nullptr);
      }
      if (llvm::none_of(kernels, [](auto *kernel) { return kernel; }))
        break;
      std::string text;
      std::vector<Row> group = describeKernels(kernels, text);
      auto [it, isNew] = known.try_emplace(text, groups.size());
      if (!isNew) {
        ++counts[it->second];
        continue;
      }
      groups.push_back(std::move(group));
      firsts.push_back(i);
      counts.push_back(1);
    }
    for (auto [group, first, count] : llvm::zip_equal(groups, firsts, counts)) {
      group.front().label = nameKernels(first, count);
      llvm::append_range(rows, group);
    }
  }

  Objects objects;
};
} // namespace

/// ` 1.25x`, or nothing where there is no ratio.
static std::string spellRatio(const json::Value *value,
                              const json::Value *first) {
  std::optional<double> number, base;
  if (value && first) {
    number = value->getAsNumber();
    base = first->getAsNumber();
  }
  std::string text;
  if (number && base && *base != 0)
    llvm::raw_string_ostream(text) << llvm::format("%.3gx", *number / *base);
  return text;
}

/// What the ranges of the latencies say about the first report and each other
/// one.
static void printVerdicts(llvm::ArrayRef<NamedReport> reports,
                          llvm::raw_ostream &os) {
  auto first = rangeOf(*reports.front().report.getAsObject());
  for (const NamedReport &other : reports.drop_front()) {
    auto range = rangeOf(*other.report.getAsObject());
    if (!first || !range)
      continue;
    os << "the ranges of " << reports.front().name << " and " << other.name;
    if (first->second < range->first)
      os << " do not overlap: " << reports.front().name << " is faster\n";
    else if (range->second < first->first)
      os << " do not overlap: " << other.name << " is faster\n";
    else
      os << " overlap: the clock does not tell which is faster\n";
  }
}

/// What is missing from the latencies.
static void printHostOps(llvm::ArrayRef<NamedReport> reports,
                         llvm::raw_ostream &os) {
  for (const NamedReport &report : reports) {
    int64_t count = 0;
    if (auto *ops = report.report.getAsObject()->getArray("host_ops"))
      for (const json::Value &use : *ops)
        if (const json::Object *object = use.getAsObject())
          count += object->getInteger("count").value_or(0);
    if (std::string left = describeHostOps(count); !left.empty())
      os << left << " of " << report.name << '\n';
  }
}

/// The plans of the kernels, which are too long for a column.
static void printSchedules(llvm::ArrayRef<NamedReport> reports,
                           llvm::raw_ostream &os) {
  for (const NamedReport &report : reports) {
    llvm::MapVector<llvm::StringRef, std::pair<size_t, size_t>> groups;
    for (const auto &[i, value] :
         llvm::enumerate(*report.report.getAsObject()->getArray("kernels")))
      if (const json::Object *kernel = value.getAsObject())
        if (auto schedule = kernel->getString("schedule"))
          ++groups.try_emplace(*schedule, i, 0).first->second.second;
    for (const auto &[schedule, group] : groups)
      os << nameKernels(group.first, group.second) << " of " << report.name
         << ": " << escapeUnprintable(schedule) << '\n';
  }
}

static void printLines(llvm::ArrayRef<NamedReport> reports,
                       llvm::raw_ostream &os) {
  Comparison comparison(reports);
  // A table of texts: labels, then for each report its values and ratios.
  std::vector<std::vector<std::string>> lines = {{""}};
  for (const NamedReport &report : reports)
    lines[0].insert(lines[0].end(), {report.name, ""});
  for (const Row &row : comparison.rows) {
    lines.push_back({escapeUnprintable(row.label)});
    for (auto [i, value] : llvm::enumerate(row.values))
      lines.back().insert(
          lines.back().end(),
          {value ? formatValue(*value) : "-",
           i == 0 ? "" : spellRatio(value, row.values.front())});
  }
  std::vector<size_t> widths(lines[0].size(), 0);
  for (const auto &line : lines)
    for (auto [cell, width] : llvm::zip(line, widths))
      width = std::max(width, cell.size());
  for (const auto &line : lines) {
    std::string text;
    llvm::raw_string_ostream out(text);
    out << llvm::left_justify(line[0], widths[0]);
    for (size_t i = 1; i < line.size(); ++i)
      if (widths[i] > 0)
        out << (i % 2 ? "  " : " ") << llvm::right_justify(line[i], widths[i]);
    os << llvm::StringRef(text).rtrim() << '\n';
  }
}

void mlir::trn::printComparison(llvm::ArrayRef<NamedReport> reports,
                                llvm::raw_ostream &os) {
  printLines(reports, os);
  printHostOps(reports, os);
  printSchedules(reports, os);
  printVerdicts(reports, os);
}
