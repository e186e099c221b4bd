//===- Lives.h - Live ranges of buffers and their benefit -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers in the steps of a program, from IR or from the walk of a plan.
// Slots and addresses are decided on this, so that both agree.
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
  /// One execution, from the allocation to just after the last use.
  StepRange range = {};
  /// The step of the last use, or the end of the inner loop around it.
  int64_t lastUse = 0;
  /// The loops around the allocation, innermost first.
  llvm::SmallVector<StepRange, 4> loops = {};
  /// How often it is allocated in one run; saturates.
  int64_t executions = 1;
  /// Share of the tensor engine's work in the innermost loop that happens while
  /// the buffer is not live. A transfer for the next iteration overlaps with it
  /// if the buffer shares its place with no other.
  double restShare = 0;
  /// Whether a DMA fills or drains the buffer.
  bool isTransferred = false;
  /// Whether its number of slots is fixed.
  bool isDecided = false;

  /// The buffer for solvers, if it had so many slots and kept its place during
  /// whole iterations of `keptLoops` loops around it. Slots rotate, so several
  /// need at least the innermost loop. A buffer that is never allocated
  /// conflicts with none.
  Buffer describe(int64_t slots, size_t keptLoops = 0) const;
  /// With the slots that it has.
  Buffer describe() const { return describe(buffer.slots); }
};

using Lives = llvm::SmallVector<Life, 0>;

/// Receives the steps of a program in order.
class LifeRecorder {
public:
  void beginLoop(int64_t trips);
  void endLoop();
  /// Buffers are numbered in order.
  void allocate(const Buffer &buffer, bool isDecided);
  /// An instruction. `isTransfer`: a DMA's.
  void execute(llvm::ArrayRef<int32_t> buffers, bool isTransfer,
               bool isOnTensor);

  /// Number of steps.
  int64_t numSteps() const { return steps; }
  /// Lives of all buffers, by number. All loops must have ended.
  Lives take();

private:
  struct Loop {
    StepRange range;
    double executions; // of the body
    /// Outer buffers that it uses.
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

/// Buffers by urgency for extra memory: inner loops first, for they wait most
/// often, then small ones, for more of them fit. Only buffers in loops that run
/// more than once.
llvm::SmallVector<size_t> byUrgency(llvm::ArrayRef<Life> lives);

/// The buffers of a memory of this capacity, for solvers.
Problem describe(llvm::ArrayRef<Life> lives, int64_t capacity);

/// Calls `serve` with the undecided buffers that `accept` likes, once per depth
/// of loops: shallow loops must not take slots from deep ones.
void forEachDepth(llvm::ArrayRef<Life> lives,
                  llvm::function_ref<bool(const Life &)> accept,
                  llvm::function_ref<void(llvm::ArrayRef<size_t>)> serve);

/// Gives undecided buffers further slots while there is room, one each in turn:
/// buffers of one loop share evenly.
void spreadEvenly(llvm::ArrayRef<Life> lives, Problem &problem);

/// Addresses for `problem`, which describes `lives`; none if they do not fit. A
/// buffer that reuses memory waits for its last user: an accumulator for an
/// eviction, a load for readers of earlier data. So buffers of the DMA keep
/// their place between iterations, and addresses go round, while there is room.
std::optional<Solution> place(llvm::ArrayRef<Life> lives, Problem &problem);

} // namespace mlir::trn::placement

#endif // TRN_PLACEMENT_LIVES_H
