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

/// One change to the plan of a schedule. What it is about, and what its numbers
/// mean, depends on its kind; those that it does not name are 0.
struct Edit {
  enum class Kind : uint8_t {
    /// The loop at `depth` of `nest`, and its like in the nests beside it, has
    /// blocks of `value`; loops inside of it over the same dim follow.
    Block,
    /// As Block, in this nest alone.
    BlockHere,
    /// A loop over `dim` in blocks of `value` at `depth` of `nest`, and of the
    /// nests that share the loops around it. What lies at that level and has
    /// the dim goes inside. Products that sum over it get partial sums in SBUF.
    Insert,
    /// The loop at `depth` of `nest`, and of those that share it, goes.
    Remove,
    /// The loops at `depth` and `depth` + 1 of `nest`, and of those that share
    /// them, change places.
    Swap,
    /// Sums of the product of `nest` stay in PSUM, while an innermost loop goes
    /// over blocks of `value` of its contraction; 0: they no longer do.
    PsumSums,
    /// Home `home` has `value` slots.
    Slots,
    /// Home `home` lies inside of `depth` loops, in `value` slots if not 0.
    Level,
    /// So it does, and is filled ahead: 2 iterations in 3 slots, else 1. What
    /// its nest reads there comes further ahead, the sums of its rows as far.
    Prefetch,
    /// The intermediate of home `home` goes to its readers through HBM.
    Spill,
    /// It stays on chip again, for all nests that use it.
    Keep,
    /// What the transposition `nest` reads comes to all partitions at once, its
    /// rows cut into pieces of one tile.
    Pack,
    /// What the transposition `nest` computes is transposed by the DMA on its
    /// way from HBM; or by the tensor engine, `value` rows at a time.
    Transposer,
    /// Each partition has neighbouring indices of `dim`.
    Number,
    /// Home `home` is whole, or not.
    Whole,
    /// RowEngine `value` does what it can of `nest`.
    Engine,
    /// `value` indices of the innermost batch dim are computed at once, `depth`
    /// of them staggered if not 0.
    Jam,
    /// They are stacked by `dim`, or no longer.
    Stack,
  };
  static constexpr size_t numKinds = size_t(Kind::Stack) + 1;

  Kind kind = Kind::Block;
  unsigned nest = 0, home = 0, depth = 0, dim = 0;
  int64_t value = 0;

  /// Iterations that a Prefetch fills ahead.
  unsigned ahead() const { return value > 2 ? 2 : 1; }
  /// Whether both change the same loop, or home.
  bool isAt(const Edit &other) const {
    return kind == other.kind && nest == other.nest && home == other.home &&
           depth == other.depth;
  }
};

/// Changes `schedule`; whether that can be done. The result may break rules,
/// for which Plan::check is, but not `plan_c1`.
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
