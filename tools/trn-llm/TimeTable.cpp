//===- TimeTable.cpp - Modelled times side by side ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeTable.h"

#include "trn/Compress/RankPlan.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

/// The range of ranks; null for a dense model.
static llvm::json::Value describeRanks(const ModelConfig &config) {
  if (config.ranks.empty())
    return nullptr;
  auto [least, most] = std::minmax_element(
      config.ranks.begin(), config.ranks.end(),
      [](const auto &a, const auto &b) { return a.second < b.second; });
  if (least->second == most->second)
    return least->second;
  return llvm::json::Array{least->second, most->second};
}

static double lookup(const Entries &entries, StringRef key) {
  auto entry = llvm::find_if(
      entries, [&](const auto &candidate) { return candidate.first == key; });
  return *entry->second.getAsNumber();
}

ModelTimeOptions mlir::trn::optionsOf(const TimedVariant &variant,
                                      ModelTimeOptions options) {
  options.cores = variant.cores;
  options.batch = variant.batch;
  options.hasVendorLoops = variant.hasVendorLoops;
  return options;
}

/// What a variant has as a whole; null where it has nothing.
double mlir::trn::wholeTime(const ModelTime &time) {
  return lookup(timeEntries(time), "e2e_ms");
}

/// The dense model that `variant` is compared with; null if there is none. Of
/// our own one, a dense model is compared with that on the fewest cores.
static const TimedVariant *findBaseline(const TimedVariant &variant,
                                        ArrayRef<TimedVariant> variants,
                                        bool isVendors) {
  auto baseline = llvm::find_if(variants, [&](const TimedVariant &candidate) {
    bool hasSameCores =
        candidate.cores == variant.cores || (variant.isDense() && !isVendors);
    return candidate.isDense() && candidate.hasVendorLoops == isVendors &&
           candidate.batch == variant.batch && hasSameCores;
  });
  return baseline == variants.end() ? nullptr : baseline;
}

static Entries describe(const TimedVariant &variant,
                        ArrayRef<TimedVariant> variants) {
  Entries entries = {
      {"rank", describeRanks(variant.config)},
      {"neurons", variant.isThin
                      ? llvm::json::Value(variant.config.intermediate)
                      : llvm::json::Value(nullptr)},
      {"parameters", countParameters(variant.config)},
      {"hbm_gib", variant.hbmGiB}};
  Entries times = timeEntries(variant.time);
  llvm::append_range(entries, times);
  for (auto [scheme, ms] : variant.schemeTimes)
    entries.emplace_back((stringify(scheme) + "_e2e_ms").str(), ms);
  for (bool isVendors : {false, true}) {
    const TimedVariant *dense = findBaseline(variant, variants, isVendors);
    if (variants.size() == 1 || !dense)
      continue;
    Entries base = timeEntries(dense->time);
    for (auto [name, key] : {std::pair("speedup", "e2e_ms"),
                             {"speedup_prefill", "ttft_ms"},
                             {"speedup_token", "ms_per_token"}})
      entries.emplace_back(name + std::string(isVendors ? "_over_nki_xw" : ""),
                           lookup(base, key) / lookup(times, key));
  }
  return entries;
}

namespace {
struct Step {
  StringRef key;
  StepTime ModelTime::*of;
};
} // namespace

static constexpr Step steps[] = {{"prefill", &ModelTime::prefill},
                                 {"first_token", &ModelTime::first},
                                 {"last_token", &ModelTime::last}};

static std::string nameStep(const Step &step, const ModelTime &time) {
  bool isPrefill = step.key == "prefill";
  return formatv("{0} ({1} {2})", step.key, (time.*step.of).size,
                 isPrefill ? "rows" : "rows of caches");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// A key, and its value in each column; or the head of a group.
struct Line {
  std::string label;
  std::vector<std::string> cells;
  bool isHead = false;

  bool isEmpty() const {
    return !isHead &&
           llvm::all_of(cells, [](StringRef cell) { return cell.empty(); });
  }
};

/// Lines of one table.
class Table {
public:
  explicit Table(size_t columns) : columns(columns) {}

  /// The lines of a group stand together, in the order of their first columns.
  void beginGroup(std::string label) {
    begin = lines.size() + 1;
    lines.push_back(
        {std::move(label), std::vector<std::string>(columns), /*isHead=*/true});
  }
  void set(const std::string &label, size_t column, std::string text);
  void add(const Entries &entries, size_t column, StringRef indent = "",
           StringRef unit = "");
  void print(llvm::raw_ostream &os) const;

private:
  size_t columns, begin = 0;
  std::vector<Line> lines;
};
} // namespace

void Table::set(const std::string &label, size_t column, std::string text) {
  auto group = llvm::drop_begin(lines, begin);
  auto line = llvm::find_if(
      group, [&](const Line &line) { return line.label == label; });
  if (line == group.end()) {
    lines.push_back({label, std::vector<std::string>(columns)});
    line = std::prev(lines.end());
  }
  line->cells[column] = std::move(text);
}

void Table::add(const Entries &entries, size_t column, StringRef indent,
                StringRef unit) {
  for (const auto &[key, value] : entries)
    set((indent + key + unit).str(), column, formatValue(value));
}

void Table::print(llvm::raw_ostream &os) const {
  std::vector<size_t> widths(columns, 0);
  size_t labels = 0;
  for (const Line &line : lines) {
    labels = std::max(labels, line.label.size());
    for (auto [width, cell] : llvm::zip_equal(widths, line.cells))
      width = std::max(width, cell.size());
  }
  for (const Line &line : lines) {
    if (line.isEmpty())
      continue;
    std::string text = line.label;
    text.resize(labels, ' ');
    for (auto [width, cell] : llvm::zip_equal(widths, line.cells))
      text += "  " + std::string(width - cell.size(), ' ') + cell;
    os << StringRef(text).rtrim() << '\n';
  }
}

void mlir::trn::printTimes(ArrayRef<TimedVariant> variants,
                           llvm::raw_ostream &os) {
  Table table(variants.size());
  const bool isOnSeveral = llvm::any_of(
      variants, [](const TimedVariant &variant) { return variant.cores > 1; });
  const bool hasBatches = llvm::any_of(
      variants, [](const TimedVariant &variant) { return variant.batch > 1; });
  const bool hasSchemes =
      llvm::any_of(variants, [](const TimedVariant &variant) {
        return variant.scheme.has_value();
      });
  for (auto [column, variant] : llvm::enumerate(variants)) {
    if (variants.size() > 1)
      table.set("ratio", column, variant.name);
    if (isOnSeveral)
      table.set("cores", column, std::to_string(variant.cores));
    if (hasBatches)
      table.set("batch", column, std::to_string(variant.batch));
    if (hasSchemes)
      table.set("scheme", column,
                variant.scheme ? stringify(*variant.scheme).str() : "-");
    table.add(describe(variant, variants), column);
  }
  for (const Step &step : steps) {
    table.beginGroup(nameStep(step, variants.front().time));
    for (auto [column, variant] : llvm::enumerate(variants)) {
      const StepTime &time = variant.time.*step.of;
      table.add(stepEntries(time), column, "  ");
      table.add(splitEntries(time.split), column, "  ", "_ms");
    }
  }
  table.print(os);
  const ModelTime &time = variants.front().time;
  for (const Step &step : steps)
    if (std::string left =
            describeHostOps(countHostOps((time.*step.of).report));
        !left.empty())
      os << left << " of " << step.key << '\n';
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Object toObject(const Entries &entries) {
  llvm::json::Object object;
  for (const auto &[key, value] : entries)
    object[key] = value;
  return object;
}

llvm::json::Object mlir::trn::toJson(ArrayRef<TimedVariant> variants,
                                     const ModelTimeOptions &options) {
  llvm::json::Array rows;
  for (const TimedVariant &variant : variants) {
    llvm::json::Object row = toObject(describe(variant, variants));
    row["name"] = variant.name;
    row["cores"] = variant.cores;
    row["batch"] = variant.batch;
    if (variant.scheme)
      row["scheme"] = stringify(*variant.scheme);
    if (variant.ratio)
      row["ratio"] = *variant.ratio;
    if (variant.hasVendorLoops)
      row["dense_baseline"] = "nki-xw";
    for (const Step &step : steps) {
      const StepTime &time = variant.time.*step.of;
      llvm::json::Object object = toObject(stepEntries(time));
      object["rows"] = time.size;
      object["split_ms"] = toObject(splitEntries(time.split));
      row[step.key] = std::move(object);
    }
    rows.push_back(std::move(row));
  }
  return llvm::json::Object{{"modelled_on", options.machine.name},
                            {"type", stringify(options.type)},
                            {"prompt_tokens", options.promptTokens},
                            {"new_tokens", options.newTokens},
                            {"variants", std::move(rows)}};
}
