//===- ChooseQueues.h - Queues of loads -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_CHOOSEQUEUES_H
#define TRN_PROGRAM_CHOOSEQUEUES_H

namespace mlir::trn {

struct Program;

/// Outside of loops, loads of what the last stores wrote go to the queue of
/// stores. They wait for these stores anyway. Queues are in order: loads behind
/// them, of weights for example, need not wait.
void chooseQueues(Program &program);

} // namespace mlir::trn

#endif // TRN_PROGRAM_CHOOSEQUEUES_H
