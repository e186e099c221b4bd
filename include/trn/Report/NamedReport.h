//===- NamedReport.h - A report with a name ---------------------*- C++ -*-===//
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

/// A report as `printJson` writes it, with a name.
struct NamedReport {
  std::string name;
  llvm::json::Value report;
  /// The timeline from `RecordedTimeline`, for pages; null if there is none.
  llvm::json::Value timeline = nullptr;
};

} // namespace mlir::trn

#endif // TRN_REPORT_NAMEDREPORT_H
