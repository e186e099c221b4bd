//===- Layout.h - How an instruction steps through memory -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything about an instruction that is the same for all its executions,
// computed once before the first one.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_LAYOUT_H
#define TRN_INTERPRETER_LAYOUT_H

#include "RowFunctions.h"
#include "trn/Program/Program.h"
#include <array>

namespace mlir::trn {

/// One operand: which bytes it touches, relative to its first element.
struct OperandLayout {
  const Access *access = nullptr;
  const Buffer *buffer = nullptr;
  /// Rows of an operand on chip; 1 in HBM.
  int64_t partitions = 1;
  /// Dims around a contiguous run of bytes (in one partition), strides in
  /// bytes, outermost first. Those that repeat elements are left out.
  llvm::SmallVector<Access::Dim, 3> outer;
  int64_t runBytes = 0;
  /// All runs lie in [low, high).
  int64_t low = 0;
  int64_t high = 0;

  bool isDense() const { return outer.empty(); }
  /// Calls `visit(lo, hi)` for each run until it returns true.
  template <typename Visit>
  bool forEachRun(Visit visit) const {
    return forEachRun(0, 0, visit);
  }

private:
  template <typename Visit>
  bool forEachRun(size_t depth, int64_t base, Visit visit) const {
    if (depth == outer.size())
      return visit(base, base + runBytes);
    for (int64_t i = 0; i < outer[depth].size; ++i)
      if (forEachRun(depth + 1, base + i * outer[depth].stride, visit))
        return true;
    return false;
  }
};

/// A loop nest that visits the elements of several operands together.
struct ElementNest {
  static constexpr size_t maxOperands = 6;
  struct Level {
    int64_t size;
    /// In bytes, one for each operand.
    std::array<int64_t, maxOperands> strides;
  };
  /// Outermost first; the last level is the row that kernels work on.
  llvm::SmallVector<Level, 4> levels;
};

/// Rows on the partitions and evenly strided columns, from `offset` bytes
/// behind the start of an operand; strides in elements.
struct MatrixLayout {
  int64_t rows = 1;
  int64_t columns = 1;
  int64_t columnStride = 1;
  int64_t offset = 0;
};

/// A part of a product whose operands are matrices; there is one alone unless
/// free dims have gaps between them.
struct TileBlock {
  /// Stationary, moving and result.
  std::array<MatrixLayout, 3> matrices;
  /// Of `TileMath`.
  int32_t plan = -1;
};

/// The code of one step of a formula.
struct RowStep {
  RowFunction function;
  /// Among the reads, and among the parameters.
  size_t firstRead, firstParameter;
};

/// An instruction ready to be executed many times.
struct PreparedInstruction {
  const Instruction *source = nullptr;
  /// The reads, then the writes.
  llvm::SmallVector<OperandLayout, 3> operands;
  ElementNest nest;
  /// Of the formula.
  llvm::SmallVector<RowStep, 2> steps;
  /// Of the fold.
  RowFunction foldRow = nullptr;
  /// Reduce: the first level that is folded.
  size_t foldDepth = 0;
  /// Gather, Scatter: one row of the table, from the start of the first one on.
  OperandLayout row;
  /// Matmul only.
  llvm::SmallVector<TileBlock, 1> blocks;
  /// Matmul: which operands are read from `WidenedSbuf`.
  std::array<bool, 2> isWidened{};
  /// Matmul: plans of the only block for operands of `LateLoads`, by the
  /// elements from row to row of each; 0 for one in SBUF.
  struct LatePlan {
    std::array<int64_t, 2> rows;
    int32_t plan;
  };
  llvm::SmallVector<LatePlan, 1> latePlans;
  /// It reads what it writes elsewhere: one worker does it.
  bool isIndivisible = false;
  /// It reads or writes integers.
  bool hasIntegers = false;
  /// No element at all: nothing happens.
  bool isEmpty = false;
  /// Rough host time in nanoseconds, to decide how much work to hand over.
  int64_t cost = 0;
  /// Why it can never be executed, and the rule against it; empty if it can.
  std::string error;
  llvm::StringRef rule;

  llvm::ArrayRef<OperandLayout> reads() const {
    return llvm::ArrayRef(operands).take_front(source->reads.size());
  }
  llvm::ArrayRef<OperandLayout> writes() const {
    return llvm::ArrayRef(operands).drop_front(source->reads.size());
  }
  /// The first of them.
  const OperandLayout &write() const { return operands[source->reads.size()]; }
  bool isProduct() const { return !blocks.empty(); }
};

/// Row pitch in bytes of the image of an on-chip memory.
struct Pitches {
  int64_t sbuf;
  int64_t psum;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_LAYOUT_H
