//===- Machine.h - Facts about a NeuronCore ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_MACHINE_H
#define TRN_MACHINE_MACHINE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace mlir::trn {

/// The facts about one NeuronCore that legality and cost are computed from.
/// Every field's unit, kind and source is in the table of `MachineFields.h`;
/// the machines themselves are in `KnownMachines.cpp`.
struct Machine {
  std::string name;

  // Legality.
  int64_t partitions;         // of SBUF and PSUM; contraction of one matmul
  int64_t stationaryFreeMax;  // elements: M of one matmul
  int64_t movingFreeMax;      // elements: N of one matmul
  int64_t sbufPartitionBytes; // usable bytes a partition
  int64_t psumBanks;
  int64_t psumBankBytes; // bytes a partition and bank
  int64_t sbufFreeMax;   // elements of one access in SBUF
  int64_t psumFreeMax;   // elements of one access in PSUM
  int64_t vectorTransposeSize; // rows and columns of a VectorE transpose
  bool dmaTranspose;           // the DMA engines can transpose
  bool psumTransposeNarrow;    // transposes may leave 16-bit values in PSUM
  bool activationScalarBias;   // activation takes a scalar bias
  bool portLocks; // Vector/GpSimd not in SBUF, Vector/Scalar not in PSUM together

  // Rates.
  double tensorNsPerColumn;    // one pass of the tensor engine, effective
  double tensorPeakTflopsBF16; // nominal; MFU is against this
  double tensorPeakTflopsF32;
  int64_t tensorF32Passes;
  int64_t tensorMinCycles; // shortest matmul, in columns
  double tensorLatencyNs;  // issue to PSUM visible
  double vectorGHz, scalarGHz, gpsimdGHz;
  int64_t minCycles;          // shortest instruction of the other engines
  int64_t accessCycles;       // fixed cycles of an instruction (partly hidden)
  int64_t dependentCycles;    // extra cycles when the operand was just produced
  double semaphoreNs;         // handoff between two engines
  int64_t dmaEngines;
  double dmaGBPerSecondPerEngine; // sustained bytes a nanosecond
  double dmaNsPerDescriptor;
  double dmaLatencyNs; // trigger to data
  double kernelOverheadNs;

  /// FLOP/byte at which tensor engine and DMA take equally long for bf16.
  double ridge() const;
  int64_t psumPartitionBytes() const { return psumBanks * psumBankBytes; }
};

} // namespace mlir::trn

#endif // TRN_MACHINE_MACHINE_H
