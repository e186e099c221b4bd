//===- CompareReports.cpp - Reports side by side --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/CompareReports.h"

#include "trn/Page/Html.h"
#include "trn/Report/Compare.h"
#include "trn/Report/CompareSweeps.h"
#include "trn/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::trn;

llvm::Error mlir::trn::compareReports(llvm::ArrayRef<std::string> files,
                                      llvm::StringRef html,
                                      llvm::raw_ostream &os) {
  llvm::SmallVector<llvm::StringRef> inputs(files.begin(), files.end());
  if (llvm::Error problem = checkOutputs(html, inputs))
    return problem;
  if (areSweeps(files)) {
    if (!html.empty())
      return llvm::createStringError(
          "--html shows reports of single runs side by side, but these are "
          "sweeps");
    return compareSweeps(files, os);
  }
  auto reports = readReports(files);
  if (!reports)
    return reports.takeError();
  printComparison(*reports, os);
  HtmlPage page;
  page.title =
      "comparison of " +
      llvm::join(llvm::map_range(*reports,
                                 [](const NamedReport &report) -> std::string {
                                   return report.name;
                                 }),
                 ", ");
  page.reports = std::move(*reports);
  return writeFile(html, [&](llvm::raw_ostream &to) { printHtml(page, to); });
}
