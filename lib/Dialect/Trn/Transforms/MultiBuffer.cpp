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
#include "trn/Placement/Growth.h"

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
static bool wantsSecondSlot(const placement::Life &life) {
  return life.restShare < 0.5;
}

static void remarkNoRoom(const BufferLife &life, StringRef what) {
  remark::missed(life.alloc->getLoc(),
                 remark::RemarkOpts::name("NoRoom").category(category))
      << remark::reason("{0} of {1} bytes a partition does not fit; transfers "
                        "wait for computing",
                        what, life.life.buffer.size);
}

static void doubleTransferred(ArrayRef<BufferLife> buffers,
                              placement::Problem &problem) {
  placement::Lives lives = placementOf(buffers);
  placement::Growth growth(problem);
  auto grow = [&](ArrayRef<placement::Replacement> wanted, StringRef what) {
    for (auto [replacement, isReplaced] :
         llvm::zip_equal(wanted, growth.tryReplace(wanted)))
      if (!isReplaced)
        remarkNoRoom(buffers[replacement.index], what);
  };
  auto serve = [&](ArrayRef<size_t> group) {
    // A place of its own for each comes before a second slot for some.
    SmallVector<placement::Replacement> own, second;
    for (size_t index : group) {
      own.push_back(
          {index, lives[index].describe(/*slots=*/1, /*keptLoops=*/1)});
      if (wantsSecondSlot(lives[index]))
        second.push_back({index, lives[index].describe(/*slots=*/2)});
    }
    grow(own, "a place of its own");
    grow(second, "a second slot");
  };
  placement::forEachDepth(lives, std::mem_fn(&placement::Life::isTransferred),
                          serve);
}

namespace {
struct MultiBufferPass final : trn::impl::MultiBufferBase<MultiBufferPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<Machine> machine = getMachine(getOperation());
    if (failed(machine))
      return signalPassFailure();
    FailureOr<KernelLives> lives = computeLives(getOperation(), *machine);
    if (failed(lives))
      return signalPassFailure();
    for (MemorySpace space : {MemorySpace::Sbuf, MemorySpace::Psum}) {
      std::vector<BufferLife> buffers = lives->in(space);
      placement::Lives plain = placementOf(buffers);
      placement::Problem problem =
          placement::describe(plain, capacityOf(space, *machine));
      if (space == MemorySpace::Sbuf)
        doubleTransferred(buffers, problem);
      else
        placement::spreadEvenly(plain, problem);
      for (auto [life, buffer] : llvm::zip_equal(buffers, problem.buffers))
        setSlots(life, buffer.slots);
    }
  }
};
} // namespace
