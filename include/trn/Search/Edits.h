//===- Edits.h - Changes to a plan ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_EDITS_H
#define TRN_SEARCH_EDITS_H

#include "trn/Planning/Plan.h"

namespace mlir::trn {
struct Machine;
} // namespace mlir::trn

namespace mlir::trn::search {

/// One change to the plan of a schedule. Its kind decides which fields it uses,
/// and how; the others are 0.
struct Edit {
  enum class Kind : uint8_t {
    /// The loop at `depth` of `nest`, and its counterpart in neighbouring
    /// nests, gets blocks of `value`. Loops over the same dim inside it follow.
    Block,
    /// The same, in this nest alone.
    BlockHere,
    /// Inserts a loop over `dim` in blocks of `value` at `depth` of `nest`, and
    /// of the nests that share the loops around it. Homes at that level with
    /// the dim move inside. Products that sum over it get partial sums in SBUF.
    Insert,
    /// Removes the loop at `depth` of `nest`, and of those that share it.
    Remove,
    /// Swaps the loops at `depth` and `depth` + 1 of `nest`, and of those that
    /// share them.
    Swap,
    /// Sums of the product of `nest` stay in PSUM, while an innermost loop
    /// takes blocks of `value` of its contraction; 0: they no longer do.
    PsumSums,
    /// Home `home` has `value` slots.
    Slots,
    /// Home `home` is inside `depth` loops, in `value` slots if not 0. The nest
    /// that makes a weight wider gets the loops of its reader for that.
    Level,
    /// The same, filled ahead: 2 iterations in 3 slots, else 1. Buffers that
    /// its nest reads there are filled further ahead, sums of its rows as far.
    Prefetch,
    /// The intermediate of home `home` goes through HBM to its readers.
    Spill,
    /// It stays on chip again, for all nests that use it.
    Keep,
    /// The source of the transposition `nest` comes to all partitions at once,
    /// its rows split into pieces of one tile.
    Pack,
    /// The DMA transposes the result of `nest` on its way from HBM; or the
    /// tensor engine does, `value` rows at a time.
    Transposer,
    /// Interleaves `dim`: each partition has neighbouring indices of it.
    Number,
    /// Makes home `home` whole, or undoes that.
    Whole,
    /// Home `home` has its rows apart, or neighbours on partitions again.
    Apart,
    /// RowEngine `value` does the work of `nest` that it can.
    Engine,
    /// A tile of `nest` has `value` banks.
    Banks,
    /// Computes `value` indices of the innermost batch dim at once, staggered
    /// by 1/`depth` if that is not 0.
    Jam,
    /// Stacks them by `dim`, or undoes that.
    Stack,
  };
  static constexpr size_t numKinds = size_t(Kind::Stack) + 1;

  Kind kind = Kind::Block;
  unsigned nest = 0, home = 0, depth = 0, dim = 0;
  int64_t value = 0;

  /// Iterations by which a Prefetch fills ahead.
  unsigned ahead() const { return value > 2 ? 2 : 1; }
  /// Whether both change the same loop or home.
  bool isAt(const Edit &other) const {
    return kind == other.kind && nest == other.nest && home == other.home &&
           depth == other.depth;
  }
};

/// Changes `schedule`; false if that cannot be done. The result may break rules
/// other than `plan_c1`: see Plan::check.
bool apply(const Edit &edit, planning::Schedule &schedule);

/// Changes to `schedule` that are worth a try on `machine`: home by home, then
/// nest by nest.
std::vector<Edit> editsOf(const planning::Schedule &schedule,
                          const Machine &machine);

/// The edit in words, with the names of `schedule`, before it is applied:
/// `v slots 4`, `m = 512 in o`.
std::string print(const Edit &edit, const planning::Schedule &schedule);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_EDITS_H
