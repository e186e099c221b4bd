//===- Plan.h - Loops and buffers of a kernel -------------------*- C++ -*-===//
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

/// A loop over blocks of a dim; the last block may be smaller. A nest may have
/// several loops over a dim, each over blocks of the outer one.
struct Loop {
  unsigned dim = 0;
  int64_t block = 0;
  auto key() const { return std::tuple(dim, block); }
};

/// The engine for work that both can do: copies, products with constants and
/// columns, quotients by these, sums and differences. Any: the less busy engine
/// evicts, and VectorE does all else.
enum class RowEngine : uint8_t { Any, Vector, Scalar };

/// The loops around the tiles of one stage, outermost first. A dim without a
/// loop is whole inside; a loop over a dim that the stage lacks repeats it.
struct Nest {
  llvm::SmallVector<Loop, 4> loops = {};
  RowEngine engine = RowEngine::Any;
  /// Those of PSUM that the sums of a tile take side by side.
  int64_t banks = 1;

  /// Each may triple the code inside: first and last iterations differ.
  static constexpr unsigned maxLoops = 8;

  auto key() const { return std::tuple(llvm::ArrayRef(loops), engine, banks); }
};

/// The nests that use `matrix`, in order.
llvm::SmallVector<unsigned, 2> nestsThatUse(const Graph &graph,
                                            unsigned matrix);

/// The loops of a kernel. Stage i has nest i. Neighbouring nests share their
/// first s loops, where s is the deepest level of a home that serves both.
///
/// An intermediate without a home that serves writer and reader is in HBM
/// between them: each of the two has its own home.
struct Plan {
  std::vector<Nest> nests;
  std::vector<Home> homes;
  /// Partition p of 128 has K / 128 neighbouring indices of these dims, and
  /// tile t has the t-th of each. Neighbouring rows in HBM move as one piece.
  llvm::SmallVector<unsigned, 1> interleaved = {};
  /// Innermost batches that take turns (unroll and jam).
  int64_t jam = 1;
  /// Each starts when 1/staggered of the one before is done; 0: all at once.
  int64_t staggered = 0;
  bool scheduled = false; // what engines can start first comes first
  /// The short dim whose indices up to 4 of these batches have in one buffer.
  std::optional<unsigned> stacked = std::nullopt;

  bool isInterleaved(unsigned dim) const {
    return llvm::is_contained(interleaved, dim);
  }
  auto key() const {
    return std::tuple(llvm::ArrayRef(nests), llvm::ArrayRef(homes),
                      llvm::ArrayRef(interleaved), jam, staggered, scheduled,
                      stacked);
  }

  /// Loops that `nest` and `nest + 1`, or `first` to `last`, share.
  unsigned sharedLoops(unsigned nest) const;
  unsigned sharedLoops(unsigned first, unsigned last) const;
  /// The home of `matrix` in `nest`, if it has one.
  const Home *homeOf(unsigned matrix, unsigned nest) const;
  /// Iterations that `nest` runs ahead because it fills a home at `level`.
  unsigned aheadOf(const Graph &graph, unsigned nest, unsigned level) const;

  /// Checks `plan_c1`, which is enough to print the plan of a sound graph.
  llvm::Error checkNumbers(const Graph &graph) const;

  /// Fails, with the rule and the fault, if the loops cannot be made for
  /// `graph`, which is sound, on `machine`, whose tiles are limited:
  /// - `plan_c1`: there is one nest for each stage, in order. Numbers in use
  ///   exist, and homes are inside loops that their nests have
  /// - `plan_c2`: a nest has at most 8 loops, none over groups. A block is all
  ///   of what the loop splits or a multiple of the partitions; parts of dims
  ///   start at such multiples. Columns that repeat or rotate, heads and groups
  ///   divide the blocks
  /// - `plan_c3`: neighbouring nests agree on the loops that they share
  /// - `plan_c4`: a home serves nests that use its matrix, outside loops over
  ///   one of several parts. Several slots need a loop, and serve one nest
  /// - `plan_c5`: every matrix has one home in each nest that uses it, except
  ///   an input that the DMA transposes
  /// - `plan_c6`: a loop over a summed dim outside the tile needs sums outside
  ///   it, is common to all terms, and repeats nothing. Sums in PSUM fit its
  ///   banks. A reduction is kept in SBUF, in its own type
  /// - `plan_c7`: a home is filled at most 4 iterations ahead, or 1 outside all
  ///   loops. Nests that share loops inside these fill it together; nothing
  ///   else reads what they compute on the way. What they read of the same
  ///   iterations, or others read, too, is filled further ahead, except sums
  ///   that ScalarE adds. There is a slot for each iteration held or the next
  /// - `plan_c8`: packed are an input, not filled ahead, and its transpose, as
  ///   a whole. Its columns fill tiles, and it is not transposed again
  /// - `plan_c9`: operands are complete: no loop around the reader sums them,
  ///   and those that come from HBM were stored
  /// - `plan_c10`: an expression reads homes at the level of its sums, or
  ///   outside it. A row that is broadcast has a home for that nest alone
  /// - `plan_c11`: an interleaved dim fills a tile, is in the rows of a matrix,
  ///   and of no parts, batches or masks. In HBM such rows have all columns.
  ///   Columns in its order are no rows of a product, no transpose, nor beside
  ///   what is stacked. Transposed, they are all there, or come to a packed X
  /// - `plan_c12`: `jam` divides the innermost batch dim, or is that times a
  ///   divisor of the next, staggered and not stacked. Batches, or stacks, are
  ///   staggered by 1/2 to 1/8. A stacked dim has at most a quarter of the
  ///   partitions, no parts or loops. Nothing packs it, sums over or reduces to
  ///   it, no columns repeat or move, and `jam` is 2, 3 or 4 times any
  /// - `plan_c13`: the home of a constant is at the kernel, with one slot. A
  ///   constant that follows an input has none, and no loop splits the columns.
  ///   Nests with both dims of a mask share a loop over its rows, and what they
  ///   compute of its columns is read inside it
  /// - `plan_c14`: a whole home is at the kernel, neither packed nor filled
  ///   ahead. It is of an input with batch dims in its columns alone, no part
  ///   of a larger matrix, and no constant follows it
  /// - `plan_c15`: a tile of several banks is transposed, or of products whose
  ///   sums are in it, without columns behind them. Nothing is stacked. There
  ///   are as many banks, and an instruction reaches them
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
