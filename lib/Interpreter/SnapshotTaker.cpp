//===- SnapshotTaker.cpp - Take snapshots during a run --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SnapshotTaker.h"

#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir::trn;
using llvm::ArrayRef;

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
         mlir::trn::writes(program.instructions[step.index], buffer);
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
