//===- Pressure.cpp - What is live where ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelAnalysisParts.h"
#include "trn/Analysis/BufferLife.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// The on-chip buffers of a kernel with their lives.
class Buffers {
public:
  Buffers(ArrayRef<BufferLife> lives, const Machine &machine)
      : lives(lives), machine(machine) {
    for (const BufferLife &life : lives) {
      AllocOp alloc = life.alloc;
      described.push_back(life.life.describe());
      if (life.getSpace() == MemorySpace::Sbuf)
        described.back().size = bytesOf(alloc);
    }
  }

  /// Of one slot, in one partition; partitions beyond those of the machine fold
  /// into its free dimension.
  int64_t bytesOf(AllocOp alloc) const {
    MemRefType type = alloc.getType();
    int64_t bytes = byteSize(*getElementType(type.getElementType()));
    for (int64_t size : type.getShape().drop_front())
      bytes = saturatingMultiply(bytes, size);
    return saturatingMultiply(
        bytes, llvm::divideCeil(type.getDimSize(0), machine.partitions));
  }

  /// The most that `space` holds at a point of [begin, end), and the buffers
  /// that do.
  int64_t peakIn(MemorySpace space, placement::StepRange range,
                 SmallVectorImpl<size_t> *live = nullptr) const;

private:
  int64_t liveAt(MemorySpace space, int64_t point,
                 SmallVectorImpl<size_t> &live) const;

  ArrayRef<BufferLife> lives;
  const Machine &machine;
  SmallVector<placement::Buffer> described;
};
} // namespace

int64_t Buffers::liveAt(MemorySpace space, int64_t point,
                        SmallVectorImpl<size_t> &live) const {
  int64_t total = 0;
  llvm::SmallDenseSet<int64_t> banks;
  for (auto [index, buffer] : llvm::enumerate(described)) {
    if (lives[index].getSpace() != space || point < buffer.begin ||
        buffer.end <= point)
      continue;
    live.push_back(index);
    // Placed tiles may share a bank.
    if (space == MemorySpace::Psum && buffer.fixed) {
      int64_t taken = saturatingMultiply(buffer.size, buffer.slots);
      for (int64_t bank = 0; bank < std::min(taken, machine.psumBanks); ++bank)
        banks.insert(*buffer.fixed + bank);
    } else {
      int64_t size = saturatingMultiply(buffer.size, buffer.slots);
      total += std::min(size, std::numeric_limits<int64_t>::max() - total);
    }
  }
  return total + banks.size();
}

int64_t Buffers::peakIn(MemorySpace space, placement::StepRange range,
                        SmallVectorImpl<size_t> *live) const {
  // What is live grows only where a buffer begins.
  SmallVector<int64_t> points = {range.begin};
  for (const placement::Buffer &buffer : described)
    if (range.contains(buffer.begin))
      points.push_back(buffer.begin);
  int64_t most = -1;
  SmallVector<size_t> holders;
  for (int64_t point : points) {
    SmallVector<size_t> here;
    int64_t size = liveAt(space, point, here);
    if (size < most || (size == most && here.size() <= holders.size()))
      continue;
    most = size;
    holders = std::move(here);
  }
  if (live)
    *live = std::move(holders);
  return most;
}

static void addBuffer(AllocOp alloc, int64_t slotBytes, const Machine &machine,
                      KernelAnalysis &analysis) {
  MemorySpace space = *getMemorySpace(alloc.getType());
  int64_t slots = alloc.getBuffers();
  size_t index = analysis.buffers.size();
  analysis.buffers.push_back({alloc, space, slotBytes, slots, false});
  if (!alloc.isPlaced()) {
    analysis.isPlaced = false;
    return;
  }
  if (space == MemorySpace::Sbuf) {
    int64_t size = saturatingMultiply(slotBytes, slots);
    uint64_t end = uint64_t(*alloc.getOffset()) + uint64_t(size);
    analysis.sbufHighWater = std::max<uint64_t>(
        analysis.sbufHighWater,
        std::min<uint64_t>(end, std::numeric_limits<int64_t>::max()));
    return;
  }
  int64_t first = *alloc.getBank(), banks = analysis.banks.size();
  int64_t taken = saturatingMultiply(machine.psumBanksOf(slotBytes), slots);
  for (int64_t bank = first; bank < banks && bank - first < taken; ++bank)
    analysis.banks[bank].push_back(index);
}

LogicalResult trn::analyzePressure(func::FuncOp kernel, const Machine &machine,
                                   KernelAnalysis &analysis) {
  FailureOr<KernelLives> lives = computeLives(kernel, machine);
  if (failed(lives))
    return failure();
  Buffers buffers(lives->buffers, machine);
  analysis.banks.resize(machine.psumBanks);
  for (BufferLife &life : lives->buffers)
    addBuffer(life.alloc, buffers.bytesOf(life.alloc), machine, analysis);

  placement::StepRange all = {0, std::numeric_limits<int64_t>::max()};
  auto peakOf = [&](MemorySpace space) {
    SmallVector<size_t> live;
    int64_t peak = buffers.peakIn(space, all, &live);
    for (size_t index : live)
      analysis.buffers[index].atPeak = true;
    return peak;
  };
  analysis.peak = {peakOf(MemorySpace::Sbuf), peakOf(MemorySpace::Psum)};

  DenseMap<Operation *, Pressure> known = {{kernel, analysis.peak}};
  for (LoopAnalysis &loop : analysis.loops) {
    placement::StepRange range = lives->loops.at(loop.loop);
    loop.pressure = {buffers.peakIn(MemorySpace::Sbuf, range),
                     buffers.peakIn(MemorySpace::Psum, range)};
    known[loop.loop] = loop.pressure;
    loop.outer = known.at(loop.loop->getParentOp());
  }
  return success();
}
