//===- Work.h - Cycles of instructions --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_WORK_H
#define TRN_MACHINE_WORK_H

#include "trn/Machine/Machine.h"
#include "trn/Support/FloatTypes.h"

namespace mlir::trn {

// Cycles of each instruction for its elements. `n` is the number of elements
// per partition; the number of partitions does not matter (A1:379-382). Fixed
// costs and minima are included for the tensor engine only; the simulator adds
// the others. VectorE's cycles per element are constants of the machine, with
// sources. docs/Machine.md explains abbreviations.

/// Facts about an operand, for formulas.
struct OperandInfo {
  ElementType type;
  bool inPsum = false;
  /// The free elements of a partition are adjacent.
  bool contiguous = true;

  bool isNarrow() const { return byteSize(type) == 2; }
  bool isByte() const { return byteSize(type) == 1; }
};

/// Some element-wise operations with two inputs are faster on VectorE.
enum class ElementwiseOp : uint8_t { AddSubtractMultiply, Other };
/// Some reductions are faster on VectorE.
enum class ReduceOp : uint8_t { AddMax, Other };

// Tensor engine; a cycle is one moving column.

/// passes * max(64, moving free). Streaming the moving operand takes at least
/// 64 columns (A1:266-268, PG:679). Loading the stationary one takes at most as
/// long, and overlaps with the previous matmul. ISA26:896-913.
int64_t matmulCycles(const Machine &machine, ElementType type,
                     int64_t movingFree);

/// Transposes [partitions, free] by a product with the identity, the moving
/// operand: passes * max(partitions, 64). ISA26:1044-1062, A2:196-203,
/// A1:266-268.
int64_t tensorTransposeCycles(const Machine &machine, ElementType type,
                              int64_t partitions);

// ScalarE.

/// func(in * scale + bias), all for n. ISA26:166.
inline int64_t activationCycles(int64_t n) { return n; }
/// The same with a sum of each row: 64 more. ISA26:235, A1:492.
int64_t activationReduceCycles(const Machine &machine, int64_t n);

// VectorE, and GpSimd where it can.

/// One input: by types and memories. ISA26:1396, A2:220-237.
int64_t tensorCopyCycles(const Machine &machine, const OperandInfo &source,
                         const OperandInfo &target, int64_t n);
/// One or two operations with a scalar each: as tensor_copy. ISA26:1640-1682.
int64_t tensorScalarCycles(const Machine &machine, const OperandInfo &source,
                           const OperandInfo &target, int64_t n);
/// The same with a reduction of each row: n + 64. ISA26:1736.
int64_t tensorScalarReduceCycles(const Machine &machine, int64_t n);
/// n if one input is in PSUM and the other in SBUF, else by types.
/// ISA26:1793-1820, A2:49-60.
int64_t tensorTensorCycles(const Machine &machine, ElementwiseOp op,
                           const OperandInfo &lhs, const OperandInfo &rhs,
                           const OperandInfo &target, int64_t n);
/// (in op scalar) op tensor: as tensor_tensor, with even n for fast bf16.
/// ISA26:1215.
int64_t scalarTensorTensorCycles(const Machine &machine, ElementwiseOp op,
                                 ElementType lhs, ElementType rhs, int64_t n);
/// 2n. ISA26:1886.
inline int64_t tensorTensorScanCycles(int64_t n) { return 2 * n; }
/// n / 2 for bf16 in and out with add or max, else n. ISA26:1597.
int64_t tensorReduceCycles(ReduceOp op, ElementType source, ElementType target,
                           int64_t n);
/// Half for zeros in a 16-bit type. ISA26:709.
int64_t memsetCycles(const Machine &machine, ElementType type, double value,
                     int64_t n);
/// On VectorE; on ScalarE it is an activation. ISA26:1187.
int64_t reciprocalCycles(const Machine &machine, int64_t n);
/// select, range_select, dropout: n. ISA26:527, 991, 1133.
inline int64_t selectCycles(int64_t n) { return n; }
/// bn_stats: n. ISA26:384.
inline int64_t bnStatsCycles(int64_t n) { return n; }
/// bn_aggr: 13n / 3. ISA26:335.
int64_t bnAggregateCycles(int64_t n);
/// max8, find_index8 and match_replace8: n. ISA26:673, 748.
inline int64_t searchCycles(int64_t n) { return n; }
/// stream_shuffle: n. ISA26:991.
inline int64_t shuffleCycles(int64_t n) { return n; }
/// 32 x 32 blocks: n. ISA26:1044.
inline int64_t vectorTransposeCycles(int64_t n) { return n; }

// GpSimd.

/// iota and affine_select: 150 + n. ISA26:565, 289.
int64_t iotaCycles(const Machine &machine, int64_t n);
/// nc_n_gather: nothing is published. Assumed are the start of other GpSimd
/// instructions, and one cycle for each element that is chosen.
int64_t gatherCycles(const Machine &machine, int64_t n);
/// tensor_partition_reduce: nothing is published. Assumed are the start of
/// other GpSimd instructions, and n for each halving of the partitions.
int64_t partitionReduceCycles(const Machine &machine, int64_t partitions,
                              int64_t n);

} // namespace mlir::trn

#endif // TRN_MACHINE_WORK_H
