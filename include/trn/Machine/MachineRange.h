//===- MachineRange.h - How far a machine is known --------------*- C++ -*-===//
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

/// A machine with every constant at one end of its range: at the one that makes
/// kernels faster, or at the other one. Constants without a range stay.
struct MachineEnds {
  Machine fastest, slowest;
};
MachineEnds endsOf(const Machine &machine);

} // namespace mlir::trn

#endif // TRN_MACHINE_MACHINERANGE_H
