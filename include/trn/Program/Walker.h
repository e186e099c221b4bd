//===- Walker.h - Steps through a program in order --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_WALKER_H
#define TRN_PROGRAM_WALKER_H

#include "trn/Program/Program.h"

namespace mlir::trn {

/// Yields allocations, deallocations and instructions of a program as they
/// happen: the one order that everything else follows.
/// ```
/// Walker walker(program);
/// while (const Step *step = walker.next())
///   switch (step->kind) { ... walker.counters() ... }
/// ```
class Walker {
public:
  explicit Walker(const Program &program)
      : program(program), loopCounters(program.loops.size(), 0),
        executedAllocs(program.buffers.size(), 0) {}

  /// The next `Alloc`, `Dealloc` or `Execute`; null at the end.
  const Step *next() {
    while (position < program.steps.size()) {
      const Step &step = program.steps[position];
      switch (step.kind) {
      case Step::Kind::BeginLoop: {
        const Loop &loop = program.loops[step.index];
        loopCounters[step.index] = 0;
        position = loop.tripCount > 0 ? position + 1 : size_t(loop.end) + 1;
        continue;
      }
      case Step::Kind::EndLoop:
        if (++loopCounters[step.index] < program.loops[step.index].tripCount)
          position = size_t(program.loopBegins[step.index]) + 1;
        else
          ++position;
        continue;
      case Step::Kind::Alloc:
        ++executedAllocs[step.index];
        break;
      case Step::Kind::Dealloc:
      case Step::Kind::Execute:
        break;
      }
      ++position;
      return &step;
    }
    return nullptr;
  }

  /// Indexed by loop; what `LinearExpr::evaluate` takes.
  llvm::ArrayRef<int64_t> counters() const { return loopCounters; }

  /// The slot that the latest alloc of `buffer` took. A buffer without any
  /// alloc step is in slot 0 throughout.
  int64_t slot(int32_t buffer) const {
    int64_t count = executedAllocs[buffer];
    int64_t slots = program.buffers[buffer].slots;
    return count > 0 && slots > 1 ? (count - 1) % slots : 0;
  }

private:
  const Program &program;
  size_t position = 0;
  llvm::SmallVector<int64_t, 12> loopCounters;
  std::vector<int64_t> executedAllocs;
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_WALKER_H
