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
// from a third slot. Accumulators in PSUM come and go much faster than engines
// hand over to each other, so there every free bank helps.
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

/// Whether a DMA fills or drains the buffer.
static bool isTransferred(const BufferLife &life) {
  return llvm::any_of(life.users, [](Operation *user) {
    auto instruction = dyn_cast<InstructionOpInterface>(user);
    return instruction && (instruction.getEngine() == Engine::Load ||
                           instruction.getEngine() == Engine::Store);
  });
}

/// Whether slots can rotate and nobody has decided on their number yet.
static bool canRotate(const BufferLife &life) {
  AllocOp alloc = life.alloc;
  return alloc.getBuffers() == 1 && !alloc.isPlaced() && life.loopDepth > 0 &&
         life.executions > 1;
}

/// The buffers that `accept` likes: those of inner loops first, for they rotate
/// most often, and among these the small ones, for more of them fit.
static SmallVector<size_t>
candidates(ArrayRef<BufferLife> lives,
           function_ref<bool(const BufferLife &)> accept) {
  SmallVector<size_t> order;
  for (auto [i, life] : llvm::enumerate(lives))
    if (canRotate(life) && accept(life))
      order.push_back(i);
  auto rank = [&](size_t i) {
    return std::make_tuple(-lives[i].loopDepth,
                           lives[i].withSlots(1).footprint(), i);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return order;
}

/// Gives buffer `index` one more slot if the problem stays solvable.
static bool tryOneMore(placement::Problem &problem, const BufferLife &life,
                       size_t index) {
  placement::Buffer before = problem.buffers[index];
  if (before.slots >= life.executions)
    return false;
  problem.buffers[index] = life.withSlots(before.slots + 1);
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
  for (size_t index : candidates(lives, isTransferred))
    if (!tryOneMore(problem, lives[index], index))
      remark::missed(lives[index].alloc->getLoc(),
                     remark::RemarkOpts::name("NoRoom").category(category))
          << remark::reason("a second slot of {0} bytes a partition does not "
                            "fit; transfers wait for computing",
                            problem.buffers[index].size);
  for (auto [life, buffer] : llvm::zip_equal(lives, problem.buffers))
    setSlots(life, buffer.slots);
}

static void spreadOverBanks(ArrayRef<BufferLife> lives,
                            const Machine &machine) {
  placement::Problem problem =
      describePlacement(lives, MemorySpace::Psum, machine);
  SmallVector<size_t> growing =
      candidates(lives, [](const BufferLife &) { return true; });
  // One bank each in turn, so that buffers of one loop share evenly.
  while (!growing.empty())
    llvm::erase_if(growing, [&](size_t index) {
      return !tryOneMore(problem, lives[index], index);
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
