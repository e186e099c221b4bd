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
// from a third slot. Nor from a second one if the loop computes on other
// buffers most of the time: then it is enough that the buffer has its place to
// itself, which placement sees to if this pass leaves room for it. Accumulators
// in PSUM come and go much faster than engines hand over to each other, so
// there every free bank helps.
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/BufferLife.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Placement/Solvers.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include <functional>

using namespace mlir;
using namespace mlir::trn;

namespace mlir::trn {
#define GEN_PASS_DEF_MULTIBUFFER
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

static constexpr llvm::StringLiteral category = "trn-multi-buffer";

/// Whether somebody has decided on the slots of the buffer already: a user, or
/// the plan of the kernel, which knows about SBUF.
static bool isDecided(const BufferLife &life) {
  AllocOp alloc = life.alloc;
  bool isPlanned = life.getSpace() == MemorySpace::Sbuf &&
                   alloc->hasAttr(TrnDialect::MatrixAttrHelper::getNameStr());
  return alloc.getBuffers() > 1 || alloc.isPlaced() || isPlanned;
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

/// What a buffer gains if most of the computing in its loop happens without it
/// is a place of its own; otherwise it also needs a second slot.
static bool wantsSecondSlot(const BufferLife &life) {
  return life.restShare < 0.5;
}

static void remarkNoRoom(const BufferLife &life, StringRef what) {
  remark::missed(life.alloc->getLoc(),
                 remark::RemarkOpts::name("NoRoom").category(category))
      << remark::reason("{0} of {1} bytes a partition does not fit; transfers "
                        "wait for computing",
                        what, life.describe(/*slots=*/1).size);
}

/// Calls `serve` with the undecided buffers that `accept` likes, for each depth
/// of loops apart: what shallow loops get must not cost deep ones anything.
static void forEachDepth(ArrayRef<BufferLife> lives,
                         function_ref<bool(const BufferLife &)> accept,
                         function_ref<void(SmallVector<size_t> group)> serve) {
  SmallVector<size_t> order = byUrgency(lives);
  llvm::erase_if(order, [&](size_t index) {
    return isDecided(lives[index]) || !accept(lives[index]);
  });
  for (ArrayRef<size_t> rest = order; !rest.empty();) {
    size_t depth = lives[rest.front()].loops.size();
    ArrayRef<size_t> group = rest.take_while(
        [&](size_t index) { return lives[index].loops.size() == depth; });
    rest = rest.drop_front(group.size());
    serve(llvm::to_vector(group));
  }
}

static void doubleTransferred(ArrayRef<BufferLife> lives,
                              const Machine &machine) {
  placement::Problem problem =
      describePlacement(lives, MemorySpace::Sbuf, machine);
  auto serve = [&](ArrayRef<size_t> group) {
    // A place of its own for each comes before a second slot for some.
    for (size_t index : group)
      if (!tryReplace(problem, index,
                      lives[index].describe(/*slots=*/1, /*keptLoops=*/1)))
        remarkNoRoom(lives[index], "a place of its own");
    for (size_t index : group)
      if (wantsSecondSlot(lives[index]) &&
          !tryReplace(problem, index, lives[index].describe(/*slots=*/2)))
        remarkNoRoom(lives[index], "a second slot");
  };
  forEachDepth(lives, std::mem_fn(&BufferLife::isTransferred), serve);
  for (auto [life, buffer] : llvm::zip_equal(lives, problem.buffers))
    setSlots(life, buffer.slots);
}

static void spreadOverBanks(ArrayRef<BufferLife> lives,
                            const Machine &machine) {
  placement::Problem problem =
      describePlacement(lives, MemorySpace::Psum, machine);
  auto serve = [&](SmallVector<size_t> growing) {
    // One bank each in turn, so that buffers of one loop share evenly.
    while (!growing.empty())
      llvm::erase_if(growing, [&](size_t index) {
        int64_t slots = problem.buffers[index].slots + 1;
        return slots > lives[index].executions ||
               !tryReplace(problem, index, lives[index].describe(slots));
      });
  };
  forEachDepth(lives, [](const BufferLife &) { return true; }, serve);
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
