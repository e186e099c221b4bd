//===- Machine.h - Facts about a NeuronCore ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_MACHINE_H
#define TRN_MACHINE_MACHINE_H

#include "trn/Machine/Function.h"
#include "trn/Machine/Origin.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::trn {

/// The facts about one NeuronCore on which legality and cost are based. The
/// table in `MachineFields.h` has key, unit and meaning of every field.
/// `KnownMachines.cpp` has the machines themselves, with sources.
struct Machine {
  std::string name;

  // Legality.
  int64_t partitions = 0; // of SBUF and PSUM; contraction of one matmul
  int64_t partitionGranule = 0, tensorColumnGranule = 0; // of where they start
  int64_t stationaryFreeMax = 0;            // elements: M of one matmul
  int64_t movingFreeMax = 0;                // elements: N of one matmul
  int64_t sbufPartitionBytes = 0;           // usable bytes a partition
  int64_t psumBanks = 0, psumBankBytes = 0; // and bytes a partition of each
  int64_t sbufFreeMax = 0, psumFreeMax = 0; // elements of one access
  int64_t accessDimsMax = 0;                // strided dimensions of one access
  int64_t accessStrideMax = 0;              // elements between two steps of one
  int64_t vectorTransposeSize = 0; // rows and columns of a VectorE transpose
  int64_t bnStatsFreeMax = 0, searchFreeMax = 0; // of bn_stats, max8; 0 for any
  bool dmaTranspose = false;         // the DMA engines can transpose
  bool psumTransposeNarrow = false;  // transposes may leave 16 bits in PSUM
  bool activationScalarBias = false; // activation takes a scalar bias
  bool portLocks = false; // VectorE locks GpSimd out of SBUF, ScalarE of PSUM

  // Tensor engine.
  double tensorNsPerColumn = 0;    // one pass, effective
  double tensorPeakTflopsBF16 = 0; // nominal; MFU is against this
  double tensorPeakTflopsF32 = 0;
  int64_t tensorF32Passes = 0;
  int64_t tensorF32TransposePasses = 0;
  int64_t tensorMinCycles = 0; // shortest matmul, in columns
  double tensorLatencyNs = 0;  // last moving column to PSUM visible
  double tensorThrottleNs = 0; // at half rate after low use; 0 for never

  // The other engines.
  double vectorGHz = 0, scalarGHz = 0, gpsimdGHz = 0;
  int64_t minCycles = 0; // shortest instruction
  // Fixed cycles of an instruction, partly hidden.
  int64_t vectorAccessCycles = 0, scalarAccessCycles = 0,
          gpsimdAccessCycles = 0;
  // From start to result, beside the elements: by engine, for ScalarE copies
  // and functions, for memset; the least; and more for a scan from a column.
  int64_t vectorLatencyCycles = 0, scalarLatencyCycles = 0,
          scalarFunctionLatencyCycles = 0, gpsimdLatencyCycles = 0,
          memsetLatencyCycles = 0, minLatencyCycles = 0, scanInitialsCycles = 0;
  int64_t reduceExtraCycles = 0; // for a reduction beside the elementwise work
  int64_t iotaStartCycles = 0;   // before the first element, on GpSimd
  int64_t reciprocalCyclesPerElement = 0;
  // VectorE cycles per element. One input, contiguous and within SBUF: from
  // f32, from 16 bits to f32, to 16 bits, and from 8 bits (0: as from 16 to
  // f32). One side in PSUM or strided: with f32, and without.
  double vectorCopyF32Cycles = 0, vectorCopyWideningCycles = 0,
         vectorCopyNarrowCycles = 0, vectorCopyByteCycles = 0,
         vectorCopyMixedCycles = 0, vectorCopyMixedNarrowCycles = 0;
  // Two inputs within SBUF: with f32, of 16 bits, and of bf16 alone for
  // additions, subtractions and multiplications.
  double vectorPairF32Cycles = 0, vectorPairNarrowCycles = 0,
         vectorPairBF16Cycles = 0;
  double memsetCyclesPerElement = 0;
  /// ScalarE computes functions from tables, and holds one table at a time.
  /// This is the number of each function's table, 0 if it needs none.
  std::array<int64_t, numFunctions> functionTables = {};
  double functionSwapNs = 0; // to load another table
  double semaphoreNs = 0;    // handoff between two engines

  // DMA and the kernel as a whole.
  int64_t dmaEngines = 0;
  double dmaGBPerSecondPerEngine = 0; // while data moves, bytes a nanosecond
  double dmaNsPerDescriptor = 0;      // occupancy of an engine beside the bytes
  double dmaMinNsPerDescriptor = 0;   // least occupancy, bytes included
  int64_t dmaSaturatingBytes = 0; // contiguous bytes that count as a full row
  double dmaLatencyNs = 0;        // trigger to data; transfers pipeline
  double dmaMinTransferNs = 0;    // first byte to completion
  // The same if descriptors are static, not generated.
  bool dmaStaticDescriptors = false;
  double dmaStaticGBPerSecondPerEngine = 0, dmaStaticNsPerDescriptor = 0,
         dmaStaticCompletionNs = 0;
  int64_t dmaScatteredBytes = 0;     // shorter pieces go one by one
  double dmaTransposeEfficiency = 1; // part of the rate left when transposing
  double kernelOverheadNs = 0;

  // Several cores. A collective takes the time of its bytes, and a latency
  // between those of small and of large messages.
  double collectiveGBPerSecond = 0; // bytes a nanosecond; 0 if not known
  double collectiveLatencyNs = 0, collectiveLargeLatencyNs = 0;
  int64_t collectiveSmallBytes = 0, collectiveLargeBytes = 0;
  double hbmGBPerSecond = 0, hbmGiB = 0; // of a stack; 0 for no limit
  int64_t hbmCores = 0;                  // that share it
  int64_t lnc = 0, chipCores = 0; // of a logical core (0: 1), a chip (0: all)
  double linkGBPerSecond = 0, linkHopNs = 0; // of a chip, between two chips

  // Error of kernels outside the fit, by their busiest engine.
  double rangeTensorPercent = 0, rangeVectorPercent = 0, rangeScalarPercent = 0,
         rangeDmaPercent = 0;

  /// Parallel to `machineFields()`.
  std::vector<Origin> origins;

  /// The cost of transfers, by the way descriptors are made.
  struct DmaMode {
    double gbPerSecondPerEngine, nsPerDescriptor, minNsPerDescriptor,
        minTransferNs, completionNs;
  };
  DmaMode dmaMode() const, generatedDmaMode() const;
  /// Nanoseconds of one DMA engine for pieces of equal size.
  double dmaEngineNs(double bytes, double descriptors) const;
  /// One of `cores` cores that do the same at the same time: it has a share of
  /// HBM's rate.
  Machine ofCores(int64_t cores) const;
  /// The cores of `logicalCores` logical ones.
  int64_t coresOf(int64_t logicalCores) const {
    return logicalCores * (lnc > 1 ? lnc : 1);
  }
  /// Nanoseconds of a collective of `cores` cores over an array of `bytes`, of
  /// which each core sends `sent`.
  double collectiveNs(int64_t cores, double bytes, double sent) const;
  /// Rate of all engines together with full rows: bytes per nanosecond.
  double dmaSustainedGBPerSecond() const;
  /// FLOPs per nanosecond at the effective rate; a multiply-add is two.
  double tensorFlopsPerNs(bool f32) const;
  /// FLOP/byte for which tensor engine and DMA take equally long in bf16.
  double ridge() const;
  int64_t psumPartitionBytes() const { return psumBanks * psumBankBytes; }
  /// The banks of a tile with so many bytes of a partition: at least 1.
  int64_t psumBanksOf(int64_t bytes) const;
};

} // namespace mlir::trn

#endif // TRN_MACHINE_MACHINE_H
