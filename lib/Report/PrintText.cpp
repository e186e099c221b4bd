//===- PrintText.cpp - Reports for people ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Keys.h"

#include "Table.h"
#include "llvm/Support/FormatAdapters.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::trn;

/// Wide enough for the longest key and a blank.
static constexpr unsigned keyWidth = 30;

static void printLine(llvm::StringRef key, llvm::StringRef value,
                      unsigned indent, llvm::raw_ostream &os) {
  os.indent(indent) << key;
  os.indent(keyWidth - std::min<unsigned>(keyWidth - 1, key.size() + indent))
      << llvm::right_justify(value, 20) << '\n';
}

static void printEntries(const Entries &entries, llvm::raw_ostream &os) {
  for (const auto &[key, value] : entries) {
    if (std::string text = formatValue(value); !text.empty()) {
      printLine(key, text, 2, os);
      continue;
    }
    const llvm::json::Object *counts = value.getAsObject();
    os.indent(2) << key << '\n';
    if (isTable(value)) {
      printTable(value, 4, os);
      continue;
    }
    std::vector<std::pair<llvm::StringRef, const llvm::json::Value *>> sorted;
    for (const auto &count : *counts)
      sorted.emplace_back(count.first, &count.second);
    llvm::sort(sorted);
    for (const auto &[name, count] : sorted)
      printLine(name, formatValue(*count), 4, os);
  }
}

void mlir::trn::printText(const Report &report, llvm::raw_ostream &os) {
  os << "modelled on " << report.machine.name
     << " (simulated, not measured on hardware)\n";
  printEntries(metricEntries(report.total, report.machine), os);
  for (const KernelReport &kernel : report.kernels) {
    Entries entries = kernelEntries(kernel);
    os << "kernel " << formatValue(entries.front().second) << '\n';
    entries.erase(entries.begin());
    printEntries(entries, os);
    // The only kernel's numbers are the sums above.
    if (report.kernels.size() > 1)
      printEntries(metricEntries(kernel.metrics, report.machine), os);
  }
  if (report.host.empty())
    return;
  os << "host\n";
  for (const auto &[key, value] : report.host)
    printLine(key, formatValue(value), 2, os);
}
