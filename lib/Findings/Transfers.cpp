//===- Transfers.cpp - What transfers cost --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symptom.h"
#include "trn/Simulator/Cost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace mlir::trn;
using llvm::formatv;

/// Transfers that run, with their numbers.
static std::vector<size_t> transfersOf(const KernelRun &run) {
  std::vector<size_t> transfers;
  for (auto [index, instruction] : llvm::enumerate(run.program().instructions))
    if (isDma(instruction.engine) && run.totals(index).executions > 0)
      transfers.push_back(index);
  return transfers;
}

/// Transfers by what they move.
static std::map<std::string, std::vector<size_t>>
groupByName(const KernelRun &run, llvm::ArrayRef<size_t> transfers) {
  std::map<std::string, std::vector<size_t>> groups;
  for (size_t index : transfers)
    groups[run.nameOf(run.program().instructions[index])].push_back(index);
  return groups;
}

//===----------------------------------------------------------------------===//
// Rows and engines
//===----------------------------------------------------------------------===//

static int64_t rowBytes(const Work &work) {
  return work.bytes / std::max<int64_t>(work.descriptors, 1);
}

/// Why the rows are short, and what would be longer ones.
static std::string adviseRows(const KernelRun &run,
                              const Instruction &transfer) {
  const Access *hbm = run.inHbm(transfer);
  int64_t bytes = hbm ? byteSize(hbm->type) : 1;
  int64_t columns = rowBytes(transfer.work) / bytes;
  int64_t wanted = run.machine.dmaSaturatingBytes / 2 / bytes;
  int64_t pitch = 0;
  if (hbm)
    for (const Access::Dim &dim : hbm->dims)
      if (dim.size > 1 && dim.stride > 1 && (pitch == 0 || dim.stride < pitch))
        pitch = dim.stride;
  if (columns < pitch)
    return formatv("move {0} columns at a time instead of {1}",
                   std::min(wanted, pitch), columns);
  return formatv("the matrix has no longer rows: give each partition several "
                 "neighbouring rows, or store the matrix with rows of {0} "
                 "elements and more",
                 wanted);
}

void mlir::trn::findShortRows(const KernelRun &run, Symptoms &found) {
  const Machine &machine = run.machine;
  std::vector<size_t> transfers = transfersOf(run), shortOnes;
  double all = 0, moved = 0;
  for (size_t index : transfers) {
    const Work &work = run.program().instructions[index].work;
    double bytes = double(work.bytes) * run.totals(index).executions;
    all += bytes;
    if (rowBytes(work) >= machine.dmaSaturatingBytes / 2)
      continue;
    moved += bytes;
    shortOnes.push_back(index);
  }
  if (shortOnes.empty() || all <= 0)
    return;
  size_t worst = run.busiestOf(shortOnes);
  const Instruction &transfer = run.program().instructions[worst];
  int64_t row = rowBytes(transfer.work);
  double rate = machine.dmaEngines * row / machine.dmaEngineNs(row, 1);
  // As many pieces as full rows would be.
  double share = double(row) / machine.dmaSaturatingBytes;
  found.push_back({"short_rows",
                   formatv("{0} comes and goes in rows of {1} bytes, which "
                           "move at {2:F1} of {3:F1} GB/s; {4:F1} % of the "
                           "traffic has rows of less than {5} bytes",
                           run.nameOf(transfer), row, rate,
                           machine.dmaSustainedGBPerSecond(), 100 * moved / all,
                           machine.dmaSaturatingBytes / 2),
                   adviseRows(run, transfer), worst,
                   [share](Program &, Machine &changed) {
                     changed.dmaNsPerDescriptor *= share;
                     changed.dmaMinNsPerDescriptor *= share;
                     changed.dmaStaticNsPerDescriptor *= share;
                   }});
}

/// How many DMA engines take part in a transfer to or from `side`.
static int64_t enginesOf(const Access &side, const Work &work,
                         const Costs &costs) {
  int64_t engines = 0;
  for (int64_t engine = 0; engine < costs.dmaEngines; ++engine)
    engines += costs
                   .share(work, engine, side.partition.constant,
                          side.dims.front().size)
                   .bytes > 0;
  return engines;
}

void mlir::trn::findIdleDmaEngines(const KernelRun &run, Symptoms &found) {
  Costs costs(run.machine);
  std::vector<size_t> few;
  for (size_t index : transfersOf(run)) {
    const Instruction &transfer = run.program().instructions[index];
    const Access *side = run.onChip(transfer);
    if (side && side->partition.isConstant() && run.inHbm(transfer) &&
        enginesOf(*side, transfer.work, costs) < costs.dmaEngines)
      few.push_back(index);
  }
  for (auto &[name, group] : groupByName(run, few)) {
    size_t worst = run.busiestOf(group);
    const Instruction &transfer = run.program().instructions[worst];
    const Access &side = *run.onChip(transfer);
    int64_t rows = side.dims.front().size;
    found.push_back(
        {"idle_dma_engines",
         formatv("{0}[{1},{2}] uses {3} of {4} DMA engines: it lies on {1} "
                 "partition{5}",
                 name, rows, side.numElements() / std::max<int64_t>(rows, 1),
                 enginesOf(side, transfer.work, costs), costs.dmaEngines,
                 rows == 1 ? "" : "s"),
         formatv("spread {0} over all {1} partitions", name,
                 run.machine.partitions),
         worst,
         [group = group](Program &program, Machine &machine) {
           for (size_t index : group) {
             Instruction &transfer = program.instructions[index];
             auto spread = [&](Access &access) {
               Buffer &buffer = program.buffers[access.buffer];
               if (buffer.space == Space::Hbm || access.dims.empty())
                 return;
               access.partition = LinearExpr(0);
               access.dims.front().size = machine.partitions;
               buffer.partitions = machine.partitions;
             };
             llvm::for_each(transfer.reads, spread);
             llvm::for_each(transfer.writes, spread);
           }
         },
         name});
  }
}

//===----------------------------------------------------------------------===//
// Traffic that need not be
//===----------------------------------------------------------------------===//

/// Moves `share` of the bytes.
static void scale(Work &work, double share) {
  work.bytes *= share;
  work.descriptors *= share;
}

/// Whether `transfer` reads or writes `buffer`.
static bool touches(const Instruction &transfer, int32_t buffer) {
  auto isBuffer = [&](const Access &access) { return access.buffer == buffer; };
  return llvm::any_of(transfer.reads, isBuffer) ||
         llvm::any_of(transfer.writes, isBuffer);
}

/// The transfers of `buffer`.
static std::vector<size_t> transfersOf(const KernelRun &run, int32_t buffer) {
  std::vector<size_t> transfers = transfersOf(run);
  llvm::erase_if(transfers, [&](size_t index) {
    return !touches(run.program().instructions[index], buffer);
  });
  return transfers;
}

void mlir::trn::findRepeatedTraffic(const KernelRun &run, Symptoms &found) {
  // Operands of what is computed again are read again, too.
  if (run.recomputes())
    return;
  for (auto [index, buffer] : llvm::enumerate(run.program().buffers)) {
    int64_t read = run.result().traffic[index].readBytes;
    if (buffer.space != Space::Hbm || buffer.argument < 0 || buffer.result ||
        read <= buffer.bytes)
      continue;
    std::vector<size_t> loads = transfersOf(run, index);
    double share = double(buffer.bytes) / read;
    std::string name = run.nameOf(run.program().instructions[loads.front()]);
    found.push_back(
        {"repeated_traffic",
         formatv(
             "{0} is read {1:F1} times, {2:N0} bytes more than once would be",
             name, 1 / share, read - buffer.bytes),
         formatv("larger strips, or a buffer for {0} outside of more loops",
                 name),
         run.busiestOf(loads),
         [loads, share](Program &program, Machine &) {
           for (size_t load : loads)
             scale(program.instructions[load].work, share);
         },
         name});
  }
}

/// What lies in HBM for no other reason than that it is not kept on chip: the
/// scratch of a kernel, and what one kernel hands to the next.
static void findSpills(const KernelRun &run, bool isHandedOver,
                       Symptoms &found) {
  std::vector<size_t> spilling;
  std::vector<std::string> names;
  int64_t bytes = 0;
  for (auto [index, buffer] : llvm::enumerate(run.program().buffers)) {
    if (buffer.space != Space::Hbm ||
        (isHandedOver ? !run.isHandedOver[index] : buffer.argument >= 0))
      continue;
    const BufferTraffic &traffic = run.result().traffic[index];
    bytes += traffic.readBytes + traffic.writtenBytes;
    for (size_t transfer : transfersOf(run, index)) {
      std::string name = run.nameOf(run.program().instructions[transfer]);
      if (!llvm::is_contained(names, name))
        names.push_back(name);
      spilling.push_back(transfer);
    }
  }
  if (spilling.empty())
    return;
  std::string all = llvm::join(names, ", ");
  Symptom symptom{"spills",
                  formatv("{0} goes through HBM: {1:N0} bytes", all, bytes),
                  formatv("keep {0} on chip, in strips that fit", all),
                  run.busiestOf(spilling),
                  [spilling](Program &program, Machine &) {
                    for (size_t transfer : spilling)
                      scale(program.instructions[transfer].work, 0);
                  },
                  all};
  if (isHandedOver) {
    symptom.subject = "";
    symptom.spansKernels = true;
    symptom.evidence =
        formatv("{0} goes through HBM from one kernel to another", all);
    symptom.advice = "one kernel for both, which keeps it on chip";
  }
  found.push_back(std::move(symptom));
}

void mlir::trn::findSpills(const KernelRun &run, Symptoms &found) {
  ::findSpills(run, /*isHandedOver=*/false, found);
  ::findSpills(run, /*isHandedOver=*/true, found);
}
