//===- Fault.h - Violations of hardware rules -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_FAULT_H
#define TRN_INTERPRETER_FAULT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mlir::trn {

/// A violation of a hardware rule by a program. These rules are enforced here
/// alone, since only a run shows violations:
/// - `memory_c1`: a buffer is used from its alloc to its dealloc
/// - `memory_c2`: only values that were written are read
/// - `memory_c3`: a kernel writes results, scratch and tiles, no other argument
/// - `memory_c4`: an instruction reads and writes one region, or disjoint ones
/// - `memory_c5`: a kernel writes every element of its results, unless it is
///   given them filled
/// - `program_c1`: operands fit each other and the instruction
/// - `indirect_c1`: an index chooses an existing row, or is skipped
/// - `indirect_c2`: a scatter writes no element twice, whatever its indices are
/// - `indirect_c3`: an index chooses an existing element of its partition
/// - `integer_c1`: integers that an engine computes with, or a transfer
///   converts, are below 2^24 in magnitude; a value converted to an integer is
///   one
/// - `cores_c1`: all cores come to the same collective
/// - `cores_c2`: a collective has as many cores as run the program
/// - `cores_c5`: in HBM shared by two cores, neither touches bytes that the
///   other writes, unless both pass a barrier in between, or write one value
///
/// Rules that hold for all runs of a program are enforced here, too, under the
/// labels of its verifiers.
struct Fault {
  /// Label of the rule; empty if the host cannot run the program.
  llvm::StringRef rule;
  /// Index into `Program::ops`.
  int32_t op;
  std::string message;
  /// The other parties: an index into `Program::ops` and a text for each.
  llvm::SmallVector<std::pair<int32_t, std::string>, 2> notes;
  /// The core of a logical one whose ops these are.
  int64_t core = 0;
  /// The part of the other core of a logical one: an index into its ops, and a
  /// text.
  std::optional<std::pair<int32_t, std::string>> elsewhere = std::nullopt;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_FAULT_H
