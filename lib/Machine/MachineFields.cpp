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

/// What `member` stands for in `machine`.
template <typename M, typename T>
static auto &resolve(M &machine, T Machine::*member) {
  return machine.*member;
}
template <typename M>
static auto &resolve(M &machine, Function function) {
  return machine.functionTables[static_cast<int64_t>(function)];
}

double MachineField::get(const Machine &machine) const {
  return std::visit(
      [&](auto member) {
        return static_cast<double>(resolve(machine, member));
      },
      member);
}

void MachineField::set(Machine &machine, double value) const {
  std::visit(
      [&](auto member) {
        auto &field = resolve(machine, member);
        field = static_cast<std::decay_t<decltype(field)>>(value);
      },
      member);
}

/// The table of `function`, which takes one value.
static MachineField tableOf(Function function, llvm::StringRef key) {
  return {key,
          "table",
          function,
          Range::MayBeZero,
          true,
          "table of functions that ScalarE needs for it (default 0, none)"};
}

static const MachineField fields[] = {
    // Legality.
    {"partitions", "partitions", &Machine::partitions, Range::Positive, false,
     "partitions of SBUF and PSUM, and the longest contraction of one matmul"},
    {"partition_granule", "partitions", &Machine::partitionGranule,
     Range::Positive, false,
     "an access of at most this many partitions starts at a multiple of it; "
     "one of at most twice as many at a multiple of twice it; others at 0"},
    {"tensor_column_granule", "columns", &Machine::tensorColumnGranule,
     Range::MayBeZero, true,
     "the smallest part of the tensor engine's columns that multiplies alone: "
     "its results start at a multiple of this, too (default 0, wherever "
     "partition_granule allows)"},
    {"stationary_free_max", "elements", &Machine::stationaryFreeMax,
     Range::Positive, false,
     "free size of the stationary operand: M of one matmul"},
    {"moving_free_max", "elements", &Machine::movingFreeMax, Range::Positive,
     false, "free size of the moving operand: N of one matmul"},
    {"sbuf_partition_bytes", "bytes", &Machine::sbufPartitionBytes,
     Range::Positive, false, "usable SBUF of one partition"},
    {"psum_banks", "banks", &Machine::psumBanks, Range::Positive, false,
     "PSUM banks"},
    {"psum_bank_bytes", "bytes", &Machine::psumBankBytes, Range::Positive,
     false, "one bank of one partition; the tensor engine writes inside one"},
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
    {"bn_stats_free_max", "elements", &Machine::bnStatsFreeMax,
     Range::MayBeZero, true,
     "elements a partition of one bn_stats (default 0, any)"},
    {"search_free_max", "elements", &Machine::searchFreeMax, Range::MayBeZero,
     true,
     "elements a partition of one max8, find_index8 or match_replace8 (default "
     "0, any)"},
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
     "window of the throttle: after use for less than half of it, the engine "
     "runs at half rate for as much work (default 0, never)"},
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
    {"vector_latency_cycles", "cycles", &Machine::vectorLatencyCycles,
     Range::MayBeZero, false,
     "from the start of an instruction of VectorE to its result, beside its "
     "elements"},
    {"scalar_latency_cycles", "cycles", &Machine::scalarLatencyCycles,
     Range::MayBeZero, false, "the same for copies on ScalarE"},
    {"scalar_function_latency_cycles", "cycles",
     &Machine::scalarFunctionLatencyCycles, Range::MayBeZero, false,
     "the same for other functions of ScalarE"},
    {"gpsimd_latency_cycles", "cycles", &Machine::gpsimdLatencyCycles,
     Range::MayBeZero, false, "the same on GpSimd"},
    {"memset_latency_cycles", "cycles", &Machine::memsetLatencyCycles,
     Range::MayBeZero, false,
     "the same for memset, which reads nothing; it occupies its engine no "
     "longer"},
    {"scan_initials_cycles", "cycles", &Machine::scanInitialsCycles,
     Range::MayBeZero, false,
     "additional latency of a scan whose first values are in a column"},
    {"min_latency_cycles", "cycles", &Machine::minLatencyCycles,
     Range::MayBeZero, true,
     "shortest time from start to result on Vector, Scalar and GpSimd "
     "(default 0)"},
    {"reduce_extra_cycles", "cycles", &Machine::reduceExtraCycles,
     Range::MayBeZero, false,
     "additional time if an instruction also reduces its rows"},
    {"iota_start_cycles", "cycles", &Machine::iotaStartCycles, Range::MayBeZero,
     false, "iota and affine_select on GpSimd, before the first element"},
    {"reciprocal_cycles_per_element", "cycles",
     &Machine::reciprocalCyclesPerElement, Range::Positive, false,
     "reciprocal on VectorE"},
    {"vector_copy_f32_cycles", "cycles/element", &Machine::vectorCopyF32Cycles,
     Range::Positive, false,
     "VectorE, one input: from f32, within SBUF and contiguous"},
    {"vector_copy_widening_cycles", "cycles/element",
     &Machine::vectorCopyWideningCycles, Range::Positive, false,
     "the same from 16 bits to f32"},
    {"vector_copy_narrow_cycles", "cycles/element",
     &Machine::vectorCopyNarrowCycles, Range::Positive, false,
     "the same from 16 bits to 16 bits"},
    {"vector_copy_byte_cycles", "cycles/element",
     &Machine::vectorCopyByteCycles, Range::MayBeZero, true,
     "the same from 8 bits (default 0: as from 16 bits to f32)"},
    {"vector_copy_mixed_cycles", "cycles/element",
     &Machine::vectorCopyMixedCycles, Range::Positive, false,
     "one input, one side in PSUM or strided, if f32 takes part"},
    {"vector_copy_mixed_narrow_cycles", "cycles/element",
     &Machine::vectorCopyMixedNarrowCycles, Range::Positive, false,
     "the same of 16 bits alone"},
    {"vector_pair_f32_cycles", "cycles/element", &Machine::vectorPairF32Cycles,
     Range::Positive, false,
     "VectorE, two inputs within SBUF, if f32 takes part"},
    {"vector_pair_narrow_cycles", "cycles/element",
     &Machine::vectorPairNarrowCycles, Range::Positive, false,
     "the same of 16 bits alone"},
    {"vector_pair_bf16_cycles", "cycles/element",
     &Machine::vectorPairBF16Cycles, Range::Positive, false,
     "the same of bf16 alone, contiguous, to add, subtract or multiply"},
    {"memset_cycles_per_element", "cycles/element",
     &Machine::memsetCyclesPerElement, Range::Positive, false,
     "memset; zeros of 16 bits take half of it"},
    tableOf(Function::Copy, "function_table_copy"),
    tableOf(Function::Relu, "function_table_relu"),
    tableOf(Function::Silu, "function_table_silu"),
    tableOf(Function::Gelu, "function_table_gelu"),
    tableOf(Function::GeluApprxTanh, "function_table_gelu_apprx_tanh"),
    tableOf(Function::Softplus, "function_table_softplus"),
    tableOf(Function::Mish, "function_table_mish"),
    tableOf(Function::Sigmoid, "function_table_sigmoid"),
    tableOf(Function::Tanh, "function_table_tanh"),
    tableOf(Function::Erf, "function_table_erf"),
    tableOf(Function::Exp, "function_table_exp"),
    tableOf(Function::Log, "function_table_log"),
    tableOf(Function::Square, "function_table_square"),
    tableOf(Function::Sqrt, "function_table_sqrt"),
    tableOf(Function::Rsqrt, "function_table_rsqrt"),
    tableOf(Function::Reciprocal, "function_table_reciprocal"),
    tableOf(Function::Abs, "function_table_abs"),
    tableOf(Function::Sin, "function_table_sin"),
    tableOf(Function::Arctan, "function_table_arctan"),
    tableOf(Function::Sign, "function_table_sign"),
    tableOf(Function::GeluApprxSigmoid, "function_table_gelu_apprx_sigmoid"),
    tableOf(Function::SiluDx, "function_table_silu_dx"),
    tableOf(Function::GeluDx, "function_table_gelu_dx"),
    tableOf(Function::GeluApprxSigmoidDx,
            "function_table_gelu_apprx_sigmoid_dx"),
    tableOf(Function::ErfDx, "function_table_erf_dx"),
    {"function_swap_ns", "ns", &Machine::functionSwapNs, Range::MayBeZero, true,
     "ScalarE loads another table of functions (default 0)"},
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
    {"dma_static_descriptors", "", &Machine::dmaStaticDescriptors,
     Range::MayBeZero, true,
     "descriptors are made before the kernel runs, not generated while it "
     "runs: "
     "the next three constants hold instead of the rate, the time of a piece, "
     "its least time and the least time of a transfer (default no)"},
    {"dma_static_gb_per_second_per_engine", "GB/s",
     &Machine::dmaStaticGBPerSecondPerEngine, Range::MayBeZero, true,
     "rate of one engine with static descriptors"},
    {"dma_static_ns_per_descriptor", "ns", &Machine::dmaStaticNsPerDescriptor,
     Range::MayBeZero, true,
     "an engine's time for each contiguous piece beside its bytes, with static "
     "descriptors"},
    {"dma_static_completion_ns", "ns", &Machine::dmaStaticCompletionNs,
     Range::MayBeZero, true,
     "from the last byte of a transfer to its completion, with static "
     "descriptors"},
    {"dma_scattered_bytes", "bytes", &Machine::dmaScatteredBytes,
     Range::MayBeZero, true,
     "shorter pieces occupy an engine one by one: those beyond the first of "
     "each partition as if a transfer had one in all of them (default 0)"},
    {"dma_transpose_efficiency", "", &Machine::dmaTransposeEfficiency,
     Range::Fraction, true,
     "share of the rate when the DMA transposes (default 1)"},
    {"kernel_overhead_ns", "ns", &Machine::kernelOverheadNs, Range::MayBeZero,
     false, "fixed time of a kernel beside its instructions"},
    // Several cores.
    {"collective_gb_per_second", "GB/s", &Machine::collectiveGBPerSecond,
     Range::MayBeZero, true,
     "rate at which a core sends in a collective (default 0, not known: there "
     "are no collectives)"},
    {"collective_latency_ns", "ns", &Machine::collectiveLatencyNs,
     Range::MayBeZero, true,
     "time of a collective of few bytes, beside these (default 0)"},
    {"collective_large_latency_ns", "ns", &Machine::collectiveLargeLatencyNs,
     Range::MayBeZero, true, "the same for many bytes (default 0)"},
    {"collective_small_bytes", "bytes", &Machine::collectiveSmallBytes,
     Range::MayBeZero, true,
     "limit of few bytes, of a whole array; between both limits the time grows "
     "linearly (default 0)"},
    {"collective_large_bytes", "bytes", &Machine::collectiveLargeBytes,
     Range::MayBeZero, true, "limit of many bytes (default 0)"},
    {"hbm_gb_per_second", "GB/s", &Machine::hbmGBPerSecond, Range::MayBeZero,
     true,
     "rate of a stack of HBM, which several cores share (default 0, no limit)"},
    {"hbm_cores", "cores", &Machine::hbmCores, Range::MayBeZero, true,
     "cores that share a stack of HBM (default 0, no sharing)"},
    {"hbm_gib", "GiB", &Machine::hbmGiB, Range::MayBeZero, true,
     "size of the stack of HBM that they share (default 0, no limit)"},
    {"chip_cores", "cores", &Machine::chipCores, Range::MayBeZero, true,
     "cores of a chip (default 0: there is one chip, with all cores)"},
    {"link_gb_per_second", "GB/s", &Machine::linkGBPerSecond, Range::MayBeZero,
     true,
     "rate of a chip's links to other chips, which its cores share (default 0, "
     "no limit)"},
    {"link_hop_ns", "ns", &Machine::linkHopNs, Range::MayBeZero, true,
     "additional time of a collective from chip to chip (default 0)"},
    {"lnc", "cores", &Machine::lnc, Range::MayBeZero, true,
     "cores of a logical core, which meet in the HBM that they share: the LNC "
     "degree (default 1, each core is one)"},
    // How far to trust all this.
    {"range_tensor_percent", "%", &Machine::rangeTensorPercent,
     Range::MayBeZero, true,
     "half-width of the range of a kernel whose busiest engine is the tensor "
     "engine (default 0)"},
    {"range_vector_percent", "%", &Machine::rangeVectorPercent,
     Range::MayBeZero, true, "the same for VectorE or GpSimd"},
    {"range_scalar_percent", "%", &Machine::rangeScalarPercent,
     Range::MayBeZero, true, "the same for ScalarE"},
    {"range_dma_percent", "%", &Machine::rangeDmaPercent, Range::MayBeZero,
     true, "the same for DMA"},
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
