//===- Kernels.h - Elementwise work of instructions -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_KERNELS_H
#define TRN_INTERPRETER_KERNELS_H

#include "Layout.h"

namespace mlir::trn {

/// Addresses of the first element of each operand, in the order of
/// `PreparedInstruction::operands`.
using OperandPointers = std::array<char *, ElementNest::maxOperands>;

/// Executes all but a matmul for iterations [begin, end) of the outermost level
/// of its nest.
void runElementwise(const PreparedInstruction &instruction,
                    const OperandPointers &operands, int64_t begin,
                    int64_t end);

/// The same for instructions whose level 0 walks over partitions, each of which
/// is computed from its first element to its last.
void runByPartition(const PreparedInstruction &instruction,
                    const OperandPointers &operands, int64_t begin,
                    int64_t end);

/// The same for those that see all values of a partition at once.
void runPartitionFunction(const PreparedInstruction &instruction,
                          const OperandPointers &operands, int64_t begin,
                          int64_t end);

/// All of an exchange of partitions.
void runShuffle(const PreparedInstruction &instruction,
                const OperandPointers &operands);

} // namespace mlir::trn

#endif // TRN_INTERPRETER_KERNELS_H
