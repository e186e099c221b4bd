//===- Cost.h - Time of one instruction -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SIMULATOR_COST_H
#define TRN_SIMULATOR_COST_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Instruction.h"

namespace mlir::trn {

struct Machine;

/// Picoseconds per unit, as a binary fraction: the only place where a machine's
/// real numbers become integers.
class Rate {
public:
  Rate() = default;
  explicit Rate(double picoseconds);

  /// The time of `amount` units, to the nearest picosecond.
  int64_t operator()(int64_t amount) const {
    __int128 product = static_cast<__int128>(amount) * scaled;
    return static_cast<int64_t>((product + (int64_t(1) << (shift - 1))) >>
                                shift);
  }

private:
  static constexpr int shift = 24;
  int64_t scaled = 0;
};

/// A transfer's share of work for one DMA engine.
struct DmaShare {
  int64_t bytes = 0;
  int64_t descriptors = 0;
};

/// Costs of transfers in picoseconds, for one way of making descriptors.
struct DmaCosts {
  DmaCosts(const Machine &machine, const Machine::DmaMode &mode);

  /// Time of one DMA engine for its share. `transposed` transfers move bytes at
  /// a lower rate.
  int64_t moved(const DmaShare &share, bool transposed) const;
  /// Least time from the first byte of a share to its completion.
  int64_t completed(const DmaShare &share) const {
    return share.descriptors > 0 ? dmaMinTransfer : 0;
  }

  int64_t dmaEngines, partitionsPerEngine;
  Rate dmaByte, dmaTransposedByte, dmaDescriptor;
  int64_t dmaMinDescriptor, dmaMinScattered, dmaMinTransfer, dmaCompletion;
  int64_t dmaScatteredBytes;
};

/// A machine's costs in picoseconds, and the formulas of docs/CostModel.md.
struct Costs : DmaCosts {
  /// `machine` must outlive the costs.
  explicit Costs(const Machine &machine);

  /// Time until the engine of an instruction, other than a transfer, can take
  /// the next one.
  int64_t occupied(const Instruction &instruction) const;
  /// Time from its start until readers see its result.
  int64_t visible(const Instruction &instruction) const;

  /// Descriptors of rows chosen by a tile are always generated while the kernel
  /// runs (DGE:76-79).
  const DmaCosts &of(const Instruction &transfer) const {
    return isIndirect(transfer.semantics) ? indirect : *this;
  }
  /// The function table that an instruction needs; 0 for none.
  int64_t tableOf(const Instruction &instruction) const;
  /// The share of DMA engine `engine` in a transfer over partitions [first,
  /// first + count) on chip. Partition p belongs to the engine p div
  /// partitionsPerEngine.
  DmaShare share(const Work &work, int64_t engine, int64_t first,
                 int64_t count) const;
  /// The same for a transfer within HBM: all engines take equal parts.
  DmaShare share(const Work &work, int64_t engine) const;

  Rate tensorColumn;
  /// A cycle of Vector, Scalar and GpSimd, by `Engine`.
  Rate cycle[4];
  /// By `Engine`.
  int64_t accessCycles[4], latencyCycles[4];
  int64_t functionLatencyCycles, memsetLatencyCycles, scanInitialsCycles;
  int64_t minCycles, minLatencyCycles;
  int64_t tensorLatency, tensorThrottle;
  std::array<int64_t, numFunctions> functionTables;
  int64_t functionSwap;
  int64_t semaphore;
  DmaCosts indirect;
  int64_t dmaLatency;
  int64_t kernelOverhead;

private:
  struct CollectiveTime {
    int64_t occupied, visible;
  };
  CollectiveTime collective(const Instruction &instruction) const;
  /// The same among the cores of a logical one.
  int64_t collectiveInHbm(const Instruction &instruction) const;
  int64_t meeting(const Instruction &instruction) const;
  int64_t transfer(const Work &work) const;

  const Machine &machine;
};

/// Whether `engine` is one of the DMA queues.
constexpr bool isDma(Engine engine) {
  return engine == Engine::Load || engine == Engine::Store;
}

} // namespace mlir::trn

#endif // TRN_SIMULATOR_COST_H
