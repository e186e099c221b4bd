//===- Compare.h - Reports side by side -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_COMPARE_H
#define TRN_REPORT_COMPARE_H

#include "trn/Report/NamedReport.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace mlir::trn {

/// Reads files of `printJson`, or pages of single runs, with their timelines.
/// Reports are named by their files, without folder and extension where that
/// suffices. Fails for fewer than two files, or for one that cannot be read, is
/// neither JSON nor a page, or is no report.
llvm::Expected<std::vector<NamedReport>>
readReports(llvm::ArrayRef<std::string> files);

/// A line per key, a column per report, and after each number but the first its
/// ratio to the first. If latencies have ranges, a line says whether they
/// overlap the first one's.
void printComparison(llvm::ArrayRef<NamedReport> reports,
                     llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_REPORT_COMPARE_H
