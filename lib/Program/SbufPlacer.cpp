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
        now += std::min<uint64_t>(
            llvm::SaturatingMultiply<uint64_t>(write.numBytes(), times), most);
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

/// What so many calls have not used is as good as new: no load comes so early.
static constexpr int64_t rememberedCalls = 4;

SbufPlacer::SbufPlacer(const Machine &machine)
    : room(machine.sbufPartitionBytes),
      cellBytes(llvm::divideCeil(room, numCells)),
      lead(room * machine.partitions) {
  lastUse.fill(-lead);
  lastCall.fill(-rememberedCalls - 1);
}

SbufPlacer::Cells SbufPlacer::ages() const {
  Cells ages;
  for (unsigned cell = 0; cell < numCells; ++cell)
    ages[cell] = int64_t(calls.size()) - lastCall[cell] > rememberedCalls
                     ? lead
                     : std::min(now - lastUse[cell], lead);
  return ages;
}

SbufPlacer::Waits SbufPlacer::findWaits(const Cells &ages, const Cells &first,
                                        unsigned begin, unsigned size,
                                        bool isMirrored) const {
  Waits waits = {0, 0};
  for (unsigned i = 0; i < size; ++i)
    if (int64_t use = first[isMirrored ? size - 1 - i : i]; use != never) {
      int64_t wait = std::max<int64_t>(lead - ages[begin + i] - use, 0);
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

unsigned SbufPlacer::countCells(int64_t bytes) const {
  return std::min<int64_t>(llvm::divideCeil(bytes, cellBytes), numCells);
}

SbufPlace SbufPlacer::choose(const Needs &needs) const {
  const unsigned size = countCells(needs.bytes);
  const Cells ages = this->ages();
  unsigned at = 0;
  bool isMirrored = false;
  Waits fewest = {never, never};
  for (unsigned begin = 0; begin + size <= numCells; ++begin)
    for (bool mirrored : {false, true})
      if (Waits waits = findWaits(ages, needs.first, begin, size, mirrored);
          waits < fewest) {
        fewest = waits;
        at = begin;
        isMirrored = mirrored;
      }
  // What is mirrored ends where a cell does.
  int64_t begin = isMirrored
                      ? std::min((at + size) * cellBytes, room) - needs.bytes
                      : std::min(at * cellBytes, room - needs.bytes);
  begin = std::max<int64_t>(begin, 0);
  return {begin, begin + needs.bytes, isMirrored};
}

void SbufPlacer::use(const SbufPlace &place, const Needs &needs) {
  const unsigned size = countCells(needs.bytes);
  const unsigned at = std::min<int64_t>(
      place.isMirrored ? llvm::divideCeil(place.end, cellBytes) - size
                       : place.begin / cellBytes,
      numCells - size);
  for (unsigned i = 0; i < size; ++i)
    if (int64_t use = needs.last[place.isMirrored ? size - 1 - i : i];
        use >= 0) {
      lastUse[at + i] = now + use;
      lastCall[at + i] = calls.size();
    }
  now += needs.time;
}

SbufPlace SbufPlacer::add(const Program &program) {
  const Needs needs = findNeeds(program);
  auto before = [&](size_t ago) {
    return calls.size() < ago ? nullptr : calls[calls.size() - ago];
  };
  auto [it, isNew] =
      known.try_emplace({&program, before(1), before(2)}, SbufPlace());
  if (isNew)
    it->second = choose(needs);
  use(it->second, needs);
  calls.push_back(&program);
  return it->second;
}
