//===- KernelAnalysis.h - What limits a kernel ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Answers from the text of a kernel alone: every instruction is counted as
// often as the loops around it say, and nothing is simulated. Placed and
// virtual kernels are treated alike; only addresses are missing in the latter.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_KERNELANALYSIS_H
#define TRN_ANALYSIS_KERNELANALYSIS_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::trn {

/// Why the rows of a transfer end where they do.
enum class RowEnd : uint8_t {
  View,     // the view takes only a part of a longer row in HBM
  Matrix,   // the matrix in HBM has no longer rows
  Elements, // neighbours of the view are no neighbours in HBM
  OnChip,   // the row goes on in HBM, but not on chip
  Tile,     // a transposing transfer cannot do better with this tile
};

/// One transfer. A row is a piece that is contiguous on both sides.
struct TransferAnalysis {
  Operation *op;
  int64_t executions;
  /// Of one execution.
  int64_t bytes, rows;
  int64_t rowBytes;
  RowEnd rowEnd;
  /// Elements of a row of the matrix in HBM; 0 if HBM takes no part.
  int64_t matrixColumns;
  int64_t elementBytes;
  /// How many of the DMA engines take part, if the first partition is the first
  /// one of an engine.
  int64_t engines;
  /// How long the busiest of them takes for one execution.
  double ns;
  /// Less than half of what saturates a DMA engine.
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
  /// One execution, and the part of it that the products would take if they
  /// filled the array; 0 for a transpose.
  double ns, usefulNs;

  double utilisation() const { return ns > 0 ? usefulNs / ns : 0; }
};

struct BufferAnalysis {
  AllocOp alloc;
  MemorySpace space;
  /// Of one slot, in one partition.
  int64_t slotBytes;
  int64_t slots;
  bool atPeak;
};

/// The most that is live at one point: in SBUF bytes of a partition, in PSUM
/// banks (a buffer without an address has banks of its own).
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
  /// What the loop around it has, or the kernel.
  Pressure outer;
};

/// What a kernel keeps busy.
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
  /// Executed, all kinds.
  int64_t instructions = 0;
  /// Nanoseconds of each busy resource, by `Resource`.
  std::array<double, numBusyResources> busyNs = {};
  /// What a kernel costs without any work: its overhead, and the latency of a
  /// load and of a store.
  double fixedNs = 0;

  /// Multiply and add counted apart; `modelFlops` is what the kernel says it
  /// is for, else the executed ones.
  int64_t executedFlops = 0, modelFlops = 0;
  /// To and from HBM.
  int64_t hbmBytes = 0;
  /// Each argument once.
  int64_t compulsoryBytes = 0;
  /// What no schedule beats.
  double tensorBoundNs = 0, trafficBoundNs = 0;

  Pressure peak;
  /// One past the highest byte of a partition that a placed buffer takes.
  int64_t sbufHighWater = 0;
  /// By bank: the placed buffers that use it, as indices into `buffers`.
  SmallVector<SmallVector<size_t, 2>> banks;
};

} // namespace mlir::trn

#endif // TRN_ANALYSIS_KERNELANALYSIS_H
