//===- PlaceBuffers.cpp - Give on-chip buffers their addresses ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   BEFORE                                 AFTER
//   %x = trn.alloc buffers 2               trn.alloc buffers 2 offset 0
//   %y = trn.alloc                         trn.alloc offset 8192
//   %p = trn.alloc buffers 4 (psum)        trn.alloc buffers 4 bank 0 offset 0
//
// The solvers do not know IR; this file describes the problem to them and
// writes the answer back. A PSUM buffer has each of its banks for itself.
//
//===----------------------------------------------------------------------===//

#include "VerifyLevel.h"

#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Dialect/Trn/Transforms/Transforms.h"
#include "trn/Placement/Solvers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::trn;

namespace mlir::trn {
#define GEN_PASS_DEF_PLACEBUFFERS
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

static constexpr llvm::StringLiteral category = "trn-place-buffers";

void trn::insertDeallocs(MutableArrayRef<BufferLife> lives) {
  for (BufferLife &life : lives) {
    if (llvm::any_of(life.users, llvm::IsaPred<DeallocOp>))
      continue;
    OpBuilder builder(life.alloc.getContext());
    builder.setInsertionPointAfter(life.lastUse);
    life.lastUse =
        DeallocOp::create(builder, life.alloc.getLoc(), life.alloc.getBuffer());
    life.users.push_back(life.lastUse);
  }
}

//===----------------------------------------------------------------------===//
// When it does not fit
//===----------------------------------------------------------------------===//

static StringRef unitOf(MemorySpace space) {
  return space == MemorySpace::Psum ? "banks" : "bytes a partition";
}

/// "32768 bytes a partition (2 buffers of 16384)", of the buffer that its
/// location names, else of this one.
static std::string describeSize(Operation *alloc,
                                const placement::Buffer &buffer,
                                MemorySpace space) {
  auto named = dyn_cast<NameLoc>(alloc->getLoc());
  std::string text = llvm::formatv(
      "{0} takes {1} {2}", named ? named.getName().getValue() : "this one",
      buffer.footprint(), unitOf(space));
  if (buffer.slots > 1)
    text += llvm::formatv(" ({0} buffers of {1})", buffer.slots, buffer.size);
  if (buffer.fixed)
    text += llvm::formatv(", fixed at {0}", *buffer.fixed);
  return text;
}

void trn::reportOverflow(ArrayRef<BufferLife> lives, MemorySpace space,
                         const placement::Problem &problem,
                         const Machine &machine) {
  // placed_c3, placed_c4
  placement::Peak peak = problem.peak();
  size_t largest = peak.live.front();
  InFlightDiagnostic diagnostic =
      AllocOp(lives[largest].alloc).emitOpError()
      << stringifyMemorySpace(space) << " buffers that are live together take "
      << peak.size << " " << unitOf(space) << ", but " << machine.name
      << " has " << problem.capacity;
  if (peak.size <= problem.capacity)
    diagnostic << "; they fit by size, but no addresses were found that avoid "
                  "each other";
  bool isFixed =
      llvm::any_of(problem.buffers, [](const placement::Buffer &buffer) {
        return buffer.fixed.has_value();
      });
  if (space == MemorySpace::Sbuf && !isFixed)
    diagnostic << "; smaller blocks need less";
  auto describe = [&](size_t index) {
    return describeSize(lives[index].alloc, problem.buffers[index], space);
  };
  diagnostic << "; " << describe(largest);
  for (size_t index : llvm::drop_begin(peak.live))
    diagnostic.attachNote(lives[index].alloc->getLoc()) << describe(index);
}

//===----------------------------------------------------------------------===//
// Writing back
//===----------------------------------------------------------------------===//

static void writeAddress(AllocOp alloc, MemorySpace space, int64_t address) {
  if (alloc.isPlaced())
    return;
  if (space == MemorySpace::Psum)
    alloc.setBank(address);
  alloc.setOffset(space == MemorySpace::Psum ? 0 : address);
}

/// Places the buffers of one memory; returns the high-water mark.
static FailureOr<int64_t> placeIn(func::FuncOp kernel, MemorySpace space,
                                  const KernelLives &all,
                                  const Machine &machine) {
  std::vector<BufferLife> buffers = all.in(space);
  placement::Lives lives = placementOf(buffers);
  placement::Problem problem =
      placement::describe(lives, capacityOf(space, machine));
  std::optional<placement::Solution> solution =
      placement::place(lives, problem);
  if (!solution) {
    reportOverflow(buffers, space, problem, machine);
    return failure();
  }
  for (auto [life, address] : llvm::zip_equal(buffers, solution->offsets))
    writeAddress(life.alloc, space, address);
  return solution->highWater;
}

namespace {
struct PlaceBuffersPass final : trn::impl::PlaceBuffersBase<PlaceBuffersPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return signalPassFailure();
    FailureOr<KernelLives> lives = computeLives(func, *machine);
    if (failed(lives))
      return signalPassFailure();
    if (lives->buffers.empty())
      return;
    // placed_c6
    if (failed(verifyNoOverlap(*lives, *machine)))
      return signalPassFailure();
    FailureOr<int64_t> bytes =
        placeIn(func, MemorySpace::Sbuf, *lives, *machine);
    FailureOr<int64_t> banks =
        placeIn(func, MemorySpace::Psum, *lives, *machine);
    if (failed(bytes) || failed(banks))
      return signalPassFailure();
    insertDeallocs(lives->buffers);
    remark::passed(
        func.getLoc(),
        remark::RemarkOpts::name("Placed").category(category).function(
            func.getName()))
        << "placed all buffers"
        << remark::metric("buffers", lives->buffers.size())
        << remark::metric("sbuf_partition_bytes", *bytes)
        << remark::metric("of_bytes", machine->sbufPartitionBytes)
        << remark::metric("psum_banks", *banks)
        << remark::metric("of_banks", machine->psumBanks);
  }
};
} // namespace
