//===- EmitKernel.h - Write the program that a schedule stands for -*- C++
//-*-===//
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

/// A private kernel without a body, whose last arguments are `results` results.
func::FuncOp declareKernel(OpBuilder &builder, Location loc, StringRef name,
                           ArrayRef<Type> arguments, unsigned results);

/// An empty kernel for schedules of `graph`, which has its inputs and then its
/// results.
func::FuncOp createKernel(OpBuilder &builder, const planning::Graph &graph);

/// Replaces the body of `kernel`, whose arguments are the inputs and then the
/// results of the schedule's graph, by instructions on virtual buffers. Every
/// instruction carries its stage, every buffer its matrix, by their names. They
/// lie where the matrix comes from that they serve; `locations` are those of
/// the schedule's graph, or all are the kernel's.
void emitKernel(func::FuncOp kernel, const planning::Schedule &schedule,
                const Machine &machine,
                ArrayRef<MatrixLocations> locations = {});

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_LOWER_EMITKERNEL_H
