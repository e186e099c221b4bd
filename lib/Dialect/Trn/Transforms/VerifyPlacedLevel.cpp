//===- VerifyPlacedLevel.cpp - Programs that can run ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyLevel.h"

#include "trn/Decode/Decode.h"
#include "trn/Program/CheckAccesses.h"
#include "trn/Program/CheckGroups.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

/// Beyond this many steps, a few tenths of a second, groups are left to the
/// interpreter.
static constexpr int64_t maxGroupSteps = 10'000'000;

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

static int64_t bytesPerPartition(MemRefType type) {
  uint64_t bytes = byteSize(*getElementType(type.getElementType()));
  for (int64_t size : type.getShape().drop_front())
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, size);
  return std::min<uint64_t>(bytes, std::numeric_limits<int64_t>::max() / 2);
}

/// One past the last byte of a partition that the slots take.
static int64_t endOf(AllocOp alloc) {
  uint64_t end = llvm::SaturatingMultiplyAdd<uint64_t>(
      bytesPerPartition(alloc.getType()), alloc.getBuffers(),
      *alloc.getOffset());
  return std::min<uint64_t>(end, std::numeric_limits<int64_t>::max());
}

static LogicalResult verifyPsumAddress(AllocOp alloc, const Machine &machine) {
  // placed_c4
  int64_t bytes = bytesPerPartition(alloc.getType());
  int64_t bank = *alloc.getBank();
  uint64_t banks = llvm::SaturatingMultiply<uint64_t>(
      machine.psumBanksOf(bytes), alloc.getBuffers());
  if (banks > uint64_t(machine.psumBanks) ||
      bank > machine.psumBanks - int64_t(banks))
    return alloc.emitOpError("takes ")
           << banks << " banks from bank " << bank << ", but " << machine.name
           << " has " << machine.psumBanks;
  // placed_c5
  int64_t offset = *alloc.getOffset();
  if (offset &&
      (bytes > machine.psumBankBytes || offset > machine.psumBankBytes - bytes))
    return alloc.emitOpError("a psum tile lies inside of one bank or begins at "
                             "byte 0 of several, but this one takes ")
           << bytes << " bytes from byte " << offset << ", and a bank of "
           << machine.name << " has " << machine.psumBankBytes
           << "; use a smaller tile or offset 0";
  return success();
}

static LogicalResult verifyAddress(AllocOp alloc, const Machine &machine) {
  MemRefType type = alloc.getType();
  // placed_c1
  if (!alloc.isPlaced())
    return alloc.emitOpError("every buffer of a placed program has an address, "
                             "but this one has none; run trn-place-buffers");
  // placed_c2
  if (type.getDimSize(0) > machine.partitions)
    return alloc.emitOpError("has ")
           << type.getDimSize(0) << " partitions, but " << machine.name
           << " has " << machine.partitions << "; run trn-fold-partitions";
  if (getMemorySpace(type) == MemorySpace::Psum)
    return verifyPsumAddress(alloc, machine);
  // placed_c3
  if (endOf(alloc) > machine.sbufPartitionBytes)
    return alloc.emitOpError("ends at byte ")
           << endOf(alloc) << " of a partition, but " << machine.name << " has "
           << machine.sbufPartitionBytes << " usable ones";
  return success();
}

/// placed_c7
static LogicalResult verifyAssigned(InstructionOpInterface op) {
  if (op.getPossibleEngines().empty() || op.getChosenEngine())
    return success();
  return op.emitOpError("every instruction of a placed program has an engine, "
                        "but this one has none; run trn-assign-engines");
}

//===----------------------------------------------------------------------===//
// Overlap
//===----------------------------------------------------------------------===//

namespace {
/// What the slots of a buffer take: banks (one for all of SBUF) and bytes.
struct Extent {
  int64_t firstBank, endBank, begin, end;

  bool overlaps(const Extent &other) const {
    return firstBank < other.endBank && other.firstBank < endBank &&
           begin < other.end && other.begin < end;
  }
};
} // namespace

static Extent extentOf(AllocOp alloc, const Machine &machine) {
  if (getMemorySpace(alloc.getType()) != MemorySpace::Psum)
    return {0, 1, int64_t(*alloc.getOffset()), endOf(alloc)};
  int64_t bank = *alloc.getBank(), offset = *alloc.getOffset();
  int64_t bytes = bytesPerPartition(alloc.getType());
  int64_t banks = machine.psumBanksOf(bytes) * int64_t(alloc.getBuffers());
  return {bank, bank + banks, offset, offset + bytes};
}

static std::string describe(const Extent &extent, MemorySpace space) {
  std::string bytes =
      llvm::formatv("bytes [{0}, {1}) of ", extent.begin, extent.end);
  if (space == MemorySpace::Sbuf)
    return bytes + "a partition";
  if (extent.endBank - extent.firstBank == 1)
    return bytes + llvm::formatv("bank {0}", extent.firstBank).str();
  return bytes +
         llvm::formatv("banks {0} to {1}", extent.firstBank, extent.endBank - 1)
             .str();
}

namespace {
struct PlacedBuffer {
  const BufferLife *buffer;
  Extent extent;
  placement::Buffer life;

  MemorySpace space() const { return buffer->getSpace(); }
};
} // namespace

/// "x takes bytes [0, 4096) of a partition", of the buffer that its location
/// names, else of `unnamed`.
static std::string describe(const PlacedBuffer &buffer, StringRef unnamed) {
  AllocOp alloc = buffer.buffer->alloc;
  auto named = dyn_cast<NameLoc>(alloc.getLoc());
  return llvm::formatv("{0} takes {1}",
                       named ? named.getName().getValue() : unnamed,
                       describe(buffer.extent, buffer.space()));
}

static LogicalResult refuseOverlap(const PlacedBuffer &buffer,
                                   const PlacedBuffer &other) {
  AllocOp alloc = buffer.buffer->alloc, earlier = other.buffer->alloc;
  InFlightDiagnostic diagnostic =
      alloc.emitOpError("buffers that are live together must not overlap, but ")
      << describe(buffer, "this one") << ", and "
      << describe(other, "the other one");
  diagnostic.attachNote(earlier.getLoc()) << "the other buffer";
  diagnostic.attachNote(other.buffer->lastUse->getLoc())
      << "the last use of the other buffer";
  return diagnostic;
}

/// placed_c6: in the order in which buffers begin to live, each is compared
/// with those that do then.
LogicalResult trn::verifyNoOverlap(const KernelLives &lives,
                                   const Machine &machine) {
  std::vector<PlacedBuffer> buffers;
  for (const BufferLife &life : lives.buffers) {
    AllocOp alloc = life.alloc;
    if (alloc.isPlaced())
      buffers.push_back(
          {&life, extentOf(alloc, machine), life.life.describe()});
  }
  llvm::sort(buffers, [](const PlacedBuffer &a, const PlacedBuffer &b) {
    return std::tie(a.life.begin, a.buffer) < std::tie(b.life.begin, b.buffer);
  });
  SmallVector<const PlacedBuffer *> live;
  for (const PlacedBuffer &buffer : buffers) {
    llvm::erase_if(live, [&](const PlacedBuffer *other) {
      return other->life.end <= buffer.life.begin;
    });
    for (const PlacedBuffer *other : live)
      if (buffer.space() == other->space() &&
          buffer.extent.overlaps(other->extent) &&
          buffer.life.isLiveWith(other->life))
        return refuseOverlap(buffer, *other);
    live.push_back(&buffer);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

static LogicalResult verifyProgram(func::FuncOp kernel,
                                   const Machine &machine) {
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  if (failed(decoded))
    return failure();
  const Program &program = decoded->program;
  if (std::optional<AccessFault> fault = checkAccesses(program, machine)) {
    InFlightDiagnostic diagnostic =
        decoded->ops[fault->op]->emitOpError(fault->message);
    diagnostic.attachNote(
        decoded->ops[program.buffers[fault->buffer].op]->getLoc())
        << "the buffer";
    return diagnostic;
  }
  if (std::optional<GroupFault> fault =
          checkGroups(program, machine, maxGroupSteps)) {
    InFlightDiagnostic diagnostic =
        decoded->ops[fault->op]->emitOpError(fault->message);
    if (fault->other >= 0)
      diagnostic.attachNote(decoded->ops[fault->other]->getLoc())
          << fault->note;
    diagnostic.attachNote(
        decoded->ops[program.buffers[fault->buffer].op]->getLoc())
        << "this buffer";
    return diagnostic;
  }
  return success();
}

LogicalResult trn::verifyPlacedLevel(func::FuncOp kernel,
                                     const Machine &machine) {
  WalkResult result = kernel.walk([&](Operation *op) {
    auto alloc = dyn_cast<AllocOp>(op);
    if (alloc && failed(verifyAddress(alloc, machine)))
      return WalkResult::interrupt();
    auto instruction = dyn_cast<InstructionOpInterface>(op);
    if (instruction && failed(verifyAssigned(instruction)))
      return WalkResult::interrupt();
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  FailureOr<KernelLives> lives = computeLives(kernel, machine);
  if (failed(lives) || failed(verifyNoOverlap(*lives, machine)))
    return failure();
  return verifyProgram(kernel, machine);
}
