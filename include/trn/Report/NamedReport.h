//===- NamedReport.h - A report to look at ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_NAMEDREPORT_H
#define TRN_REPORT_NAMEDREPORT_H

#include "llvm/Support/JSON.h"
#include <string>

namespace mlir::trn {

/// A report as `printJson` writes it, with a name to tell it from others.
struct NamedReport {
  std::string name;
  llvm::json::Value report;
  /// As `RecordedTimeline` describes it, for pages; null if there is none.
  llvm::json::Value timeline = nullptr;
};

} // namespace mlir::trn

#endif // TRN_REPORT_NAMEDREPORT_H
