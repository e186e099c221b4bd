//===- Work.h - What instructions cost --------------------------*- C++ -*-===//
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

// The cost of each instruction: the cycles of its elements, where `n` is always
// the number of elements a partition; the number of partitions does not matter
// (A1:379-382). What is fixed, and the least that an instruction takes, is not
// included but on the tensor engine: the simulator adds it. Cycles an element
// of VectorE are constants of the machine, with their sources. Abbreviations:
// docs/Machine.md.

/// What a formula needs to know about an operand.
struct OperandInfo {
  ElementType type;
  bool inPsum = false;
  /// The free elements of a partition are adjacent.
  bool contiguous = true;

  bool isNarrow() const { return byteSize(type) == 2; }
  bool isByte() const { return byteSize(type) == 1; }
};

/// VectorE is faster for some elementwise operations with two inputs.
enum class ElementwiseOp : uint8_t { AddSubtractMultiply, Other };
/// VectorE is faster for some reductions.
enum class ReduceOp : uint8_t { AddMax, Other };

// Tensor engine; a cycle is one moving column.

/// passes * max(64, moving free): streaming the moving operand takes at least
/// 64 columns (A1:266-268, PG:679), and loading the stationary one, at most as
/// long, hides behind the previous matmul. ISA26:896-913.
int64_t matmulCycles(const Machine &machine, ElementType type,
                     int64_t movingFree);

/// Transposes [partitions, free] by a product with the identity:
/// passes * max(partitions, 64), because its identity is a moving operand.
/// ISA26:1044-1062, A2:196-203, A1:266-268.
int64_t tensorTransposeCycles(const Machine &machine, ElementType type,
                              int64_t partitions);

// ScalarE.

/// func(in * scale + bias), all for n. ISA26:166.
inline int64_t activationCycles(int64_t n) { return n; }
/// The same with a sum of each row: 64 more. ISA26:235, A1:492.
int64_t activationReduceCycles(const Machine &machine, int64_t n);

// VectorE, and GpSimd where it can.

/// One input: by what is read and written, and where. ISA26:1396, A2:220-237.
int64_t tensorCopyCycles(const Machine &machine, const OperandInfo &source,
                         const OperandInfo &target, int64_t n);
/// One or two operations with a scalar each: as tensor_copy. ISA26:1640-1682.
int64_t tensorScalarCycles(const Machine &machine, const OperandInfo &source,
                           const OperandInfo &target, int64_t n);
/// The same with a reduction of each row: n + 64. ISA26:1736.
int64_t tensorScalarReduceCycles(const Machine &machine, int64_t n);
/// n if one input is in PSUM and the other in SBUF; else by what is read and
/// written. ISA26:1793-1820, A2:49-60.
int64_t tensorTensorCycles(const Machine &machine, ElementwiseOp op,
                           const OperandInfo &lhs, const OperandInfo &rhs,
                           const OperandInfo &target, int64_t n);
/// (in op scalar) op tensor: as tensor_tensor, where bf16 wants even n.
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
/// On VectorE; ScalarE has it as an activation. ISA26:1187.
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
/// tensor_partition_reduce: nothing is published. Assumed is the start of other
/// instructions of GpSimd, and n for each time that the partitions are halved.
int64_t partitionReduceCycles(const Machine &machine, int64_t partitions,
                              int64_t n);

} // namespace mlir::trn

#endif // TRN_MACHINE_WORK_H
