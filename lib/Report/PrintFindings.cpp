//===- PrintFindings.cpp - Findings.cpp -----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Finding.h"

#include "trn/Report/Keys.h"
#include "trn/Support/Escape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::formatv;

static double percentOf(const Finding &finding, int64_t latency) {
  return latency > 0 ? 100.0 * (latency - finding.latencyWithout) / latency : 0;
}

static std::string nameOf(const Finding &finding) {
  std::string name = finding.cause;
  std::replace(name.begin(), name.end(), '_', ' ');
  return finding.subject.empty() ? name : name + " of " + finding.subject;
}

llvm::json::Value mlir::trn::findingRows(llvm::ArrayRef<Finding> findings,
                                         int64_t latency) {
  llvm::json::Array rows;
  for (const Finding &finding : findings) {
    llvm::json::Object row{{"cause", finding.cause},
                           {"percent", percentOf(finding, latency)},
                           {"modelled_ms", finding.latencyWithout / 1e9},
                           {"tried", finding.isTried},
                           {"evidence", finding.evidence}};
    std::pair<const char *, const std::string &> texts[] = {
        {"subject", finding.subject},
        {"kernel", finding.kernel},
        {"location", finding.location},
        {"try", finding.advice},
        {"schedule", finding.schedule}};
    for (auto [key, text] : texts)
      if (!text.empty())
        row[key] = text;
    if (finding.compile)
      row["compile"] = *finding.compile;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string mlir::trn::describeFinding(const Finding &finding,
                                       int64_t latency) {
  std::string text = formatv("{0:F1} % {1}: {2}", percentOf(finding, latency),
                             nameOf(finding), finding.evidence);
  if (!finding.location.empty())
    text += " (" + finding.location + ")";
  if (!finding.advice.empty())
    text += formatv("; try: {0}: {1}{2} ms", finding.advice,
                    finding.isTried ? "" : "about ",
                    formatValue(finding.latencyWithout / 1e9));
  return escapeUnprintable(text);
}

static void append(std::string &text, llvm::StringRef name, double percent) {
  if (percent >= 1)
    text += formatv("{0}{1} {2:F1} %", text.empty() ? "" : ", ", name, percent);
}

/// More of them nobody reads.
static constexpr size_t maxPathParts = 4;

std::string mlir::trn::describeBound(const Metrics &metrics,
                                     const Machine &machine) {
  auto valueOf = [&](llvm::StringRef key) {
    return findMetricKey(key)->value(metrics, machine);
  };
  double latency = *valueOf("latency_ms").getAsNumber();
  double bound = *valueOf("bound_ms").getAsNumber();
  llvm::json::Value by = valueOf("bound_by");
  bool byTensor = by.getAsString() == "tensor_engine";
  std::string beside;
  llvm::json::Value path = valueOf("critical_path");
  for (const auto &[place, row] : llvm::enumerate(*path.getAsArray())) {
    // The longest come first.
    if (place == maxPathParts)
      break;
    const llvm::json::Object &part = *row.getAsObject();
    llvm::StringRef engine = *part.getString("engine");
    llvm::StringRef reason = *part.getString("reason");
    bool isBound =
        byTensor ? engine == "tensor" : engine == "load" || engine == "store";
    if (reason != "busy" || !isBound)
      append(beside,
             engine == "kernel" ? reason.str() : (engine + " " + reason).str(),
             *part.getNumber("percent"));
  }
  std::string text = "without a bound";
  if (bound > 0)
    text = formatv("at {0:F1} % of its bound ({1})", 100 * bound / latency,
                   byTensor ? "tensor engine" : "traffic");
  return beside.empty() ? text
                        : text + "; else on the critical path: " + beside;
}

std::string mlir::trn::describeRest(llvm::ArrayRef<Finding> findings,
                                    int64_t latency) {
  std::string text;
  for (const Finding &finding : findings)
    if (finding.advice.empty())
      append(text, nameOf(finding), percentOf(finding, latency));
  return escapeUnprintable(text);
}
