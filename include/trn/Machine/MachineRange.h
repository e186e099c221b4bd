//===- MachineRange.h - The range of a machine ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_MACHINERANGE_H
#define TRN_MACHINE_MACHINERANGE_H

#include "trn/Machine/Machine.h"

namespace mlir::trn {

/// A machine with every constant at one end of its range: the faster or the
/// slower one. Constants without a range stay.
struct MachineEnds {
  Machine fastest, slowest;
};
MachineEnds endsOf(const Machine &machine);

} // namespace mlir::trn

#endif // TRN_MACHINE_MACHINERANGE_H
