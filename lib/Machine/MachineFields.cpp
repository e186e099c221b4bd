//===- MachineFields.cpp - The table of machine constants -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/MachineFields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>

using namespace mlir::trn;

using Range = MachineField::Range;

double MachineField::get(const Machine &machine) const {
  return std::visit(
      [&](auto member) { return static_cast<double>(machine.*member); },
      member);
}

void MachineField::set(Machine &machine, double value) const {
  std::visit(
      [&](auto member) {
        using T = std::decay_t<decltype(machine.*member)>;
        machine.*member = static_cast<T>(value);
      },
      member);
}

static const MachineField fields[] = {
    // Legality.
    {"partitions", "partitions", &Machine::partitions, Range::Positive, false,
     "partitions of SBUF and PSUM, and the longest contraction of one matmul"},
    {"partition_granule", "partitions", &Machine::partitionGranule,
     Range::Positive, false,
     "an access of at most this many partitions starts at a multiple of it; "
     "one of at most twice as many at a multiple of twice it; others at 0"},
    {"stationary_free_max", "elements", &Machine::stationaryFreeMax,
     Range::Positive, false,
     "free size of the stationary operand: M of one matmul"},
    {"moving_free_max", "elements", &Machine::movingFreeMax, Range::Positive,
     false, "free size of the moving operand: N of one matmul"},
    {"sbuf_partition_bytes", "bytes", &Machine::sbufPartitionBytes,
     Range::Positive, false, "usable SBUF of one partition"},
    {"psum_banks", "banks", &Machine::psumBanks, Range::Positive, false,
     "PSUM banks; one accumulation group may be open in each"},
    {"psum_bank_bytes", "bytes", &Machine::psumBankBytes, Range::Positive,
     false, "one bank of one partition; a tile does not straddle banks"},
    {"sbuf_free_max", "elements", &Machine::sbufFreeMax, Range::Positive, false,
     "elements a partition of one access to SBUF"},
    {"psum_free_max", "elements", &Machine::psumFreeMax, Range::Positive, false,
     "elements a partition of one access to PSUM"},
    {"access_dims_max", "dimensions", &Machine::accessDimsMax, Range::Positive,
     false, "strided free dimensions of one access"},
    {"access_stride_max", "elements", &Machine::accessStrideMax,
     Range::Positive, false,
     "distance of neighbours in a strided free dimension of one access"},
    {"vector_transpose_size", "elements", &Machine::vectorTransposeSize,
     Range::Positive, false, "rows and columns of a transpose on VectorE"},
    {"dma_transpose", "", &Machine::dmaTranspose, Range::MayBeZero, false,
     "the DMA engines can transpose"},
    {"psum_transpose_narrow", "", &Machine::psumTransposeNarrow,
     Range::MayBeZero, false,
     "a transpose on the tensor engine may leave 16-bit values in PSUM"},
    {"activation_scalar_bias", "", &Machine::activationScalarBias,
     Range::MayBeZero, false, "activation takes a scalar bias"},
    {"port_locks", "", &Machine::portLocks, Range::MayBeZero, false,
     "VectorE and GpSimd exclude each other in SBUF, VectorE and ScalarE in "
     "PSUM"},
    // Tensor engine.
    {"tensor_ns_per_column", "ns", &Machine::tensorNsPerColumn, Range::Positive,
     false, "one moving column, one pass, at the rate that kernels reach"},
    {"tensor_peak_tflops_bf16", "TFLOP/s", &Machine::tensorPeakTflopsBF16,
     Range::Positive, false, "nominal peak, which MFU is measured against"},
    {"tensor_peak_tflops_f32", "TFLOP/s", &Machine::tensorPeakTflopsF32,
     Range::Positive, false, "the same for f32"},
    {"tensor_f32_passes", "passes", &Machine::tensorF32Passes, Range::Positive,
     false, "passes of an f32 matmul"},
    {"tensor_f32_transpose_passes", "passes",
     &Machine::tensorF32TransposePasses, Range::Positive, false,
     "passes of an f32 transpose on the tensor engine"},
    {"tensor_min_cycles", "columns", &Machine::tensorMinCycles, Range::Positive,
     false, "shortest matmul"},
    {"tensor_latency_ns", "ns", &Machine::tensorLatencyNs, Range::MayBeZero,
     false, "from the last moving column until PSUM shows the result"},
    {"tensor_throttle_ns", "ns", &Machine::tensorThrottleNs, Range::MayBeZero,
     true,
     "used for less than half of so long, the engine runs at half rate for its "
     "next so many nanoseconds of work (default 0, never)"},
    // The other engines.
    {"vector_ghz", "GHz", &Machine::vectorGHz, Range::Positive, false,
     "clock of VectorE"},
    {"scalar_ghz", "GHz", &Machine::scalarGHz, Range::Positive, false,
     "clock of ScalarE"},
    {"gpsimd_ghz", "GHz", &Machine::gpsimdGHz, Range::Positive, false,
     "clock of GpSimd"},
    {"min_cycles", "cycles", &Machine::minCycles, Range::Positive, false,
     "shortest interval between instructions of Vector, Scalar and GpSimd"},
    {"vector_access_cycles", "cycles", &Machine::vectorAccessCycles,
     Range::MayBeZero, false,
     "fixed cost of an instruction of VectorE beside its elements"},
    {"scalar_access_cycles", "cycles", &Machine::scalarAccessCycles,
     Range::MayBeZero, false, "the same on ScalarE"},
    {"gpsimd_access_cycles", "cycles", &Machine::gpsimdAccessCycles,
     Range::MayBeZero, false, "the same on GpSimd"},
    {"dependent_cycles", "cycles", &Machine::dependentCycles, Range::MayBeZero,
     false, "more when the previous instruction produced the operand"},
    {"reduce_extra_cycles", "cycles", &Machine::reduceExtraCycles,
     Range::MayBeZero, false, "more when an instruction also reduces its rows"},
    {"iota_start_cycles", "cycles", &Machine::iotaStartCycles, Range::MayBeZero,
     false, "iota and affine_select on GpSimd, before the first element"},
    {"reciprocal_cycles_per_element", "cycles",
     &Machine::reciprocalCyclesPerElement, Range::Positive, false,
     "reciprocal on VectorE"},
    {"vector_fast_copy", "elements", &Machine::vectorFastCopy, Range::Positive,
     true,
     "16-bit elements a cycle, one input, within SBUF, contiguous (default 1)"},
    {"vector_fast_copy_mixed", "elements", &Machine::vectorFastCopyMixed,
     Range::Positive, true,
     "the same with one side in PSUM or strided (default 1)"},
    {"vector_fast_tensor_tensor", "elements", &Machine::vectorFastTensorTensor,
     Range::Positive, true,
     "16-bit elements every two cycles, two inputs in SBUF (default 1)"},
    {"semaphore_ns", "ns", &Machine::semaphoreNs, Range::MayBeZero, false,
     "handoff from one engine to another"},
    // DMA and the kernel as a whole.
    {"dma_engines", "engines", &Machine::dmaEngines, Range::Positive, false,
     "DMA engines of one core"},
    {"dma_gb_per_second_per_engine", "GB/s", &Machine::dmaGBPerSecondPerEngine,
     Range::Positive, false, "rate of one engine while data moves"},
    {"dma_ns_per_descriptor", "ns", &Machine::dmaNsPerDescriptor,
     Range::MayBeZero, false,
     "an engine's time for each contiguous piece beside its bytes"},
    {"dma_min_ns_per_descriptor", "ns", &Machine::dmaMinNsPerDescriptor,
     Range::MayBeZero, true,
     "an engine's time for a contiguous piece, bytes included, is at least "
     "this (default 0)"},
    {"dma_saturating_bytes", "bytes", &Machine::dmaSaturatingBytes,
     Range::Positive, false,
     "contiguous piece at which the sustained rate is stated"},
    {"dma_latency_ns", "ns", &Machine::dmaLatencyNs, Range::MayBeZero, false,
     "from trigger to data; transfers pipeline"},
    {"dma_min_transfer_ns", "ns", &Machine::dmaMinTransferNs, Range::MayBeZero,
     true,
     "from the first byte of a transfer to its completion at least (default "
     "0)"},
    {"dma_scattered_bytes", "bytes", &Machine::dmaScatteredBytes,
     Range::MayBeZero, true,
     "shorter pieces occupy an engine one by one: those beyond the first of "
     "each partition as if a transfer had one in all of them (default 0)"},
    {"dma_transpose_efficiency", "", &Machine::dmaTransposeEfficiency,
     Range::Fraction, true,
     "part of the rate that is left when the DMA transposes (default 1)"},
    {"kernel_overhead_ns", "ns", &Machine::kernelOverheadNs, Range::MayBeZero,
     false, "fixed time of a kernel beside its instructions"},
};

llvm::ArrayRef<MachineField> mlir::trn::machineFields() { return fields; }

std::optional<size_t> mlir::trn::findMachineField(llvm::StringRef key) {
  const auto *it = llvm::find_if(
      fields, [&](const auto &field) { return field.key == key; });
  if (it == std::end(fields))
    return std::nullopt;
  return it - std::begin(fields);
}

std::string mlir::trn::formatNumber(double value) {
  std::string text;
  for (int digits = 6; digits <= std::numeric_limits<double>::max_digits10;
       ++digits) {
    text.clear();
    llvm::raw_string_ostream(text) << llvm::format("%.*g", digits, value);
    double again = 0;
    if (!llvm::StringRef(text).getAsDouble(again) && again == value)
      break;
  }
  return text;
}

llvm::StringRef mlir::trn::stringify(FactKind kind) {
  switch (kind) {
  case FactKind::Legality:
    return "legality";
  case FactKind::Published:
    return "published";
  case FactKind::Fitted:
    return "fitted";
  case FactKind::Assumed:
    return "assumed";
  }
  return "";
}

std::optional<FactKind> mlir::trn::parseFactKind(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<FactKind>>(name)
      .Case("legality", FactKind::Legality)
      .Case("published", FactKind::Published)
      .Case("fitted", FactKind::Fitted)
      .Case("assumed", FactKind::Assumed)
      .Default(std::nullopt);
}
