//===- Memory.cpp - The memories of a running program ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Memory.h"

#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <limits>
#include <mutex>
#include <sys/mman.h>

using namespace mlir::trn;
using llvm::ArrayRef;

/// The real pitch of a power of two, or nearly, would put all rows of a tile
/// into the same few sets of the host's caches. An odd number of cache lines
/// that is near a row of a tile spreads them.
static constexpr int64_t pitchPadding = 1024 + 64;

/// Bounds of what a buffer may claim; with them no address overflows.
static constexpr int64_t maxSlots = 1 << 16;
static constexpr int64_t maxNumber = int64_t(1) << 40;

static std::string interval(int64_t lo, int64_t hi) {
  return "[" + std::to_string(lo) + ", " + std::to_string(hi) + ")";
}

int64_t AddressMap::slotBegin(int32_t index, int64_t slot) const {
  const Buffer &buffer = program.buffers[index];
  return buffer.space == Space::Hbm ? 0 : trn::slotBegin(buffer, slot, machine);
}

Region AddressMap::slotRegion(int32_t index, int64_t slot) const {
  const Buffer &buffer = program.buffers[index];
  int64_t begin = slotBegin(index, slot);
  if (buffer.space == Space::Hbm)
    return {index, 0, 1, 0, buffer.bytes};
  return {index, 0, buffer.partitions, begin, begin + buffer.bytesPerPartition};
}

namespace {
/// Images that runs have left for those that follow. Of a small kernel, the
/// system would clear pages for longer than it runs.
class LeftImages {
public:
  /// Null if there is none of this size.
  void *take(int64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = llvm::find_if(
        images, [&](const Left &left) { return left.bytes == bytes; });
    if (found == images.end())
      return nullptr;
    void *base = found->base;
    images.erase(found);
    total -= bytes;
    return base;
  }

  void leave(void *base, int64_t bytes) {
    std::lock_guard<std::mutex> lock(mutex);
    images.push_back({base, bytes});
    total += bytes;
    for (; total > maxBytes; images.pop_front()) {
      munmap(images.front().base, images.front().bytes);
      total -= images.front().bytes;
    }
  }

private:
  /// SBUF and PSUM of two runs at a time, with SBUF in f32.
  static constexpr int64_t maxBytes = int64_t(192) << 20;

  struct Left {
    void *base;
    int64_t bytes;
  };
  std::mutex mutex;
  std::deque<Left> images; // the oldest first
  int64_t total = 0;
};
} // namespace

static LeftImages &leftImages() {
  static LeftImages images;
  return images;
}

Image::Image(int64_t bytes) : bytes(bytes) {
  base = static_cast<char *>(leftImages().take(bytes));
  if (base)
    return;
  void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED)
    return;
  base = static_cast<char *>(mapped);
#ifdef MADV_HUGEPAGE
  madvise(mapped, bytes, MADV_HUGEPAGE);
#endif
}

Image::~Image() {
  if (base)
    leftImages().leave(base, bytes);
}

Memory::Memory(const Program &program, const Machine &machine)
    : program(program), machine(machine), map(program, machine),
      sbufPitch(machine.sbufPartitionBytes + pitchPadding),
      psumPitch(machine.psumPartitionBytes() + pitchPadding),
      bases(program.buffers.size()), states(program.buffers.size()),
      hbmWritten(program.buffers.size()) {}

std::optional<Fault> Memory::acquire(ArrayRef<void *> arguments,
                                     ArrayRef<const WrittenMap *> written,
                                     Memory *first) {
  sbuf = Image(machine.partitions * sbufPitch);
  psum = Image(machine.partitions * psumPitch);
  if (!sbuf.data() || !psum.data())
    return Fault{"", 0, "needs more memory than the host has", {}};
  sbufWritten = ChipMap(machine.partitions, machine.sbufPartitionBytes);
  psumWritten = ChipMap(machine.partitions, machine.psumPartitionBytes());
  std::vector<bool> isAllocated(program.buffers.size(), false);
  for (const Step &step : program.steps)
    if (step.kind == Step::Kind::Alloc)
      isAllocated[step.index] = true;
  for (auto [index, buffer] : llvm::enumerate(program.buffers)) {
    if (buffer.slots < 1 || buffer.slots > maxSlots)
      return Fault{"",
                   buffer.op,
                   "has " + std::to_string(buffer.slots) +
                       " slots, but must have from 1 to " +
                       std::to_string(maxSlots),
                   {}};
    for (int64_t number :
         {buffer.bytes, buffer.partitions, buffer.bytesPerPartition,
          buffer.offset, buffer.bank})
      if (number < 0 || number > maxNumber)
        return Fault{"",
                     buffer.op,
                     "has the impossible size or position " +
                         std::to_string(number),
                     {}};
    states[index].live.assign(buffer.slots, false);
    if (buffer.space == Space::Sbuf)
      bases[index] = sbuf.data();
    if (buffer.space == Space::Psum)
      bases[index] = psum.data();
    if (buffer.space != Space::Hbm)
      continue;
    states[index].live[0] = !isAllocated[index];
    if (buffer.argument >= 0) {
      if (size_t(buffer.argument) >= arguments.size() ||
          (!arguments[buffer.argument] && buffer.bytes > 0))
        return Fault{"",
                     buffer.op,
                     "needs data for argument " +
                         std::to_string(buffer.argument) +
                         ", but none was given",
                     {}};
      bases[index] = static_cast<char *>(arguments[buffer.argument]);
    } else if (char *known = first ? first->findShared(buffer) : nullptr) {
      bases[index] = known;
    } else if (buffer.bytes > 0) {
      scratch.emplace_back(buffer.bytes);
      bases[index] = scratch.back().data();
      if (!bases[index])
        return Fault{"",
                     buffer.op,
                     "needs " + std::to_string(buffer.bytes) +
                         " bytes of scratch, more than the host has",
                     {}};
    }
    if (buffer.argument >= 0 && size_t(buffer.argument) < written.size() &&
        written[buffer.argument])
      hbmWritten[index] =
          std::make_unique<WrittenMap>(*written[buffer.argument]);
    else if (buffer.argument < 0 || buffer.result)
      hbmWritten[index] = std::make_unique<WrittenMap>(1, buffer.bytes);
  }
  if (first)
    follow(*first);
  return std::nullopt;
}

std::optional<Fault> Memory::alloc(int32_t index, int64_t slot) {
  const Buffer &buffer = program.buffers[index];
  Region region = map.slotRegion(index, slot);
  if (buffer.space != Space::Hbm) {
    bool isSbuf = buffer.space == Space::Sbuf;
    int64_t size =
        isSbuf ? machine.sbufPartitionBytes : machine.psumPartitionBytes();
    int64_t element = byteSize(buffer.type);
    if (buffer.partitions > machine.partitions)
      return Fault{"placed_c2",
                   buffer.op,
                   "takes " + std::to_string(buffer.partitions) +
                       " partitions, but there are " +
                       std::to_string(machine.partitions),
                   {}};
    int64_t banks = machine.psumBanksOf(buffer.bytesPerPartition);
    int64_t last = buffer.bank + (slot + 1) * banks - 1;
    if (!isSbuf && last >= machine.psumBanks)
      return Fault{"placed_c4",
                   buffer.op,
                   "takes PSUM bank " + std::to_string(last) +
                       ", but there are " + std::to_string(machine.psumBanks),
                   {}};
    if (!isSbuf && buffer.offset &&
        buffer.offset + buffer.bytesPerPartition > machine.psumBankBytes)
      return Fault{"placed_c5",
                   buffer.op,
                   "takes bytes " +
                       interval(buffer.offset,
                                buffer.offset + buffer.bytesPerPartition) +
                       " of a bank, but banks have " +
                       std::to_string(machine.psumBankBytes),
                   {}};
    if (region.hi > size)
      return Fault{"placed_c3",
                   buffer.op,
                   "takes bytes " + interval(region.lo, region.hi) +
                       " of each partition, but there are " +
                       std::to_string(size),
                   {}};
    if (region.lo % element != 0 || buffer.bytesPerPartition % element != 0)
      return Fault{"alloc_c3",
                   buffer.op,
                   "starts at byte " + std::to_string(region.lo) +
                       ", but its elements need a multiple of " +
                       std::to_string(element),
                   {}};
  }
  for (auto [other, otherSlot] : liveAt({index, slot})) {
    Region owned = map.slotRegion(other, otherSlot);
    return Fault{"placed_c6",
                 buffer.op,
                 "takes bytes " + interval(region.lo, region.hi) +
                     " of each partition, which overlap a live buffer",
                 {{program.buffers[other].op,
                   "this buffer holds bytes " + interval(owned.lo, owned.hi)}}};
  }
  if (buffer.space != Space::Hbm)
    liveSlots[{buffer.space, region.lo}] = {index, slot};
  states[index].wasAllocated = true;
  states[index].live[slot] = true;
  if (WrittenMap *written = writtenMap(buffer, index))
    written->clear(region.p0, region.p1, region.lo, region.hi);
  return std::nullopt;
}

std::optional<Fault> Memory::dealloc(int32_t index, int64_t slot) {
  if (!states[index].live[slot])
    return deadBuffer(index, slot, "frees");
  states[index].live[slot] = false;
  liveSlots.erase(
      {program.buffers[index].space, map.slotRegion(index, slot).lo});
  return std::nullopt;
}

bool Memory::isConstant(int32_t index) const {
  const Buffer &buffer = program.buffers[index];
  if (buffer.argument < 0 || buffer.result)
    return false;
  const char *begin = bases[index], *end = begin + buffer.bytes;
  for (auto [other, base] : llvm::zip_equal(program.buffers, bases))
    if (other.result && base < end && begin < base + other.bytes)
      return false;
  return true;
}

Fault Memory::deadBuffer(int32_t index, int64_t slot, const char *verb) const {
  Fault fault{"memory_c1", -1, verb, {}};
  if (!states[index].wasAllocated) {
    fault.message += " a buffer before it is allocated";
    fault.notes.push_back({program.buffers[index].op, "this buffer"});
    return fault;
  }
  fault.message += " a buffer after it was freed";
  fault.notes.push_back({program.buffers[index].op, "this buffer"});
  for (auto [other, otherSlot] : liveAt({index, slot}))
    fault.notes.push_back(
        {program.buffers[other].op, "this buffer has its bytes now"});
  return fault;
}

llvm::SmallVector<Memory::Slot> Memory::liveAt(Slot slot) const {
  Space space = program.buffers[slot.first].space;
  llvm::SmallVector<Slot> found;
  if (space == Space::Hbm)
    return found;
  Region region = map.slotRegion(slot.first, slot.second);
  // The one that begins before it may reach into it.
  auto next = liveSlots.lower_bound({space, region.lo});
  if (next != liveSlots.begin())
    --next;
  for (; next != liveSlots.end() && next->first < std::pair(space, region.hi);
       ++next)
    if (auto [buffer, number] = next->second;
        buffer != slot.first && next->first.first == space &&
        map.slotRegion(buffer, number).overlaps(region))
      found.push_back(next->second);
  llvm::sort(found);
  return found;
}

std::optional<Fault> Memory::locate(const OperandLayout &operand,
                                    ArrayRef<int64_t> counters, int64_t slot,
                                    const char *verb, Located &located) const {
  const Access &access = *operand.access;
  const Buffer &buffer = *operand.buffer;
  if (!states[access.buffer].live[slot])
    return deadBuffer(access.buffer, slot, verb);
  int64_t p0 = access.partition.evaluate(counters);
  int64_t start = access.offset.evaluate(counters) * byteSize(access.type);
  int64_t lo = start + operand.low, hi = start + operand.high;
  bool onChip = buffer.space != Space::Hbm;
  if (onChip && (p0 < 0 || p0 + operand.partitions > buffer.partitions))
    return Fault{"access_c1",
                 -1,
                 std::string(verb) + " partitions " +
                     interval(p0, p0 + operand.partitions) +
                     " of a buffer that has " +
                     std::to_string(buffer.partitions),
                 {{buffer.op, "this buffer"}}};
  int64_t size = onChip ? buffer.bytesPerPartition : buffer.bytes;
  if (lo < 0 || hi > size)
    return Fault{"access_c1",
                 -1,
                 std::string(verb) + " bytes " + interval(lo, hi) +
                     (onChip ? " of each partition" : "") +
                     " of a buffer that has " + std::to_string(size),
                 {{buffer.op, "this buffer"}}};
  int64_t begin = map.slotBegin(access.buffer, slot);
  int64_t pitch = buffer.space == Space::Sbuf ? sbufPitch : psumPitch;
  located.start = begin + start;
  located.region = {access.buffer, onChip ? p0 : 0,
                    onChip ? p0 + operand.partitions : 1, begin + lo,
                    begin + hi};
  located.pointer =
      bases[access.buffer] + (onChip ? p0 * pitch : 0) + located.start;
  return std::nullopt;
}

std::optional<Fault> Memory::findUnwrittenResult() const {
  for (auto [index, buffer] : llvm::enumerate(program.buffers)) {
    if (!buffer.result)
      continue;
    std::optional<WrittenMap::Position> hole =
        hbmWritten[index]->findHole(0, 1, 0, buffer.bytes);
    if (hole)
      return Fault{"memory_c5",
                   buffer.op,
                   "never writes element " +
                       std::to_string(hole->byte / byteSize(buffer.type)) +
                       " of its result, argument " +
                       std::to_string(buffer.argument) +
                       "; a kernel writes all of its results",
                   {}};
  }
  return std::nullopt;
}

WrittenMap *Memory::writtenMap(const Buffer &buffer, int32_t index) const {
  switch (buffer.space) {
  case Space::Hbm:
    return hbmWritten[index].get();
  case Space::Sbuf:
    return sbufWritten.get();
  case Space::Psum:
    return psumWritten.get();
  }
  return nullptr;
}

std::optional<WrittenMap::Position>
Memory::findHole(const OperandLayout &operand, const Located &located) const {
  const WrittenMap *written =
      writtenMap(*operand.buffer, operand.access->buffer);
  std::optional<WrittenMap::Position> hole;
  if (written)
    operand.forEachRun([&](int64_t lo, int64_t hi) {
      hole = written->findHole(located.region.p0, located.region.p1,
                               located.start + lo, located.start + hi);
      return hole.has_value();
    });
  return hole;
}

std::vector<float> Memory::read(int32_t index, int64_t slot) const {
  const Buffer &buffer = program.buffers[index];
  Region region = map.slotRegion(index, slot);
  int64_t pitch = buffer.space == Space::Sbuf ? sbufPitch : psumPitch;
  int64_t size = byteSize(buffer.type);
  int64_t columns = (region.hi - region.lo) / size;
  std::vector<float> values(region.p1 * columns);
  const WrittenMap *written = writtenMap(buffer, index);
  for (int64_t row = 0; row < region.p1; ++row) {
    float *to = values.data() + row * columns;
    const char *from = bases[index] + row * pitch + region.lo;
    loadFloats(buffer.type, from, to, columns);
    if (!written || !written->findHole(row, row + 1, region.lo, region.hi))
      continue;
    for (int64_t i = 0, lo = region.lo; i < columns; ++i, lo += size)
      if (written->findHole(row, row + 1, lo, lo + size))
        to[i] = std::numeric_limits<float>::quiet_NaN();
  }
  return values;
}

void Memory::markWritten(const OperandLayout &operand, const Located &located) {
  shared.write(operand, located.start);
  WrittenMap *written = writtenMap(*operand.buffer, operand.access->buffer);
  if (written)
    operand.forEachRun([&](int64_t lo, int64_t hi) {
      written->set(located.region.p0, located.region.p1, located.start + lo,
                   located.start + hi);
      return false;
    });
}

bool Memory::isWritten(const char *element, int64_t bytes) const {
  int64_t row = (element - sbuf.data()) / sbufPitch,
          byte = (element - sbuf.data()) % sbufPitch;
  return !sbufWritten->findHole(row, row + 1, byte, byte + bytes);
}

void Memory::forget(const char *element, int64_t bytes) {
  int64_t row = (element - sbuf.data()) / sbufPitch,
          byte = (element - sbuf.data()) % sbufPitch;
  sbufWritten->clear(row, row + 1, byte, byte + bytes);
}
