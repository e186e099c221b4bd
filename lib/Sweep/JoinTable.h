//===- JoinTable.h - Numbers beside a sweep ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SWEEP_JOINTABLE_H
#define TRN_LIB_SWEEP_JOINTABLE_H

#include "SweepSpec.h"
#include <optional>

namespace mlir::trn {

/// Numbers from elsewhere that belong to points of a sweep, such as the
/// accuracy at each rank: a CSV file whose first line names its columns. Those
/// that are keys of the sweep say which points a line is for; the others hold
/// numbers, or nothing.
class JoinTable {
public:
  /// A number, or none, by column.
  using Numbers = std::vector<std::optional<double>>;

  static llvm::Expected<JoinTable> read(const std::string &path,
                                        ArrayRef<std::string> keys);

  ArrayRef<std::string> getColumns() const { return columns; }
  /// Of the line for a point; no number where there is none.
  Numbers find(ArrayRef<SweepSetting> point) const;

private:
  struct Line {
    std::vector<SweepSetting> point;
    Numbers numbers;
  };
  llvm::Error addLine(StringRef text, const std::string &where);

  /// By cell of a line: its name, and whether it is a key.
  std::vector<std::pair<std::string, bool>> cells;
  std::vector<std::string> columns;
  std::vector<Line> lines;
};

} // namespace mlir::trn

#endif // TRN_LIB_SWEEP_JOINTABLE_H
