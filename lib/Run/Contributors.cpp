//===- Contributors.cpp - What makes up a number of a report --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contributors.h"

#include "trn/Analysis/AnalyzeKernel.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
class Collector {
public:
  Collector(const DecodedKernel &kernel, const KernelReport &report,
            const Machine &machine, SmallVectorImpl<Contributor> &contributors)
      : kernel(kernel), report(report), machine(machine),
        contributors(contributors) {}

  void times();
  void executions();
  void flops(int64_t OpTimes::*share);
  void traffic(function_ref<int64_t(const BufferUse &)> share,
               bool onlyScratch = false);
  /// On chip, where most is live at once.
  void buffers(MemorySpace space);

private:
  void add(int64_t share, std::string text, Location location) {
    if (share > 0)
      contributors.push_back({share, std::move(text), location});
  }
  Location locationOf(const OpTimes &op) {
    return kernel.ops[op.index]->getLoc();
  }
  func::FuncOp getFunction();

  const DecodedKernel &kernel;
  const KernelReport &report;
  const Machine &machine;
  SmallVectorImpl<Contributor> &contributors;
};
} // namespace

/// `dma_copy of u`.
static std::string describe(const OpTimes &op) {
  return op.buffer.empty() ? op.op : op.op + " of " + op.buffer;
}

/// `1 execution`, `2,000 executions`.
static std::string count(int64_t number, StringRef thing) {
  return llvm::formatv("{0:N0} {1}{2}", number, thing, number == 1 ? "" : "s");
}

func::FuncOp Collector::getFunction() {
  return cast<func::FuncOp>(kernel.ops.front());
}

void Collector::times() {
  add(report.metrics.path.kernelOverhead,
      llvm::formatv("kernel overhead: {0:F4} ms in {1}",
                    report.metrics.path.kernelOverhead / 1e9,
                    count(report.calls, "call")),
      getFunction().getLoc());
  for (const OpTimes &op : report.ops)
    add(op.critical,
        llvm::formatv("{0}: {1:F4} ms on the critical path, {2:F4} ms busy in "
                      "{3}",
                      describe(op), op.critical / 1e9, op.busy / 1e9,
                      count(op.executions, "execution")),
        locationOf(op));
}

void Collector::executions() {
  for (const OpTimes &op : report.ops)
    add(op.executions, describe(op) + ": " + count(op.executions, "execution"),
        locationOf(op));
}

void Collector::flops(int64_t OpTimes::*share) {
  for (const OpTimes &op : report.ops)
    add(op.*share,
        llvm::formatv("{0}: {1:N0} FLOPs in {2}", describe(op), op.*share,
                      count(op.executions, "execution")),
        locationOf(op));
}

void Collector::traffic(function_ref<int64_t(const BufferUse &)> share,
                        bool onlyScratch) {
  size_t next = 0;
  for (const Buffer &buffer : kernel.program.buffers) {
    if (buffer.space != Space::Hbm)
      continue;
    const BufferUse &use = report.buffers[next++];
    Location location =
        buffer.argument >= 0
            ? getFunction().getArgument(buffer.argument).getLoc()
            : kernel.ops[buffer.op]->getLoc();
    if (!onlyScratch || buffer.argument < 0)
      add(share(use),
          llvm::formatv("{0} of @{1}: {2:N0} bytes read, {3:N0} bytes written, "
                        "{4:N0} are compulsory",
                        use.name, report.name, use.readBytes, use.writtenBytes,
                        use.compulsoryBytes),
          location);
  }
}

void Collector::buffers(MemorySpace space) {
  FailureOr<KernelAnalysis> analysis = analyzeKernel(getFunction(), machine);
  if (failed(analysis))
    return;
  for (BufferAnalysis &buffer : analysis->buffers) {
    if (buffer.space != space || !buffer.atPeak)
      continue;
    Location location = buffer.alloc.getLoc();
    int64_t banks = buffer.slots * machine.psumBanksOf(buffer.slotBytes);
    if (space == MemorySpace::Psum)
      add(banks, "buffer of " + count(banks, "bank"), location);
    else
      add(buffer.slots * buffer.slotBytes,
          llvm::formatv("buffer of {0:N0} bytes a partition, {1}",
                        buffer.slotBytes, count(buffer.slots, "slot")),
          location);
  }
}

void mlir::trn::addContributors(StringRef key, const DecodedKernel &kernel,
                                const KernelReport &report,
                                const Machine &machine,
                                SmallVectorImpl<Contributor> &contributors) {
  Collector collector(kernel, report, machine, contributors);
  auto read = [](const BufferUse &use) { return use.readBytes; };
  auto written = [](const BufferUse &use) { return use.writtenBytes; };
  auto both = [](const BufferUse &use) {
    return use.readBytes + use.writtenBytes;
  };
  auto compulsory = [](const BufferUse &use) { return use.compulsoryBytes; };
  using Collect = std::function<void()>;
  llvm::StringSwitch<Collect>(key)
      .Cases({"hbm_bytes", "arithmetic_intensity"},
             [&] { collector.traffic(both); })
      .Case("hbm_read_bytes", [&] { collector.traffic(read); })
      .Case("hbm_write_bytes", [&] { collector.traffic(written); })
      .Case("hbm_lower_bound_bytes", [&] { collector.traffic(compulsory); })
      .Case("spill_save_bytes",
            [&] { collector.traffic(written, /*onlyScratch=*/true); })
      .Case("spill_reload_bytes",
            [&] { collector.traffic(read, /*onlyScratch=*/true); })
      .Case("transpose_flops",
            [&] { collector.flops(&OpTimes::transposeFlops); })
      .Cases({"flops", "executed_flops"},
             [&] { collector.flops(&OpTimes::flops); })
      .Case("instructions", [&] { collector.executions(); })
      .Cases({"sbuf_peak_bytes", "sbuf_peak_percent", "sbuf_live_bytes",
              "sbuf_live_percent"},
             [&] { collector.buffers(MemorySpace::Sbuf); })
      .Case("psum_peak_banks", [&] { collector.buffers(MemorySpace::Psum); })
      .Default([&] { collector.times(); })();
}
