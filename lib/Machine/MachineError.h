//===- MachineError.h - Errors about machines -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_MACHINE_MACHINEERROR_H
#define TRN_LIB_MACHINE_MACHINEERROR_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::trn {

/// An error `where: message`, the message in the language of `formatv`.
template <typename... Args>
llvm::Error machineError(llvm::StringRef where, const char *format,
                         Args &&...args) {
  return llvm::createStringError(
      where + ": " + llvm::formatv(format, std::forward<Args>(args)...).str());
}

struct MachineField;

/// Whether a machine may have `value` for its constant `field`.
llvm::Error verifyRange(const MachineField &field, double value,
                        llvm::StringRef where);

} // namespace mlir::trn

#endif // TRN_LIB_MACHINE_MACHINEERROR_H
