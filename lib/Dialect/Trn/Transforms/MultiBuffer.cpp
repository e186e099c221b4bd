//===- MultiBuffer.cpp - Give buffers in loops several slots --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With one slot, iteration k + 1 of a loop waits until iteration k has let go
// of the buffer. With two, the transfer for k + 1 runs while k computes:
//
//   slots 1:  load 0 | compute 0 | load 1 | compute 1 | ...
//   slots 2:  load 0 | compute 0 | compute 1 | ...
//                    | load 1    | load 2    | ...
//
// One transfer at a time per buffer is all that overlaps, so SBUF gains nothing
// from a third slot. Nor from a second one if the loop also computes on other
// buffers: then it is enough that the buffer keeps its place to itself, which
// placement sees to, and here only has to leave room for. Accumulators in PSUM
// come and go much faster than engines hand over to each other, so there every
// free bank helps.
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/BufferLife.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Placement/Solvers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::trn;

namespace mlir::trn {
#define GEN_PASS_DEF_MULTIBUFFER
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

static constexpr llvm::StringLiteral category = "trn-multi-buffer";

/// Whether somebody has decided on the slots of the buffer already.
static bool isDecided(const BufferLife &life) {
  AllocOp alloc = life.alloc;
  return alloc.getBuffers() > 1 || alloc.isPlaced();
}

/// Replaces buffer `index` if the problem stays solvable.
static bool tryReplace(placement::Problem &problem, size_t index,
                       const placement::Buffer &buffer) {
  placement::Buffer before = std::exchange(problem.buffers[index], buffer);
  if (placement::solve(problem))
    return true;
  problem.buffers[index] = before;
  return false;
}

static void setSlots(const BufferLife &life, int64_t slots) {
  AllocOp alloc = life.alloc;
  if (alloc.getBuffers() == static_cast<uint64_t>(slots))
    return;
  alloc.setBuffers(slots);
  remark::passed(alloc.getLoc(),
                 remark::RemarkOpts::name("Rotated").category(category))
      << "rotates" << remark::metric("buffers", slots)
      << remark::metric("memory", stringifyMemorySpace(life.getSpace()));
}

static void doubleTransferred(ArrayRef<BufferLife> lives,
                              const Machine &machine) {
  placement::Problem problem =
      describePlacement(lives, MemorySpace::Sbuf, machine);
  for (size_t index : byUrgency(lives)) {
    const BufferLife &life = lives[index];
    if (!life.isTransferred() || isDecided(life))
      continue;
    int64_t slots = life.restsDuringWork ? 1 : 2;
    if (!tryReplace(problem, index, life.describe(slots, /*keptLoops=*/1)))
      remark::missed(life.alloc->getLoc(),
                     remark::RemarkOpts::name("NoRoom").category(category))
          << remark::reason("{0} of {1} bytes a partition does not fit; "
                            "transfers wait for computing",
                            slots > 1 ? "a second slot" : "a place of its own",
                            problem.buffers[index].size);
  }
  for (auto [life, buffer] : llvm::zip_equal(lives, problem.buffers))
    setSlots(life, buffer.slots);
}

static void spreadOverBanks(ArrayRef<BufferLife> lives,
                            const Machine &machine) {
  placement::Problem problem =
      describePlacement(lives, MemorySpace::Psum, machine);
  SmallVector<size_t> growing = byUrgency(lives);
  llvm::erase_if(growing,
                 [&](size_t index) { return isDecided(lives[index]); });
  // One bank each in turn, so that buffers of one loop share evenly.
  while (!growing.empty())
    llvm::erase_if(growing, [&](size_t index) {
      int64_t slots = problem.buffers[index].slots + 1;
      return slots > lives[index].executions ||
             !tryReplace(problem, index, lives[index].describe(slots));
    });
  for (auto [life, buffer] : llvm::zip_equal(lives, problem.buffers))
    setSlots(life, buffer.slots);
}

namespace {
struct MultiBufferPass final : trn::impl::MultiBufferBase<MultiBufferPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<Machine> machine = getMachine(getOperation());
    FailureOr<SmallVector<BufferLife>> lives =
        computeBufferLives(getOperation());
    if (failed(machine) || failed(lives))
      return signalPassFailure();
    doubleTransferred(livesIn(*lives, MemorySpace::Sbuf), *machine);
    spreadOverBanks(livesIn(*lives, MemorySpace::Psum), *machine);
  }
};
} // namespace
