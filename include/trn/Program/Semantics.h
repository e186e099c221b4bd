//===- Semantics.h - Effects of instructions on values ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_SEMANTICS_H
#define TRN_PROGRAM_SEMANTICS_H

#include <cstdint>

namespace mlir::trn {

/// Effect of an instruction on values. An entry is one way to move through
/// tiles, not one op: element-wise ops share `Map`.
enum class Semantics : uint8_t {
  /// writes[0] = reads[0], converted to the written type.
  Copy,
  /// writes[0] = parameters[0] everywhere.
  Fill,
  /// writes[0][m, n] (+)= sum over k of reads[0][k, m] * reads[1][k, n], with
  /// f32 products and sums; `accumulate` chooses between + and overwrite. Free
  /// dims count as one.
  Matmul,
  /// writes[0][j, i] = reads[0][i, j]; both of rank two.
  Transpose,
  /// Row by row: writes[0] = formula(reads...), x being the first read. A read
  /// of free size one is broadcast along the row. With a `fold`, on chip,
  /// writes[1] has the fold of each partition's results before rounding.
  Map,
  /// Each partition by itself, in row-major order, on chip. Each element of
  /// writes[0] is `formula` of as many next values of reads[0], folded by
  /// `fold`. If writes[0] has one partition and reads[0] more, each element
  /// folds one element of all partitions.
  Reduce,
  /// As Map, but each partition by itself, in row-major order. The second value
  /// of the first step is the previous result, in f32. The formula gives the
  /// source of the first one.
  Scan,
  /// As Map on chip, but x counts through writes[0]: parameters[0] + partition
  /// * parameters[1] + index in each free dim * its parameter.
  Iota,
  /// Each partition by itself, on chip: `partitionFunction` of its values in
  /// row-major order.
  Partition,
  /// writes[0] = reads[0] of other partitions, on chip. In each group as large
  /// as the parameters, partition p gets partition parameters[p]. If that is
  /// negative, it keeps its value.
  Shuffle,
  /// writes[0][p, ...] = reads[0][reads[1][p], ...]: rows of HBM to a tile, one
  /// per partition. Dim 0 of reads[0] is the number of rows.
  Gather,
  /// writes[0][reads[1][p], ...] = reads[0][p, ...]: the reverse.
  Scatter,
  /// writes[0] = the sum of reads[0] over all cores, in f32, in their order; or
  /// the `fold`. Here and in the next four, both are in HBM and contiguous.
  AllReduce,
  /// writes[0] = reads[0] of all cores, concatenated.
  AllGather,
  /// writes[0] = this core's piece of what AllReduce would write.
  ReduceScatter,
  /// writes[0] = this core's pieces of the reads[0] of all cores, concatenated.
  AllToAll,
  /// writes[0] = reads[0] of another core, or zeros.
  Permute,
  /// Waits until the other core of a logical one comes to a Barrier, too. After
  /// it, both see all that either wrote to reads[0] = writes[0] in HBM before.
  Barrier,
  /// writes[0] = reads[0] of the other core; both in SBUF, of one size and
  /// type.
  SendReceive,
};

/// Whether indices in a tile choose rows of HBM.
constexpr bool isIndirect(Semantics semantics) {
  return semantics == Semantics::Gather || semantics == Semantics::Scatter;
}

/// Whether all cores take part.
constexpr bool isCollective(Semantics semantics) {
  return semantics >= Semantics::AllReduce && semantics <= Semantics::Permute;
}

/// Whether it is a meeting of the cores of a logical one.
constexpr bool isMeeting(Semantics semantics) {
  return semantics == Semantics::Barrier || semantics == Semantics::SendReceive;
}

} // namespace mlir::trn

#endif // TRN_PROGRAM_SEMANTICS_H
