//===- Lives.h - When buffers are live, and what they gain ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What buffers there are in the steps of a program, read once: from IR, or from
// the walk of a plan. Slots and places are decided on this, so that both agree.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLACEMENT_LIVES_H
#define TRN_PLACEMENT_LIVES_H

#include "trn/Placement/Solvers.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace mlir::trn::placement {

/// Steps `begin <= step < end`.
struct StepRange {
  int64_t begin = 0;
  int64_t end = 0;
  bool contains(int64_t step) const { return begin <= step && step < end; }
};

struct Life {
  /// One slot, in units of the memory.
  Buffer buffer;
  /// One execution, from the allocation to behind the last use.
  StepRange range = {};
  /// The step of that, or the end of the loop around it if that is an inner
  /// one.
  int64_t lastUse = 0;
  /// The loops around the allocation, innermost first.
  llvm::SmallVector<StepRange, 4> loops = {};
  /// How often it is allocated in one run; saturates.
  int64_t executions = 1;
  /// Share of what the tensor engine executes in the innermost loop while the
  /// buffer is not live: a transfer for the next iteration overlaps with that
  /// if the buffer has its place to itself.
  double restShare = 0;
  /// Whether a DMA fills or drains the buffer.
  bool isTransferred = false;
  /// Whether somebody has decided on its slots.
  bool isDecided = false;

  /// What solvers see if the buffer had this many slots, and kept its place
  /// during whole iterations of that many loops around it. Slots rotate, so
  /// several need at least the innermost loop. What is never allocated is live
  /// with nothing else.
  Buffer describe(int64_t slots, size_t keptLoops = 0) const;
  /// With the slots that it has.
  Buffer describe() const { return describe(buffer.slots); }
};

using Lives = llvm::SmallVector<Life, 0>;

/// Told the steps of a program in their order.
class LifeRecorder {
public:
  void beginLoop(int64_t trips);
  void endLoop();
  /// Buffers are numbered in order.
  void allocate(const Buffer &buffer, bool isDecided);
  /// An instruction. `isTransfer`: a DMA's.
  void execute(llvm::ArrayRef<int32_t> buffers, bool isTransfer,
               bool isOnTensor);

  /// How many steps there were.
  int64_t numSteps() const { return steps; }
  /// Of all buffers, by number. All loops have ended.
  Lives take();

private:
  struct Loop {
    StepRange range;
    double executions; // of what is inside
    /// Buffers from outside that it uses.
    llvm::SmallVector<int32_t> used;
  };
  void use(int32_t buffer);

  int64_t steps = 0;
  std::vector<Loop> loops;
  llvm::SmallVector<int32_t> open;                    // loops
  std::vector<llvm::SmallVector<int32_t, 4>> around;  // by buffer: loops
  std::vector<std::pair<int64_t, double>> tensorWork; // executed by a step
  Lives lives;
};

/// The order in which buffers are served with extra memory: those of inner
/// loops first, for these wait most often, and among them the small ones, for
/// more of them fit. Only buffers in loops that are executed more than once.
llvm::SmallVector<size_t> byUrgency(llvm::ArrayRef<Life> lives);

/// What solvers see of buffers that share a memory of this capacity.
Problem describe(llvm::ArrayRef<Life> lives, int64_t capacity);

/// Calls `serve` with the undecided buffers that `accept` likes, for each depth
/// of loops apart: what shallow loops get must not cost deep ones anything.
void forEachDepth(llvm::ArrayRef<Life> lives,
                  llvm::function_ref<bool(const Life &)> accept,
                  llvm::function_ref<void(llvm::ArrayRef<size_t>)> serve);

/// Gives undecided buffers further slots as long as there is room: one each in
/// turn, so that buffers of one loop share evenly.
void spreadEvenly(llvm::ArrayRef<Life> lives, Problem &problem);

/// Addresses for `problem`, which describes `lives`; none if they do not fit.
/// A buffer that takes the place of another one waits for the last user of that
/// one: an accumulator for an eviction, a load for the engines that read what
/// was loaded before. So what DMA fills or drains keeps its place between
/// iterations, and addresses go round, as long as there is room.
std::optional<Solution> place(llvm::ArrayRef<Life> lives, Problem &problem);

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_LIVES_H
