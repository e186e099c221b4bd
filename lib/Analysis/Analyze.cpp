//===- Analyze.cpp - Say what limits each kernel --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Only the words; the numbers come from KernelAnalysis. Each remark says what
// is there, of how much, and what to change if that is little.
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/Passes.h"

#include "trn/Analysis/AnalyzeKernel.h"
#include "trn/Analysis/CalledFunctions.h"
#include "trn/Analysis/HostOps.h"
#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Findings/Findings.h"
#include "trn/Program/CountSteps.h"
#include "trn/Report/Keys.h"
#include "trn/Simulator/Simulator.h"

#include "llvm/Support/FormatVariadic.h"
#include <map>

namespace mlir::trn {
#define GEN_PASS_DEF_ANALYZE
#include "trn/Analysis/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

static std::string duration(double ns) {
  return ns < 1e6 ? formatv("{0:F3} us", ns / 1e3)
                  : formatv("{0:F3} ms", ns / 1e6);
}

static std::string percent(double part, double whole) {
  return formatv("{0:F1} %", whole > 0 ? 100 * part / whole : 0.0);
}

static std::string times(int64_t executions) {
  return executions == 1 ? "once" : formatv("{0} times", executions).str();
}

/// "bank 3" or "banks 3 to 5".
static std::string range(StringRef what, int64_t first, int64_t count) {
  if (count == 1)
    return formatv("{0} {1}", what, first);
  return formatv("{0}s {1} to {2}", what, first, first + count - 1);
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static std::string rowHint(const TransferAnalysis &transfer,
                           const Machine &machine) {
  int64_t bytes = std::max<int64_t>(transfer.elementBytes, 1);
  int64_t wanted = machine.dmaSaturatingBytes / 2 / bytes;
  switch (transfer.rowEnd) {
  case RowEnd::View:
    return formatv("take {0} columns at a time instead of {1}",
                   std::min(wanted, transfer.matrixColumns),
                   transfer.rowBytes / bytes);
  case RowEnd::Matrix:
    return formatv("the matrix has rows of {0} columns only, so give each "
                   "partition several neighbouring rows",
                   transfer.matrixColumns);
  case RowEnd::Elements:
    return "neighbours in the tile are no neighbours in hbm, so transpose on "
           "chip or keep the matrix transposed";
  case RowEnd::OnChip:
    return "rows go on in hbm but not on chip, so use a tile with contiguous "
           "rows";
  case RowEnd::Tile:
    return "take a larger tile";
  }
  return "";
}

static std::string describe(const TransferAnalysis &transfer,
                            const Machine &machine) {
  double peak = machine.dmaEngines * machine.dmaGBPerSecondPerEngine;
  double rate = transfer.ns > 0 ? transfer.bytes / transfer.ns : 0;
  std::string text = formatv(
      "dma: {0} row{6} of {1} bytes move at {2:F1} of {3:F1} GB/s ({4}), {5}",
      transfer.rows, transfer.rowBytes, rate, peak, percent(rate, peak),
      times(transfer.executions), transfer.rows == 1 ? "" : "s");
  if (transfer.hasShortRows)
    text += formatv("; rows of less than {0} bytes waste time: {1}",
                    machine.dmaSaturatingBytes / 2, rowHint(transfer, machine));
  if (transfer.engines < machine.dmaEngines)
    text += formatv("; only {0} of {1} dma engines take part: spread the tile "
                    "over {2} partitions",
                    transfer.engines, machine.dmaEngines, machine.partitions);
  return text;
}

static std::string describe(const TensorAnalysis &product, double tensorNs,
                            const Machine &machine) {
  double total = product.ns * product.executions;
  std::string often = times(product.executions);
  if (product.isTranspose)
    return formatv("tensor engine: transposes {0} x {1}, {2}: {3}, {4} of its "
                   "time; an operand that arrives transposed needs none",
                   product.k, product.m, often, duration(total),
                   percent(total, tensorNs));
  std::string text = formatv(
      "tensor engine: K {0} x M {1} x N {2}{9} of {3} x {4} x {5} fills {6} of "
      "the array, {7}: {8}",
      product.k, product.m, product.n, machine.partitions,
      machine.stationaryFreeMax, machine.movingFreeMax,
      percent(product.usefulNs, product.ns), often, duration(total),
      product.isF32 ? " in f32" : "");
  SmallVector<std::string> free;
  if (product.k < machine.partitions)
    free.push_back(formatv("K {0}", machine.partitions));
  if (product.m < machine.stationaryFreeMax)
    free.push_back(formatv("M {0}", machine.stationaryFreeMax));
  if (product.n < machine.tensorMinCycles)
    free.push_back(formatv("N {0}", machine.tensorMinCycles));
  if (!free.empty())
    text += formatv(", {0} of it padding; {1} would take {2}",
                    duration(total * (1 - product.utilisation())),
                    llvm::join(free, " and "),
                    product.n < std::min(machine.tensorMinCycles, product.m)
                        ? "no longer"
                        : "as long");
  return text;
}

static std::string describe(BufferAnalysis buffer, const Machine &machine) {
  AllocOp alloc = buffer.alloc;
  std::string text;
  if (buffer.space == MemorySpace::Psum) {
    int64_t each = machine.psumBanksOf(buffer.slotBytes);
    int64_t banks = each * buffer.slots;
    text =
        alloc.isPlaced()
            ? "psum: " + range("bank", *alloc.getBank(), banks)
            : formatv("psum: {0} bank{1}", banks, banks == 1 ? "" : "s").str();
    text += formatv(", {0} of {1} bytes", buffer.slotBytes,
                    each * machine.psumBankBytes);
    if (buffer.slots > 1)
      text += each == 1 ? std::string(" of each")
                        : formatv(" of each {0}", each).str();
  } else {
    text = buffer.slots == 1
               ? formatv("sbuf: {0} bytes a partition", buffer.slotBytes).str()
               : formatv("sbuf: {0} slots of {1} bytes a partition",
                         buffer.slots, buffer.slotBytes);
    if (alloc.isPlaced())
      text += formatv(" from byte {0}", *alloc.getOffset());
    text += formatv(", {0} of {1}",
                    percent(double(buffer.slotBytes) * buffer.slots,
                            machine.sbufPartitionBytes),
                    machine.sbufPartitionBytes);
  }
  return text + (buffer.atPeak ? "; live at the peak" : "");
}

static std::string describe(const Pressure &pressure, const Machine &machine) {
  return formatv("{0} of {1} bytes a partition of sbuf ({2}) and {3} of {4} "
                 "banks of psum",
                 pressure.sbufBytes, machine.sbufPartitionBytes,
                 percent(pressure.sbufBytes, machine.sbufPartitionBytes),
                 pressure.psumBanks, machine.psumBanks);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::string summarize(const KernelAnalysis &analysis,
                             const Machine &machine) {
  if (analysis.instructions == 0)
    return "analysis: the kernel has no instructions";
  bool byTensor = analysis.tensorBoundNs >= analysis.trafficBoundNs;
  std::string text = formatv(
      "analysis: bound {0} by {1} ({2} {3}); busy:",
      duration(std::max(analysis.tensorBoundNs, analysis.trafficBoundNs)),
      byTensor ? "tensor_engine" : "traffic",
      byTensor ? "traffic" : "tensor_engine",
      duration(std::min(analysis.tensorBoundNs, analysis.trafficBoundNs)));
  for (size_t i = 0; i < numBusyResources; ++i)
    if (analysis.busyNs[i] > 0)
      text += formatv(" {0} {1},", stringify(Resource(i)),
                      duration(analysis.busyNs[i]));
  text += formatv(" fixed costs {0}", duration(analysis.fixedNs));
  return text;
}

/// What lies in a bank: "2 buffers of 2048 bytes, 1 buffer of 512 bytes".
static std::string describeBank(const KernelAnalysis &analysis, size_t bank) {
  std::map<int64_t, int64_t, std::greater<>> countOfSize;
  for (size_t buffer : analysis.banks[bank])
    ++countOfSize[analysis.buffers[buffer].slotBytes];
  std::string text;
  for (auto [size, count] : countOfSize)
    text += formatv("{0}{1} buffer{2} of {3} bytes", text.empty() ? "" : ", ",
                    count, count == 1 ? "" : "s", size);
  return text.empty() ? "free" : text;
}

static std::string describeBanks(const KernelAnalysis &analysis) {
  std::string text;
  size_t next = 0;
  for (size_t bank = 0; bank < analysis.banks.size(); bank = next) {
    std::string content = describeBank(analysis, bank);
    while (next < analysis.banks.size() &&
           describeBank(analysis, next) == content)
      ++next;
    text += (text.empty() ? "" : "; ") + range("bank", bank, next - bank) +
            ": " + content;
  }
  return text;
}

/// What a program costs that can be simulated, and why.
static void attachFindings(InFlightDiagnostic &diagnostic, func::FuncOp kernel,
                           const Machine &machine) {
  ScopedDiagnosticHandler silence(kernel.getContext(),
                                  [](Diagnostic &) { return success(); });
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  if (failed(decoded) || countSteps(decoded->program) > maxFindingSteps)
    return;
  SimulationOptions options;
  options.criticalPath = true;
  SimulationResult result = simulate(decoded->program, machine, options);
  KernelCall call = {&decoded->program,
                     &result,
                     {},
                     decoded->modelFlops,
                     decoded->schedule,
                     decoded->plan ? &*decoded->plan : nullptr};
  diagnostic.attachNote() << "modelled " << duration(result.latency / 1e3)
                          << ", "
                          << describeBound(makeReport(call, machine).total,
                                           machine);
  for (const Finding &finding : findCosts(call, machine))
    diagnostic.attachNote() << describeFinding(finding, result.latency);
}

static void emitRemarks(func::FuncOp kernel, const KernelAnalysis &analysis,
                        const Machine &machine) {
  InFlightDiagnostic summary =
      mlir::emitRemark(kernel.getLoc(), summarize(analysis, machine));
  if (analysis.isPlaced && analysis.instructions > 0)
    attachFindings(summary, kernel, machine);
  if (!analysis.buffers.empty()) {
    summary.attachNote() << "live at the peak: "
                         << describe(analysis.peak, machine)
                         << (analysis.peak.sbufBytes >
                                         machine.sbufPartitionBytes ||
                                     analysis.peak.psumBanks > machine.psumBanks
                                 ? "; that does not fit, take smaller blocks"
                                 : "");
    if (analysis.isPlaced)
      summary.attachNote() << "sbuf is used up to byte "
                           << analysis.sbufHighWater << " of "
                           << machine.sbufPartitionBytes << "; psum "
                           << describeBanks(analysis);
    else
      summary.attachNote() << "not all buffers have addresses; "
                              "trn-place-buffers gives them";
  }
  summary.report();

  // In the order of the program, whatever the kind.
  DenseMap<Operation *, std::string> remarks;
  for (const BufferAnalysis &buffer : analysis.buffers)
    remarks[AllocOp(buffer.alloc)] = describe(buffer, machine);
  for (const TransferAnalysis &transfer : analysis.transfers)
    remarks[transfer.op] = describe(transfer, machine);
  for (const TensorAnalysis &product : analysis.products)
    remarks[product.op] =
        describe(product, analysis.busyNs[size_t(Resource::Tensor)], machine);
  for (const LoopAnalysis &loop : analysis.loops)
    if (!(loop.pressure == loop.outer))
      remarks[scf::ForOp(loop.loop)] =
          "live in this loop: " + describe(loop.pressure, machine);
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto it = remarks.find(op); it != remarks.end())
      mlir::emitRemark(op->getLoc(), it->second);
  });
}

//===----------------------------------------------------------------------===//
// Host code
//===----------------------------------------------------------------------===//

static std::string describe(const HostOp &op) {
  std::string text = op.isLoad ? "load: " : "host: ";
  text += formatv("'{0}' ", op.op->getName());
  text += op.bytes ? formatv("reads and writes {0} bytes", *op.bytes).str()
                   : "reads and writes data of a dynamic shape";
  text += ", " + times(op.executions);
  return text + (op.isLoad ? "; weights alone go in, so that it is done once, "
                             "when they are loaded, and no latency contains it"
                           : "; it stays on the host, and no latency contains "
                             "it");
}

/// What is done beside the kernels that a run of `entry` calls.
static void emitHostRemarks(func::FuncOp entry) {
  if (llvm::any_of(findCalledFunctions(entry),
                   [](func::FuncOp called) { return isKernel(called); }))
    for (const HostOp &op : findHostOps(entry))
      mlir::emitRemark(op.op->getLoc(), describe(op));
}

namespace {
struct AnalyzePass final : mlir::trn::impl::AnalyzeBase<AnalyzePass> {
  using Base::Base;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    bool found = false;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      if (func.isExternal())
        continue;
      if (!isKernel(func)) {
        if (func.isPublic())
          emitHostRemarks(func);
        continue;
      }
      found = true;
      if (failed(analyze(func)))
        signalPassFailure();
    }
    if (!found)
      mlir::emitRemark(getOperation().getLoc(),
                       "analysis: the module has no kernels; a kernel is a "
                       "function with trn.kernel, and trn-compile makes them");
  }

  LogicalResult analyze(func::FuncOp func) {
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return failure();
    FailureOr<KernelAnalysis> analysis = analyzeKernel(func, *machine);
    if (failed(analysis))
      return failure();
    emitRemarks(func, *analysis, *machine);
    return success();
  }
};
} // namespace
