//===- SbufPlacer.cpp - Where calls of a launch lie in SBUF ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SbufPlacer.h"

#include "trn/Machine/Machine.h"
#include "trn/Program/CountSteps.h"
#include "trn/Program/Program.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace mlir::trn;

static constexpr int64_t never = std::numeric_limits<int64_t>::max();

/// Bytes that an instruction moves at most, as far as that matters.
static constexpr int64_t most = int64_t(1) << 40;

static int64_t sizeOf(const Buffer &buffer) {
  return buffer.slots * buffer.bytesPerPartition;
}

int64_t SbufPlace::offsetOf(const Buffer &buffer) const {
  return isMirrored ? end - buffer.offset - sizeOf(buffer)
                    : begin + buffer.offset;
}

namespace {

/// When a buffer is used, in bytes that its call moved before.
struct Life {
  int64_t begin = never, end = -1;
  bool isLoaded = false;

  void extend(int64_t from, int64_t to) {
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
};

/// The lives of the buffers of a call. What a loop uses lives as long as that.
class LifeFinder {
public:
  explicit LifeFinder(const Program &program)
      : lives(program.buffers.size()), program(program),
        executions(countExecutions(program)) {
    for (const Step &step : program.steps)
      follow(step);
  }

  std::vector<Life> lives;
  int64_t now = 0;

private:
  void follow(const Step &step) {
    if (step.kind == Step::Kind::BeginLoop && depth++ == 0)
      loopBegin = now;
    else if (step.kind == Step::Kind::EndLoop && --depth == 0)
      for (int32_t buffer : std::exchange(usedInLoop, {}))
        lives[buffer].extend(loopBegin, now);
    else if (step.kind == Step::Kind::Execute)
      execute(program.instructions[step.index], executions[step.index]);
  }

  void execute(const Instruction &instruction, int64_t times) {
    const bool isLoad = instruction.engine == Engine::Load;
    const int64_t begin = now;
    if (isLoad || instruction.engine == Engine::Store)
      for (const Access &write : instruction.writes)
        now += std::min(write.numBytes() * times, most);
    for (llvm::ArrayRef<Access> accesses :
         {llvm::ArrayRef<Access>(instruction.reads),
          llvm::ArrayRef<Access>(instruction.writes)})
      for (const Access &access : accesses)
        if (depth)
          usedInLoop.push_back(access.buffer);
        else
          lives[access.buffer].extend(begin, now);
    for (const Access &write : instruction.writes)
      lives[write.buffer].isLoaded |= isLoad;
  }

  const Program &program;
  const std::vector<int64_t> executions;
  int64_t depth = 0, loopBegin = 0;
  std::vector<int32_t> usedInLoop;
};

} // namespace

SbufPlacer::SbufPlacer(const Machine &machine)
    : room(machine.sbufPartitionBytes),
      cellBytes(llvm::divideCeil(room, numCells)),
      lead(room * machine.partitions) {
  lastUse.fill(-lead);
}

SbufPlacer::Cells SbufPlacer::ages() const {
  Cells ages;
  for (auto [age, use] : llvm::zip_equal(ages, lastUse))
    age = std::min(now - use, lead);
  return ages;
}

SbufPlacer::Waits SbufPlacer::findWaits(const Cells &first, unsigned begin,
                                        unsigned size, bool isMirrored) const {
  Waits waits = {0, 0};
  for (unsigned i = 0; i < size; ++i)
    if (int64_t use = first[isMirrored ? size - 1 - i : i]; use != never) {
      int64_t wait =
          std::max<int64_t>(lastUse[begin + i] + lead - (now + use), 0);
      waits.first = std::max(waits.first, wait);
      waits.second += wait;
    }
  return waits;
}

SbufPlacer::Needs SbufPlacer::findNeeds(const Program &program) const {
  LifeFinder finder(program);
  Needs needs;
  needs.first.fill(never);
  needs.last.fill(-1);
  needs.time = finder.now;
  for (auto [buffer, life] : llvm::zip_equal(program.buffers, finder.lives)) {
    if (buffer.space != Space::Sbuf)
      continue;
    const int64_t end = buffer.offset + sizeOf(buffer);
    needs.bytes = std::max(needs.bytes, end);
    for (int64_t cell = buffer.offset / cellBytes;
         cell < numCells && cell * cellBytes < end; ++cell) {
      needs.last[cell] = std::max(needs.last[cell], life.end);
      if (life.isLoaded)
        needs.first[cell] = std::min(needs.first[cell], life.begin);
    }
  }
  return needs;
}

SbufPlace SbufPlacer::add(const Program &program) {
  const Needs needs = findNeeds(program);
  const unsigned size =
      std::min<int64_t>(llvm::divideCeil(needs.bytes, cellBytes), numCells);
  unsigned at = 0;
  bool isMirrored = false;
  Waits fewest = {never, never};
  for (unsigned begin = 0; begin + size <= numCells; ++begin)
    for (bool mirrored : {false, true})
      if (Waits waits = findWaits(needs.first, begin, size, mirrored);
          waits < fewest) {
        fewest = waits;
        at = begin;
        isMirrored = mirrored;
      }
  for (unsigned i = 0; i < size; ++i)
    if (int64_t use = needs.last[isMirrored ? size - 1 - i : i]; use >= 0)
      lastUse[at + i] = now + use;
  now += needs.time;
  // What is mirrored ends where a cell does.
  int64_t begin = isMirrored
                      ? std::min((at + size) * cellBytes, room) - needs.bytes
                      : std::min(at * cellBytes, room - needs.bytes);
  begin = std::max<int64_t>(begin, 0);
  return {begin, begin + needs.bytes, isMirrored};
}
