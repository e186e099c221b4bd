//===- Contributors.cpp - What makes up a number of a report --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Contributors.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
class Collector {
public:
  Collector(const DecodedKernel &kernel, const KernelReport &report,
            SmallVectorImpl<Contributor> &contributors)
      : kernel(kernel), report(report), contributors(contributors) {}

  void times();
  void executions();
  void transposes() { executions("transpose"); }
  void products() { executions("matmul"); }
  void traffic() { traffic(/*onlyScratch=*/false); }
  void spills() { traffic(/*onlyScratch=*/true); }
  void sbuf();
  void psum();

private:
  void add(int64_t share, std::string text, Location location) {
    if (share > 0)
      contributors.push_back({share, std::move(text), location});
  }
  Location locationOf(const OpTimes &op);
  Location locationOfKernel();
  void executions(StringRef name);
  void traffic(bool onlyScratch);

  const DecodedKernel &kernel;
  const KernelReport &report;
  SmallVectorImpl<Contributor> &contributors;
};
} // namespace

/// `dma_copy of argument 1`.
static std::string describe(const OpTimes &op) {
  return op.buffer.empty() ? op.op : op.op + " of " + op.buffer;
}

/// `1 execution`, `2,000 executions`.
static std::string count(int64_t number, StringRef thing) {
  return llvm::formatv("{0:N0} {1}{2}", number, thing, number == 1 ? "" : "s");
}

/// The report has the location as text; the op is one of the kernel's.
Location Collector::locationOf(const OpTimes &op) {
  for (auto [info, mlirOp] : llvm::zip(kernel.program.ops, kernel.ops)) {
    StringRef name = info.name;
    name.consume_front("trn.");
    if (name == op.op && info.location == op.location)
      return mlirOp->getLoc();
  }
  return locationOfKernel();
}

Location Collector::locationOfKernel() {
  Operation *op = kernel.ops.front();
  auto function = dyn_cast<func::FuncOp>(op);
  return (function ? function : op->getParentOfType<func::FuncOp>()).getLoc();
}

void Collector::times() {
  add(report.metrics.path.kernelOverhead,
      llvm::formatv("kernel overhead: {0:F4} ms in {1}",
                    report.metrics.path.kernelOverhead / 1e9,
                    count(report.calls, "call")),
      locationOfKernel());
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

void Collector::executions(StringRef name) {
  for (const OpTimes &op : report.ops)
    if (op.op == name && op.engine == Engine::Tensor)
      add(op.executions,
          describe(op) + ": " + count(op.executions, "execution"),
          locationOf(op));
}

void Collector::traffic(bool onlyScratch) {
  size_t next = 0;
  for (const Buffer &buffer : kernel.program.buffers) {
    if (buffer.space != Space::Hbm)
      continue;
    const BufferUse &use = report.buffers[next++];
    auto function = dyn_cast<func::FuncOp>(kernel.ops[buffer.op]);
    Location location = function && buffer.argument >= 0
                            ? function.getArgument(buffer.argument).getLoc()
                            : kernel.ops[buffer.op]->getLoc();
    if (!onlyScratch || buffer.argument < 0)
      add(use.readBytes + use.writtenBytes,
          llvm::formatv("{0} of @{1}: {2:N0} bytes read, {3:N0} bytes written, "
                        "{4:N0} are compulsory",
                        use.name, report.name, use.readBytes, use.writtenBytes,
                        use.compulsoryBytes),
          location);
  }
}

void Collector::sbuf() {
  for (const Buffer &buffer : kernel.program.buffers)
    if (buffer.space == Space::Sbuf)
      add(buffer.slots * buffer.bytesPerPartition,
          llvm::formatv("buffer of {0:N0} bytes a partition, {1}",
                        buffer.bytesPerPartition, count(buffer.slots, "slot")),
          kernel.ops[buffer.op]->getLoc());
}

void Collector::psum() {
  for (const Buffer &buffer : kernel.program.buffers)
    if (buffer.space == Space::Psum)
      add(buffer.slots, "buffer of " + count(buffer.slots, "bank"),
          kernel.ops[buffer.op]->getLoc());
}

void mlir::trn::addContributors(StringRef key, const DecodedKernel &kernel,
                                const KernelReport &report,
                                SmallVectorImpl<Contributor> &contributors) {
  using Collect = void (Collector::*)();
  Collect collect =
      llvm::StringSwitch<Collect>(key)
          .Cases({"hbm_bytes", "hbm_read_bytes", "hbm_write_bytes",
                  "hbm_lower_bound_bytes", "arithmetic_intensity"},
                 &Collector::traffic)
          .Cases({"spill_save_bytes", "spill_reload_bytes"}, &Collector::spills)
          .Case("transpose_flops", &Collector::transposes)
          .Cases({"flops", "executed_flops"}, &Collector::products)
          .Case("instructions", &Collector::executions)
          .Cases({"sbuf_peak_bytes", "sbuf_peak_percent"}, &Collector::sbuf)
          .Case("psum_peak_banks", &Collector::psum)
          .Default(&Collector::times);
  (Collector(kernel, report, contributors).*collect)();
}
