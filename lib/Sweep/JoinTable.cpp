//===- JoinTable.cpp - Numbers beside a sweep -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinTable.h"

#include "trn/Support/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

static std::optional<double> readNumber(StringRef text) {
  double number;
  if (text.getAsDouble(number) || !std::isfinite(number))
    return std::nullopt;
  return number;
}

/// 128 and 128.0 are the same.
static bool isSame(StringRef a, StringRef b) {
  std::optional<double> first = readNumber(a), second = readNumber(b);
  return first && second ? *first == *second : a == b;
}

llvm::Error JoinTable::addLine(StringRef text, const std::string &where) {
  SmallVector<StringRef> texts;
  text.split(texts, ',');
  if (texts.size() != cells.size())
    return createStringError(
        formatv("{0} has {1} cells, but the first line {2}", where,
                texts.size(), cells.size()));
  Line line;
  for (auto [cell, text] : llvm::zip_equal(cells, texts)) {
    const auto &[name, isKey] = cell;
    text = text.trim();
    if (isKey) {
      line.point.emplace_back(name, text.str());
      continue;
    }
    std::optional<double> number = readNumber(text);
    if (!number && !text.empty())
      return createStringError(
          formatv("{0}: {1} is '{2}', but must be a number or empty", where,
                  name, text));
    line.numbers.push_back(number);
  }
  lines.push_back(std::move(line));
  return llvm::Error::success();
}

llvm::Expected<JoinTable> JoinTable::read(const std::string &path,
                                          ArrayRef<std::string> keys) {
  auto buffer = readInputFile(path, /*isText=*/true);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + llvm::toString(buffer.takeError()));
  SmallVector<StringRef> texts;
  (*buffer)->getBuffer().split(texts, '\n');
  JoinTable table;
  for (StringRef name : llvm::split(texts.front(), ',')) {
    table.cells.emplace_back(name.trim(),
                             llvm::is_contained(keys, name.trim()));
    if (!table.cells.back().second)
      table.columns.push_back(name.trim().str());
  }
  if (table.columns.empty() || table.columns.size() == table.cells.size())
    return createStringError(formatv("the first line of '{0}' must name at "
                                     "least one key of the sweep ({1}), "
                                     "and a column of numbers",
                                     path, llvm::join(keys, ", ")));
  for (auto [index, text] : llvm::enumerate(texts))
    if (index > 0 && !text.trim().empty())
      if (llvm::Error error = table.addLine(
              text, formatv("line {0} of '{1}'", index + 1, path)))
        return std::move(error);
  return table;
}

JoinTable::Numbers JoinTable::find(ArrayRef<SweepSetting> point) const {
  for (const Line &line : lines)
    if (llvm::all_of(line.point, [&](const SweepSetting &wanted) {
          return llvm::any_of(point, [&](const SweepSetting &setting) {
            return setting.first == wanted.first &&
                   isSame(setting.second, wanted.second);
          });
        }))
      return line.numbers;
  return Numbers(columns.size());
}
