//===- SweepSpec.h - What a sweep varies, as text ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SWEEP_SWEEPSPEC_H
#define TRN_LIB_SWEEP_SWEEPSPEC_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace mlir::trn {

/// What a sweep varies: an option of `trn-compile`, `rows`, or a constant of
/// the machine as `machine.sbuf_partition_bytes`; with the values to try.
struct SweepKey {
  std::string name;
  std::vector<std::string> values;
};

/// One of the keys of a sweep with one of its values.
using SweepSetting = std::pair<std::string, std::string>;

/// Reads `key=value,value; key=value`. Every name and value is known to be of
/// the right kind afterwards, though it may be out of range. No key has more
/// than `maxPoints` values.
llvm::Expected<std::vector<SweepKey>> parseSweep(StringRef text,
                                                 uint64_t maxPoints);

/// Fails if all combinations of values for each of `files` modules are more
/// than `maxPoints`.
llvm::Error checkPoints(ArrayRef<SweepKey> keys, uint64_t files,
                        uint64_t maxPoints);

/// `f` of `machine.f`; empty for another key.
StringRef getMachineField(StringRef key);

/// The value of a constant of the machine as a machine file has it.
llvm::Expected<llvm::json::Value> parseMachineConstant(StringRef field,
                                                       StringRef text);

/// The points of the product of all keys, the last key varying fastest.
std::vector<std::vector<SweepSetting>> enumeratePoints(ArrayRef<SweepKey> keys);

} // namespace mlir::trn

#endif // TRN_LIB_SWEEP_SWEEPSPEC_H
