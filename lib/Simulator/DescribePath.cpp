//===- DescribePath.cpp - What the critical path will depend on -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PathTracker.h"
#include "States.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

void PathTracker::describe(const PartStates &states, size_t part,
                           StateWriter &writer) const {
  auto addRecord = [&](int32_t index) {
    if (index < root || records[index].instruction < 0) {
      writer.add(std::min(index, start)); // nobody, or not known
      return;
    }
    const Record &record = records[index];
    writer.add(record.track);
    states.addInstruction(record.instruction, part, writer);
    writer.addExact(record.released);
    writer.addExact(record.end);
  };
  for (auto [engine, record] : llvm::zip(engineOfTrack, last)) {
    if (!states.isUsed(engine, part))
      continue;
    // A transfer that moves when it is triggered is not behind another one.
    bool isPast =
        isDma(engine) && record >= root && records[record].end < writer.oldest;
    writer.add(isPast);
    if (!isPast)
      addRecord(record);
  }
  for (const std::vector<Entry> &entries : tracks) {
    for (const Entry &entry : entries) {
      if (writer.isPast(entry.done))
        continue;
      writer.addExact(entry.end);
      writer.addExact(entry.done);
      addRecord(entry.record);
    }
    writer.add(-1);
  }
  for (Engine queue : {Engine::Load, Engine::Store}) {
    const Release &trigger = triggers[queue == Engine::Load ? 0 : 1];
    // What has been triggered long ago moves when the queue is free.
    int64_t time = progress[static_cast<int>(queue)];
    writer.addTime(time);
    if (time < writer.oldest)
      continue;
    addRecord(trigger.from);
    writer.addExact(trigger.time);
    writer.add(trigger.bySemaphore);
  }
  addRecord(latest);
  writer.addExact(latestDone);
}
