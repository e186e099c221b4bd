//===- VerifyMachine.cpp - Is this machine possible? ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MachineError.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Machine/MachineIO.h"
#include "trn/Support/FloatTypes.h"

using namespace mlir::trn;
using llvm::Error;
using llvm::StringRef;

/// Partitions, banks and engines are counted in tables that have an entry for
/// each; what is only calculated with may be far larger.
/// The limits of what makes sense, far beyond any machine: with them neither
/// the time of an instruction nor that of the longest kernel overflows.
static std::pair<double, double> limitsOf(const MachineField &field) {
  StringRef unit = field.unit;
  if (unit == "partitions" || unit == "banks" || unit == "engines" ||
      unit == "cycles" || unit == "columns" || unit == "passes" ||
      unit == "dimensions" || unit == "cores")
    return {1, 65536};
  if (unit == "bytes" || unit == "elements")
    return {1, 1e9};
  if (unit == "%")
    return {1e-3, 90};
  if (unit == "table")
    return {1, 64};
  if (unit == "cycles/element")
    return {1e-3, 65536};
  if (unit == "ns")
    return {1e-6, 1e6};
  return {1e-3, 1e6}; // rates, efficiencies
}

Error mlir::trn::verifyRange(const MachineField &field, double value,
                             StringRef where) {
  auto [least, most] = limitsOf(field);
  std::string rule;
  if (field.range == MachineField::Range::Positive && value <= 0)
    rule = "positive";
  else if (field.range == MachineField::Range::MayBeZero && value < 0)
    rule = "zero or more";
  else if (field.range == MachineField::Range::Fraction &&
           (value <= 0 || value > 1))
    rule = "above 0 and at most 1";
  else if (value < least && field.range != MachineField::Range::MayBeZero)
    rule = "at least " + formatNumber(least);
  else if (value > most)
    rule = "at most " + formatNumber(most);
  if (rule.empty())
    return Error::success();
  return machineError(where, "'{0}' is {1}, but must be {2}", field.key,
                      formatNumber(value), rule);
}

Error mlir::trn::verifyMachine(const Machine &machine, StringRef where) {
  for (const MachineField &field : machineFields())
    if (Error err = verifyRange(field, field.get(machine), where))
      return err;

  int64_t movingRowBytes = machine.movingFreeMax * byteSize(ElementType::F32);
  if (movingRowBytes > machine.psumBankBytes)
    return machineError(
        where,
        "'moving_free_max' is {0}, so an f32 result row takes {1} "
        "bytes, but 'psum_bank_bytes' is {2}",
        machine.movingFreeMax, movingRowBytes, machine.psumBankBytes);
  if (movingRowBytes > machine.sbufPartitionBytes)
    return machineError(
        where,
        "'moving_free_max' is {0}, so an f32 operand row takes {1} "
        "bytes, but 'sbuf_partition_bytes' is {2}",
        machine.movingFreeMax, movingRowBytes, machine.sbufPartitionBytes);
  if (machine.stationaryFreeMax > machine.partitions)
    return machineError(
        where,
        "'stationary_free_max' is {0}, and each of its columns becomes "
        "a partition of PSUM, but 'partitions' is {1}",
        machine.stationaryFreeMax, machine.partitions);
  if (machine.partitions % machine.partitionGranule != 0)
    return machineError(where,
                        "'partitions' is {0}, but must be a multiple of "
                        "'partition_granule', which is {1}",
                        machine.partitions, machine.partitionGranule);
  if (machine.vectorTransposeSize > machine.partitions)
    return machineError(
        where, "'vector_transpose_size' is {0}, but 'partitions' is {1}",
        machine.vectorTransposeSize, machine.partitions);
  if (machine.tensorPeakTflopsF32 > machine.tensorPeakTflopsBF16)
    return machineError(where,
                        "'tensor_peak_tflops_f32' is {0}, but "
                        "'tensor_peak_tflops_bf16' is only {1}",
                        formatNumber(machine.tensorPeakTflopsF32),
                        formatNumber(machine.tensorPeakTflopsBF16));

  if (machine.lnc > std::max<int64_t>(machine.hbmCores, 1))
    return machineError(where,
                        "'lnc' is {0}, but the cores of a logical core share "
                        "HBM, and 'hbm_cores' is {1}",
                        machine.lnc, machine.hbmCores);
  if (machine.dmaStaticDescriptors &&
      machine.dmaStaticGBPerSecondPerEngine < 1e-3)
    return machineError(where,
                        "'dma_static_descriptors' is true, but "
                        "'dma_static_gb_per_second_per_engine' is {0}; it must "
                        "be at least 0.001",
                        formatNumber(machine.dmaStaticGBPerSecondPerEngine));

  // FLOP a nanosecond are GFLOP/s. Rounded constants may exceed a little.
  constexpr double tolerance = 1.001;
  double effective = machine.tensorFlopsPerNs(/*f32=*/false) / 1000;
  if (effective > machine.tensorPeakTflopsBF16 * tolerance)
    return machineError(
        where,
        "'tensor_ns_per_column' is {0}, which is {1:F2} TFLOP/s, but "
        "'tensor_peak_tflops_bf16' is only {2}; raise the peak too",
        formatNumber(machine.tensorNsPerColumn), effective,
        machine.tensorPeakTflopsBF16);
  return Error::success();
}
