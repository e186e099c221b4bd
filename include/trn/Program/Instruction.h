//===- Instruction.h - One instruction of an engine -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_INSTRUCTION_H
#define TRN_PROGRAM_INSTRUCTION_H

#include "trn/Program/Formula.h"
#include "trn/Program/LinearExpr.h"
#include "trn/Program/Semantics.h"
#include "trn/Support/FloatTypes.h"
#include <optional>

namespace mlir::trn {

/// The in-order queues of a NeuronCore. Loads and stores are the DMA engines
/// (all sixteen take part in each transfer): `Load` fetches from HBM or moves
/// inside SBUF, `Store` writes HBM. `Collective` moves data between cores.
enum class Engine : uint8_t {
  Tensor,
  Vector,
  Scalar,
  GpSimd,
  Collective,
  Load,
  Store
};
constexpr int64_t numEngines = 7;

/// The memories of a NeuronCore.
enum class Space : uint8_t { Hbm, Sbuf, Psum };

/// A rectangular, strided set of elements of one buffer.
///
/// On chip, `dims[0]` walks over partitions (its stride is 1 and unused), from
/// partition `partition` on. All other dims walk over the free dimension;
/// `offset` and strides count elements of `type`. In HBM `partition` is 0 and
/// every dim is an ordinary strided one.
struct Access {
  struct Dim {
    int64_t size;
    int64_t stride;
  };

  int32_t buffer;
  ElementType type;
  LinearExpr partition;
  LinearExpr offset;
  llvm::SmallVector<Dim, 4> dims;

  int64_t numElements() const {
    int64_t count = 1;
    for (const Dim &dim : dims)
      count *= dim.size;
    return count;
  }
  int64_t numBytes() const { return numElements() * byteSize(type); }
};

/// A comparison of a linear expression with zero, for example "not the first
/// iteration of loop k".
struct Condition {
  enum class Predicate : uint8_t { Eq, Ne, Lt, Le, Gt, Ge };
  Predicate predicate;
  LinearExpr expr;

  bool evaluate(llvm::ArrayRef<int64_t> counters) const;
};

/// A step that several cores do together.
struct Collective {
  /// Of each group.
  int64_t cores;
  /// AllGather, ReduceScatter: elements of a core's piece that are contiguous
  /// in the whole, before those of the next core.
  int64_t pieceElements = 0;
  /// Number of a SendReceive; those with equal numbers meet.
  int64_t pipe = 0;
  /// AllToAll: the dimension of reads[0] that is cut into a piece per core, and
  /// that of writes[0] along which pieces of all cores are joined.
  int64_t splitDim = 0, concatDim = 0;
  /// Permute: by core, the one whose array it gets; -1 for none.
  llvm::SmallVector<int64_t, 0> sources = {};
  /// All others: all cores, group by group; none: one group, in order.
  llvm::SmallVector<int64_t, 0> groups = {};

  /// Of all groups.
  int64_t numCores() const {
    return groups.empty() ? cores : static_cast<int64_t>(groups.size());
  }
};

/// Work of an instruction for its engine; `Machine/Work.h` has the formulas and
/// their sources.
struct Work {
  /// Cycles until the engine can start its next instruction (initiation
  /// interval). For the tensor engine a cycle is one moving column.
  /// Zero for DMA, whose time follows from `bytes` and `descriptors`.
  int64_t cycles = 0;
  /// Multiply and add counted apart; matrix products only.
  int64_t flops = 0;
  /// The same for products with the identity, which only transpose.
  int64_t transposeFlops = 0;
  /// DMA: bytes moved (the larger side of a cast) and contiguous pieces.
  /// Collectives: the bytes of the whole array.
  int64_t bytes = 0;
  int64_t descriptors = 0;
};

/// One static instruction; loops of the program execute it many times.
struct Instruction {
  /// Index into `Program::ops`: its origin.
  int32_t op;
  Engine engine;
  Semantics semantics;
  llvm::SmallVector<Access, 2> reads;
  llvm::SmallVector<Access, 1> writes;
  /// Matmul: whether this execution adds to PSUM. Absent = overwrite.
  std::optional<Condition> accumulate;
  Formula formula;
  std::optional<Fold> fold;
  std::optional<PartitionFunction> partitionFunction;
  std::optional<Collective> collective;
  /// Gather, Scatter: indices of missing rows are skipped.
  bool skipsMissing = false;
  /// Constants of the formula.
  llvm::SmallVector<float, 2> parameters;
  Work work;

  /// Bytes that one execution moves through `access`, one of its own; of a
  /// table, only the chosen rows.
  int64_t movedBytes(const Access &access) const;

  /// The function of the first step, which ScalarE computes.
  Function function() const {
    return formula.empty() ? Function::Copy : formula.front().function;
  }
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_INSTRUCTION_H
