//===- PrintText.cpp - Reports for people ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Keys.h"

#include "GroupKernels.h"
#include "Table.h"
#include "trn/Support/Escape.h"
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

static void printEntries(llvm::ArrayRef<Entries::value_type> entries,
                         llvm::raw_ostream &os) {
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

/// A model repeats itself in many places: ops of one name become one entry.
static std::vector<HostOpUse> sumUpByName(llvm::ArrayRef<HostOpUse> ops) {
  std::vector<HostOpUse> sums;
  for (const HostOpUse &use : ops) {
    auto sum = llvm::find_if(
        sums, [&](const HostOpUse &sum) { return sum.op == use.op; });
    if (sum == sums.end())
      sum = sums.insert(sums.end(), {use.op});
    sum->add(use);
  }
  return sums;
}

/// More lines than these nobody reads.
static constexpr size_t maxHostOps = 10;

static void printHostOps(llvm::StringRef key, llvm::ArrayRef<HostOpUse> ops,
                         llvm::raw_ostream &os) {
  if (ops.empty())
    return;
  os.indent(2) << key << '\n';
  printTable(ops.size() > maxHostOps ? hostOpRows(sumUpByName(ops))
                                     : hostOpRows(ops),
             4, os);
}

static void printFindings(const Report &report, llvm::raw_ostream &os) {
  if (!report.findings)
    return;
  int64_t latency = report.total.sum.latency;
  os.indent(2) << "findings\n";
  os.indent(4) << describeBound(report.total, report.machine) << '\n';
  for (const Finding &finding : *report.findings)
    if (!finding.advice.empty())
      os.indent(4) << describeFinding(finding, latency) << '\n';
  if (std::string rest = describeRest(*report.findings, latency); !rest.empty())
    os.indent(4) << "also costs time: " << rest << '\n';
}

void mlir::trn::printText(const Report &report, llvm::raw_ostream &os) {
  os << "modelled on " << escapeUnprintable(report.machine.name)
     << " (simulated, not measured on hardware)\n";
  // The answer first: how long, how far from the bound, and why.
  Entries entries = metricEntries(report.total, report.machine);
  auto details = llvm::find_if(entries, [](const auto &entry) {
    return entry.first == "critical_path";
  });
  size_t answers = details - entries.begin();
  printEntries(llvm::ArrayRef(entries).take_front(answers), os);
  printFindings(report, os);
  printEntries(llvm::ArrayRef(entries).drop_front(answers), os);
  printHostOps("host_ops", report.hostOps, os);
  printHostOps("load_ops", report.loadOps, os);
  if (std::string left = describeHostOps(countHostOps(report)); !left.empty())
    os << left << '\n';
  std::vector<KernelGroup> groups = groupKernels(report.kernels);
  for (const auto &[kernel, numKernels] : groups) {
    Entries entries = kernelEntries(kernel);
    os << "kernel " << formatValue(entries.front().second);
    if (numKernels > 1)
      os << " and " << numKernels - 1 << " more of the same work";
    os << '\n';
    entries.erase(entries.begin());
    printEntries(entries, os);
    // The numbers of a single group are the sums above.
    if (groups.size() > 1)
      printEntries(metricEntries(kernel.metrics, report.machine), os);
  }
  if (report.host.empty())
    return;
  os << "host\n";
  for (const auto &[key, value] : report.host)
    printLine(key, formatValue(value), 2, os);
}
