//===- MachineIO.h - Machines as JSON ---------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_MACHINEIO_H
#define TRN_MACHINE_MACHINEIO_H

#include "trn/Machine/Machine.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::trn {

/// A known machine by name, or the machine in a JSON file:
/// `{"base": "trn1", "sbuf_partition_bytes": 393216}`. A file without a base
/// gives every constant. A constant is a value, or an object as `printMachine`
/// writes it: `value`, and optionally `unit`, `kind` and `source`.
llvm::Expected<Machine> loadMachine(llvm::StringRef nameOrPath);

/// The same for the text of a file. Error messages start with `where`.
llvm::Expected<Machine> parseMachine(llvm::StringRef text,
                                     llvm::StringRef where);

/// Replaces the constants in `overrides` and checks that the machine is still
/// possible. `where` starts error messages and becomes the source of the new
/// values. After a failure the machine is partly changed.
llvm::Error applyOverrides(Machine &machine,
                           const llvm::json::Object &overrides,
                           llvm::StringRef where);

/// Checks ranges, and that no constants contradict each other.
llvm::Error verifyMachine(const Machine &machine, llvm::StringRef where);

/// Every constant with value, unit, kind and source, as JSON that
/// `parseMachine` reads.
void printMachine(const Machine &machine, llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_MACHINE_MACHINEIO_H
