//===- LayoutParts.h - How operands lie in memory ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_LAYOUTPARTS_H
#define TRN_LIB_INTERPRETER_LAYOUTPARTS_H

#include "Layout.h"

namespace mlir::trn {

/// Strides are in bytes.
using Dims = llvm::SmallVector<Access::Dim, 6>;

/// As `128x512`.
std::string describeSizes(const Access &access);

/// Whether `expr` stays far from overflow in every iteration.
bool isComputable(const Program &program, const LinearExpr &expr);

inline bool isOnChip(const OperandLayout &operand) {
  return operand.buffer->space != Space::Hbm;
}

/// Elements of one partition of an operand on chip.
int64_t freeElements(const OperandLayout &operand);

/// From partition to partition, in bytes.
int64_t pitchOf(const OperandLayout &operand, const Pitches &pitches);

/// The dims that walk through memory, without those of size one: in HBM all, on
/// chip those in a partition.
Dims freeDims(const OperandLayout &operand);

/// The same with the partition in front.
Dims byteDims(const OperandLayout &operand, const Pitches &pitches);

/// Fuses neighbours that together are one evenly strided dim.
void coalesce(Dims &dims);

/// Lays out `operand`; the text says why that cannot be.
std::string layOut(const Program &program, const Access &access,
                   OperandLayout &operand);

/// Works out the runs of an operand with these dims, strides in bytes.
void layOutRuns(Dims dims, OperandLayout &operand);

/// Splits the dims of all operands into common levels, innermost first. Fails
/// if their sizes do not line up.
bool buildNest(llvm::SmallVector<Dims, 4> operands, ElementNest &nest);

/// Fills in the blocks of a Matmul; the text says why that cannot be.
std::string prepareMatmul(PreparedInstruction &prepared,
                          const Pitches &pitches);

/// Of a Gather or Scatter.
std::string prepareRows(PreparedInstruction &prepared, const Pitches &pitches);

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_LAYOUTPARTS_H
