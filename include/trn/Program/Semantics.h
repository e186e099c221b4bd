//===- Semantics.h - What instructions do to values -------------*- C++ -*-===//
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

/// What an instruction does to values. One entry is one way to move through
/// tiles, not one op: ops that compute element by element share `Map`.
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
  /// whose free size is one is repeated along the row. With a `fold`, on chip,
  /// writes[1] has the results of each partition folded, before they are
  /// rounded.
  Map,
  /// Each partition by itself, in row-major order: each element of writes[0] is
  /// `formula` of the next values of reads[0], as many for each, folded by
  /// `fold`. Both on chip. Where writes[0] has one partition and reads[0] more,
  /// each element of writes[0] is that of one element of all partitions.
  Reduce,
  /// As a Map, but each partition by itself, in row-major order: the second
  /// value of the first step is the result before, in f32. The formula says
  /// where the first one comes from.
  Scan,
  /// As a Map on chip, but x counts through writes[0]: parameters[0] + the
  /// partition * parameters[1] + the index in each free dim * the next one.
  Iota,
  /// Each partition by itself, on chip: `partitionFunction` of its values in
  /// row-major order.
  Partition,
  /// writes[0] = reads[0] of other partitions, on chip: within as many as there
  /// are parameters, partition p is that of number parameters[p]. One that is
  /// negative stays as it is.
  Shuffle,
  /// writes[0][p, ...] = reads[0][reads[1][p], ...]: rows of HBM to a tile, one
  /// to each partition; dim 0 of reads[0] counts the rows that there are.
  Gather,
  /// writes[0][reads[1][p], ...] = reads[0][p, ...]: the other way round.
  Scatter,
  /// writes[0] = the sum of reads[0] over all cores, made in f32 in their
  /// order.
  /// Both of these and of the next two are in HBM and contiguous.
  AllReduce,
  /// writes[0] = reads[0] of all cores, one piece behind the other.
  AllGather,
  /// writes[0] = this core's piece of what AllReduce would write.
  ReduceScatter,
  /// Goes on when the other core of a logical one has come to a Barrier, too.
  /// What both wrote to reads[0] = writes[0] in HBM before, both see behind it.
  Barrier,
  /// writes[0] = reads[0] of the other core; both in SBUF, of one size and
  /// type.
  SendReceive,
};

/// Whether rows of HBM are chosen by indices that a tile holds.
constexpr bool isIndirect(Semantics semantics) {
  return semantics == Semantics::Gather || semantics == Semantics::Scatter;
}

/// Whether all cores do it together.
constexpr bool isCollective(Semantics semantics) {
  return semantics == Semantics::AllReduce ||
         semantics == Semantics::AllGather ||
         semantics == Semantics::ReduceScatter;
}

/// Whether the cores of a logical one meet in it.
constexpr bool isMeeting(Semantics semantics) {
  return semantics == Semantics::Barrier || semantics == Semantics::SendReceive;
}

} // namespace mlir::trn

#endif // TRN_PROGRAM_SEMANTICS_H
