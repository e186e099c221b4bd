//===- Plan.h - In which loop each matrix of a graph lives ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_PLAN_H
#define TRN_PLANNING_PLAN_H

#include "trn/Planning/Graph.h"
#include "trn/Planning/Home.h"

namespace mlir::trn {
struct Machine;
} // namespace mlir::trn

namespace mlir::trn::planning {

/// A loop over blocks of a dim; the last block may be smaller. A dim may have
/// several loops in a nest, each over blocks of the one outside of it.
struct Loop {
  unsigned dim = 0;
  int64_t block = 0;
  auto key() const { return std::tuple(dim, block); }
};

/// Who copies tiles, multiplies them with constants and columns, divides them
/// by these, adds and subtracts them, if both can. Any: what comes out of PSUM
/// is copied by the one that has less to do, all else is for VectorE.
enum class RowEngine : uint8_t { Any, Vector, Scalar };

/// The loops around the tiles of one stage, outermost first. A dim without a
/// loop runs whole inside; a loop over a dim that the stage lacks repeats it.
struct Nest {
  llvm::SmallVector<Loop, 4> loops = {};
  RowEngine engine = RowEngine::Any;

  /// Each may triple the code inside: first and last iterations differ.
  static constexpr unsigned maxLoops = 8;

  auto key() const { return std::tuple(llvm::ArrayRef(loops), engine); }
};

/// Whether `stage` leaves ScalarE and VectorE a choice.
bool hasChoice(const Graph &graph, const Stage &stage, const Machine &machine);

/// The nests that use `matrix`, in order.
llvm::SmallVector<unsigned, 2> nestsThatUse(const Graph &graph,
                                            unsigned matrix);

/// The banks of PSUM for the sums of a tile: what is computed beside another
/// one lies behind that.
int64_t banksOf(const Graph &graph, const Stage &stage);

/// How the loops of a kernel run. Each stage has the nest of its number.
/// Neighbouring nests share their first s loops, s being the deepest level of a
/// home that serves both.
///
/// An intermediate that has no home in one nest with its reader lies in HBM
/// between them: it has a home for its writer and one for its reader.
struct Plan {
  std::vector<Nest> nests;
  std::vector<Home> homes;
  /// Dims of which partition p of 128 has K / 128 neighbouring indices, and
  /// tile t the t-th of these: rows beside each other in HBM move as one piece.
  llvm::SmallVector<unsigned, 1> interleaved = {};
  /// Indices of the innermost batch dim that are computed at once: their
  /// instructions take turns (unroll and jam).
  int64_t jam = 1;
  /// How many of them are at work at a time, each behind another; 0: all.
  int64_t staggered = 0;
  /// A dim whose few indices up to 4 of these batches have in one buffer.
  std::optional<unsigned> stacked = std::nullopt;

  bool isInterleaved(unsigned dim) const {
    return llvm::is_contained(interleaved, dim);
  }
  auto key() const {
    return std::tuple(llvm::ArrayRef(nests), llvm::ArrayRef(homes),
                      llvm::ArrayRef(interleaved), jam, staggered, stacked);
  }

  /// Loops that nests `nest` and `nest + 1`, or `first` to `last`, share.
  unsigned sharedLoops(unsigned nest) const;
  unsigned sharedLoops(unsigned first, unsigned last) const;
  /// The home of `matrix` in `nest`, if it has one.
  const Home *homeOf(unsigned matrix, unsigned nest) const;
  /// Iterations that `nest`, if it fills a home at `level`, is ahead of others.
  unsigned aheadOf(const Graph &graph, unsigned nest, unsigned level) const;

  /// Holds `plan_c1`, which is enough to print the plan of a sound graph.
  llvm::Error checkNumbers(const Graph &graph) const;

  /// Fails, with the rule and what breaks it, if the loops cannot be made for
  /// `graph`, which is sound, on `machine`, whose tiles are limited:
  /// - `plan_c1`: there is one nest for each stage, in their order; numbers in
  ///   use exist, and homes lie inside of loops that their nests have
  /// - `plan_c2`: a nest has at most 8 loops; blocks are all of what they cut
  ///   or multiples of the partitions, where parts of dims begin, too
  /// - `plan_c3`: neighbouring nests agree in the loops that they share
  /// - `plan_c4`: a home serves nests that use its matrix, outside of loops
  ///   over one of several parts; several slots are for one nest and a loop
  /// - `plan_c5`: every matrix has one home in each nest that uses it, but for
  ///   an input that a DMA transposes
  /// - `plan_c6`: a loop over a summed dim outside of the tile needs sums
  ///   outside of it, repeats nothing, and is for all terms; sums in PSUM fit
  ///   its banks; what is reduced is kept in SBUF, in its own type
  /// - `plan_c7`: a home is filled ahead by at most 4 iterations, 1 outside of
  ///   all loops; the nest that does so shares no loops inside of these, and
  ///   reads only what is there: what is computed in the same iterations, or
  ///   for others, too, is filled further ahead, but for what ScalarE adds up
  ///   on the way; there are as many slots as iterations are held at once, or
  ///   one for the next one
  /// - `plan_c8`: packed are an input, which is not filled ahead, and its
  ///   transpose, as a whole, if its columns fill tiles and only products read
  ///   them
  /// - `plan_c9`: what is read is complete: no loop around it sums, and what
  ///   comes back from HBM was stored
  /// - `plan_c10`: what an expression reads lies where the sums do, or outside
  ///   of that; one row for all rows of a result has a home for that nest alone
  /// - `plan_c11`: an interleaved dim fills tiles, has no parts, and is of no
  ///   batches or masks; what is in HBM has it in rows, is a whole matrix with
  ///   all of its columns in a home, or is turned: a packed X, or one row
  /// - `plan_c12`: `jam` divides the innermost batch dim; 2 to `jam` of these,
  ///   or of the stacks that they make, are staggered; a stacked dim has at
  ///   most a quarter of the partitions, no parts or loops, nothing packs it,
  ///   sums over it or reduces to it, and `jam` is 2, 3 or a multiple of 4
  /// - `plan_c13`: the home of a constant is at the kernel, with one slot; one
  ///   that lies behind an input has none, and no loop cuts the columns; nests
  ///   with both dims of a mask share a loop over its rows, and what they
  ///   compute of its columns is read inside of that
  /// - `plan_c14`: a whole home is at the kernel, neither packed nor filled
  ///   ahead; it is of an input with batch dims in its columns alone, behind
  ///   which no constant lies
  llvm::Error check(const Graph &graph, const Machine &machine) const;
};

/// A legal graph and its plan.
struct Schedule {
  Graph graph;
  Plan plan;

  auto key() const { return std::tie(plan, graph); }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_PLAN_H
