//===- MachineFields.h - The table of machine constants ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_MACHINEFIELDS_H
#define TRN_MACHINE_MACHINEFIELDS_H

#include "trn/Machine/Machine.h"

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <variant>

namespace mlir::trn {

/// One constant of a machine. JSON, documentation and validation are derived
/// from this table.
struct MachineField {
  /// The valid values.
  enum class Range : uint8_t { Positive, MayBeZero, Fraction };

  /// The key in JSON.
  llvm::StringRef key;
  llvm::StringRef unit;
  /// A function means its entry in `functionTables`.
  std::variant<int64_t Machine::*, double Machine::*, bool Machine::*, Function>
      member;
  Range range;
  /// A machine may omit it; the member's initialiser then holds.
  bool optional;
  llvm::StringRef description;

  bool isBool() const {
    return std::holds_alternative<bool Machine::*>(member);
  }
  bool isInteger() const {
    return std::holds_alternative<int64_t Machine::*>(member) ||
           std::holds_alternative<Function>(member);
  }
  /// A larger value makes kernels slower; one of other costs, faster.
  bool isTime() const {
    return unit == "ns" || unit == "cycles" || unit == "cycles/element" ||
           unit == "columns" || unit == "passes";
  }
  /// It is a time or rate, not a limit, and may have a range.
  bool isCost() const {
    return isTime() || unit == "GHz" || unit == "GB/s" ||
           range == Range::Fraction;
  }
  double get(const Machine &machine) const;
  void set(Machine &machine, double value) const;
};

llvm::ArrayRef<MachineField> machineFields();

/// Position in `machineFields()` and `Machine::origins`.
std::optional<size_t> findMachineField(llvm::StringRef key);

/// The shortest decimal that reads back as `value`.
std::string formatNumber(double value);

/// `legality`, `published`, `fitted`, `assumed`.
llvm::StringRef stringify(FactKind kind);
std::optional<FactKind> parseFactKind(llvm::StringRef name);

} // namespace mlir::trn

#endif // TRN_MACHINE_MACHINEFIELDS_H
