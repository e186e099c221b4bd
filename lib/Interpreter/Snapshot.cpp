//===- Snapshot.cpp - What a buffer holds in the middle of a run ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Interpreter/Snapshot.h"

#include "SnapshotTaker.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir::trn;
using llvm::ArrayRef;

static bool writesTo(const Instruction &instruction, int32_t buffer) {
  return llvm::any_of(instruction.writes, [&](const Access &write) {
    return write.buffer == buffer;
  });
}

llvm::SmallVector<int32_t, 4>
mlir::trn::loopsAroundWrites(const Program &program, int32_t buffer) {
  llvm::SmallVector<int32_t, 4> around;
  std::optional<llvm::SmallVector<int32_t, 4>> common;
  for (const Step &step : program.steps) {
    if (step.kind == Step::Kind::BeginLoop)
      around.push_back(step.index);
    if (step.kind == Step::Kind::EndLoop)
      around.pop_back();
    if (step.kind != Step::Kind::Execute ||
        !writesTo(program.instructions[step.index], buffer))
      continue;
    if (!common)
      common = around;
    auto differ = llvm::mismatch(*common, around);
    common->erase(differ.first, common->end());
  }
  return common.value_or(llvm::SmallVector<int32_t, 4>());
}

SnapshotTaker::SnapshotTaker(const Program &program,
                             ArrayRef<Snapshot *> snapshots)
    : program(program) {
  for (Snapshot *snapshot : snapshots)
    watches.push_back({snapshot, loopsAroundWrites(program, snapshot->buffer)});
}

bool SnapshotTaker::Watch::isInside(ArrayRef<int64_t> counters) const {
  return llvm::all_of(llvm::zip(loops, snapshot->iteration), [&](auto pair) {
    return counters[std::get<0>(pair)] == std::get<1>(pair);
  });
}

bool SnapshotTaker::Watch::endsWith(const Step &step,
                                    ArrayRef<int64_t> counters) const {
  return !isInside(counters) ||
         (step.kind != Step::Kind::Execute && step.index == snapshot->buffer);
}

bool SnapshotTaker::writes(const Step &step, int32_t buffer) const {
  return step.kind == Step::Kind::Execute &&
         writesTo(program.instructions[step.index], buffer);
}

void SnapshotTaker::beforeStep(const Step &step, const Walker &walker,
                               const Memory &memory, TaskGraph &graph) {
  llvm::erase_if(watches, [&](Watch &watch) {
    if (watch.slot < 0 || !watch.endsWith(step, walker.counters()))
      return false;
    graph.finish();
    watch.snapshot->values = memory.read(watch.snapshot->buffer, watch.slot);
    return true;
  });
  for (Watch &watch : watches)
    if (writes(step, watch.snapshot->buffer) &&
        watch.isInside(walker.counters()))
      watch.slot = walker.slot(watch.snapshot->buffer);
}

void SnapshotTaker::finish(const Memory &memory) {
  for (Watch &watch : watches) {
    Snapshot &snapshot = *watch.snapshot;
    const Buffer &buffer = program.buffers[snapshot.buffer];
    snapshot.values =
        memory.read(snapshot.buffer, std::max<int64_t>(watch.slot, 0));
    // What nobody wrote may have become another buffer's memory.
    if (watch.slot < 0 && buffer.argument < 0)
      llvm::fill(snapshot.values, std::numeric_limits<float>::quiet_NaN());
  }
}
