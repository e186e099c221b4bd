//===- Table.cpp - Tables of a report as text -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Table.h"

#include "trn/Report/Keys.h"
#include "trn/Support/Escape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <set>
#include <tuple>

using namespace mlir::trn;
using llvm::json::Object;
using llvm::json::Value;

/// Columns from left to right, numbers before texts. What is not here goes
/// behind, by name: JSON objects have no order.
static constexpr llvm::StringLiteral columnOrder[] = {
    // critical_path and top_ops
    "percent", "ms", "critical_ms", "busy_ms", "waited_ms", "count",
    "executions", "wait_reason", "engine", "reason", "op",
    // engine_waits
    "data", "buffer", "bank", "semaphore", "port", "dma",
    // cores
    "core", "end_ms", "meetings_ms", "tensor_percent", "vector_percent",
    "scalar_percent", "gpsimd_percent", "dma_percent", "hbm_bytes",
    // buffers
    "read_times", "read_bytes", "write_times", "write_bytes",
    "compulsory_bytes", "bytes", "location"};

/// `12345678` as `12,345,678`.
static std::string grouped(int64_t number) {
  std::string digits = std::to_string(number);
  size_t first = number < 0 ? 1 : 0;
  for (size_t i = digits.size(); i > first + 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}

std::optional<std::pair<double, double>>
mlir::trn::asRange(const Value &value) {
  const llvm::json::Array *ends = value.getAsArray();
  if (!ends || ends->size() != 2)
    return std::nullopt;
  std::optional<double> low = ends->front().getAsNumber();
  std::optional<double> high = ends->back().getAsNumber();
  if (!low || !high)
    return std::nullopt;
  return std::pair(*low, *high);
}

std::string mlir::trn::formatValue(const Value &value) {
  if (std::optional<int64_t> number = value.getAsInteger())
    return grouped(*number);
  std::string text;
  llvm::raw_string_ostream os(text);
  if (std::optional<double> number = value.getAsNumber())
    os << llvm::format("%.4g", *number);
  else if (std::optional<llvm::StringRef> string = value.getAsString())
    os << escapeUnprintable(*string);
  else if (auto range = asRange(value))
    os << formatValue(range->first) << " to " << formatValue(range->second);
  return text;
}

bool mlir::trn::isTable(const Value &value) {
  if (value.getAsArray())
    return true;
  const Object *object = value.getAsObject();
  return object && llvm::all_of(*object, [](const auto &entry) {
           return entry.second.getAsObject() != nullptr;
         });
}

namespace {
struct Row {
  std::string name;
  const Object *cells;
};
} // namespace

static std::vector<Row> rowsOf(const Value &table) {
  std::vector<Row> rows;
  if (const llvm::json::Array *array = table.getAsArray())
    for (const Value &row : *array)
      rows.push_back({"", row.getAsObject()});
  if (const Object *object = table.getAsObject()) {
    for (const auto &entry : *object)
      rows.push_back({entry.first.str(), entry.second.getAsObject()});
    llvm::sort(rows,
               [](const Row &a, const Row &b) { return a.name < b.name; });
  }
  return rows;
}

/// Numbers of one column have their points below each other.
static std::string cell(const Row &row, llvm::StringRef column) {
  const Value *value = row.cells->get(column);
  if (!value)
    return "";
  std::optional<double> number = value->getAsNumber();
  if (!number || column.ends_with("bytes") || column == "executions" ||
      column == "count" || column == "core")
    return formatValue(*value);
  unsigned digits = column.ends_with("percent")  ? 2
                    : column.ends_with("_times") ? 1
                                                 : 5;
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", digits, *number);
  return text;
}

namespace {
struct Column {
  llvm::StringRef key;
  bool isText;

  bool operator<(const Column &other) const {
    auto place = [](const Column &column) {
      auto rank = llvm::find(columnOrder, column.key) - std::begin(columnOrder);
      return std::tuple(column.isText, rank, column.key);
    };
    return place(*this) < place(other);
  }
};
} // namespace

static std::set<Column> columnsOf(llvm::ArrayRef<Row> rows) {
  std::set<Column> columns;
  for (const Row &row : rows)
    for (const auto &entry : *row.cells)
      columns.insert({entry.first, entry.second.kind() == Value::String});
  return columns;
}

void mlir::trn::printTable(const Value &table, unsigned indent,
                           llvm::raw_ostream &os) {
  std::vector<Row> rows = rowsOf(table);
  if (rows.empty())
    return;
  // The first line has the keys.
  std::vector<std::string> lines(rows.size() + 1);
  auto append = [&](llvm::ArrayRef<std::string> cells, bool isText) {
    size_t width = 0;
    for (llvm::StringRef text : cells)
      width = std::max(width, text.size());
    for (auto [line, text] : llvm::zip_equal(lines, cells)) {
      if (!line.empty())
        line += "  ";
      line.append(isText ? 0 : width - text.size(), ' ');
      line += text;
      line.append(isText ? width - text.size() : 0, ' ');
    }
  };
  std::vector<std::string> cells = {""};
  for (const Row &row : rows)
    cells.push_back(row.name);
  append(cells, /*isText=*/true);
  for (const Column &column : columnsOf(rows)) {
    cells = {column.key.str()};
    for (const Row &row : rows)
      cells.push_back(cell(row, column.key));
    append(cells, column.isText);
  }
  for (llvm::StringRef line : lines)
    os.indent(indent) << line.rtrim() << '\n';
}
