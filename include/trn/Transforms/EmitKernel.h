//===- EmitKernel.h - Write the program that a schedule stands for -*- C++
//-*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_EMITKERNEL_H
#define TRN_TRANSFORMS_EMITKERNEL_H

#include "trn/Planning/Plan.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::trn {

struct Machine;

/// Replaces the body of `kernel`, whose arguments are the inputs and then the
/// results of the schedule's graph, by instructions on virtual buffers. Every
/// instruction carries its stage, every buffer its matrix, by their names.
void emitKernel(func::FuncOp kernel, const planning::Schedule &schedule,
                const Machine &machine);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_EMITKERNEL_H
