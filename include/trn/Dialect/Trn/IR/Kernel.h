//===- Kernel.h - Kernels among functions -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_KERNEL_H
#define TRN_DIALECT_TRN_IR_KERNEL_H

namespace mlir {
class Operation;
namespace trn {

/// Whether `function` is a kernel: it has `trn.kernel` and runs on the
/// NeuronCore. Everything else in a module is host code.
bool isKernel(Operation *function);

} // namespace trn
} // namespace mlir

#endif // TRN_DIALECT_TRN_IR_KERNEL_H
