//===- KernelAnalysis.h - The limits of a kernel ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Facts from the text of a kernel alone: instructions are counted by the trip
// counts of the loops around them, and nothing is simulated. Virtual kernels
// lack addresses, but are otherwise treated like placed ones.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_KERNELANALYSIS_H
#define TRN_ANALYSIS_KERNELANALYSIS_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::trn {

/// Why a row of a transfer is no longer.
enum class RowEnd : uint8_t {
  View,     // the view takes a part of a longer row in HBM
  Matrix,   // the matrix in HBM has no longer rows
  Elements, // neighbours in the view are not neighbours in HBM
  OnChip,   // the row goes on in HBM, but not on chip
  Tile,     // a transposing transfer cannot do better with this tile
};

/// One transfer. A row is a piece that is contiguous on both sides.
struct TransferAnalysis {
  Operation *op;
  int64_t executions;
  /// Per execution.
  int64_t bytes, rows;
  int64_t rowBytes;
  RowEnd rowEnd;
  /// Elements of a row of the matrix in HBM; 0 for transfers without HBM.
  int64_t matrixColumns;
  int64_t elementBytes;
  /// DMA engines that take part, if the first partition is the first one of an
  /// engine.
  int64_t engines;
  /// Time of the busiest of them per execution.
  double ns;
  /// Rows are less than half of what saturates a DMA engine.
  bool hasShortRows;
};

/// One instruction of the tensor engine.
struct TensorAnalysis {
  Operation *op;
  int64_t executions;
  bool isTranspose;
  /// Rows (contraction), stationary columns and moving columns. A transpose has
  /// no moving columns.
  int64_t k, m, n;
  bool isF32;
  /// Time of one execution, and the time if its products filled the array; the
  /// latter is 0 for a transpose.
  double ns, usefulNs;

  double utilisation() const { return ns > 0 ? usefulNs / ns : 0; }
};

struct BufferAnalysis {
  AllocOp alloc;
  MemorySpace space;
  /// Bytes of one slot in one partition.
  int64_t slotBytes;
  int64_t slots;
  bool atPeak;
};

/// The peak of live buffers: in SBUF, bytes of a partition; in PSUM, banks. A
/// buffer without an address has banks of its own.
struct Pressure {
  int64_t sbufBytes = 0;
  int64_t psumBanks = 0;
  bool operator==(const Pressure &other) const {
    return sbufBytes == other.sbufBytes && psumBanks == other.psumBanks;
  }
};

struct LoopAnalysis {
  scf::ForOp loop;
  int64_t tripCount;
  Pressure pressure;
  /// The pressure of the loop around it, or of the kernel.
  Pressure outer;
};

/// Parts of the core that are busy.
enum class Resource : uint8_t {
  Tensor,
  Vector,
  Scalar,
  GpSimd,
  Collective,
  Dma
};
constexpr size_t numBusyResources = 6;
StringRef stringify(Resource resource);

struct KernelAnalysis {
  /// In program order.
  SmallVector<TransferAnalysis> transfers;
  SmallVector<TensorAnalysis> products;
  SmallVector<BufferAnalysis> buffers;
  SmallVector<LoopAnalysis> loops;

  /// Every buffer has an address.
  bool isPlaced = true;
  /// Executed instructions of all kinds.
  int64_t instructions = 0;
  /// Nanoseconds of each busy resource, by `Resource`.
  std::array<double, numBusyResources> busyNs = {};
  /// The cost of a kernel without work: its overhead, and the latency of a load
  /// and a store.
  double fixedNs = 0;

  /// A multiply-add is two. `modelFlops` is `trn.flops`, else the executed
  /// ones.
  int64_t executedFlops = 0, modelFlops = 0;
  /// To and from HBM.
  int64_t hbmBytes = 0;
  /// Each argument once.
  int64_t compulsoryBytes = 0;
  /// Bounds that no schedule beats.
  double tensorBoundNs = 0, trafficBoundNs = 0;

  Pressure peak;
  /// One past the highest byte of a partition in a placed buffer.
  int64_t sbufHighWater = 0;
  /// By bank: the placed buffers in it, as indices into `buffers`.
  SmallVector<SmallVector<size_t, 2>> banks;
};

} // namespace mlir::trn

#endif // TRN_ANALYSIS_KERNELANALYSIS_H
