//===- EmitKernel.h - Write the program of a schedule -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_LOWER_EMITKERNEL_H
#define TRN_TRANSFORMS_LOWER_EMITKERNEL_H

#include "trn/Planning/Plan.h"
#include "trn/Transforms/Lower/KernelGraph.h"

namespace mlir::trn {

struct Machine;

/// Replaces the body of `kernel` by instructions on virtual buffers. Its
/// arguments are the inputs, then the results, of the schedule's graph.
/// Instructions carry the name of their stage, buffers that of their matrix.
/// Their locations are those of the matrix in `locations`, by matrix of the
/// graph, else the kernel's.
void emitKernel(func::FuncOp kernel, const planning::Schedule &schedule,
                const Machine &machine,
                ArrayRef<MatrixLocations> locations = {});

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_LOWER_EMITKERNEL_H
