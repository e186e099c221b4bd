//===- Table.h - Tables of a report as text ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_REPORT_TABLE_H
#define TRN_LIB_REPORT_TABLE_H

#include "llvm/Support/JSON.h"
#include <optional>
#include <utility>

namespace mlir::trn {

/// Lowest and highest, if `value` is two numbers.
std::optional<std::pair<double, double>>
asRange(const llvm::json::Value &value);

/// Whether `value` is an array of objects, or an object of objects whose keys
/// name the rows.
bool isTable(const llvm::json::Value &value);

/// One line for each row below the keys of the columns. Nothing for a table
/// without rows.
void printTable(const llvm::json::Value &table, unsigned indent,
                llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_LIB_REPORT_TABLE_H
