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

namespace mlir::trn {
struct Machine;
} // namespace mlir::trn

namespace mlir::trn::planning {

/// A loop over blocks of a dim; the last block may be smaller. A dim may have
/// several loops in a nest, each over blocks of the one outside of it.
struct Loop {
  unsigned dim = 0;
  int64_t block = 0;

  bool operator==(const Loop &other) const {
    return dim == other.dim && block == other.block;
  }
};

/// The loops around the tiles of one stage, outermost first. A dim without a
/// loop runs whole inside.
struct Nest {
  unsigned stage = 0;
  llvm::SmallVector<Loop, 4> loops = {};

  bool operator==(const Nest &other) const {
    return stage == other.stage && loops == other.loops;
  }
};

enum class Store : uint8_t { Sbuf, Psum };

/// Where the sums of a product live while loops outside of the tile add to
/// them. Otherwise they live in PSUM for one tile.
struct Sums {
  unsigned level = 0;
  Store store = Store::Psum;
  /// In SBUF; those in the result's own type lie in the home itself.
  ElementType type = ElementType::F32;

  bool operator==(const Sums &other) const {
    return level == other.level && store == other.store && type == other.type;
  }
};

/// A buffer on chip for (a block of) a matrix. Its *level* is the number of
/// loops around it: 0 is the kernel's, 1 that of a strip, and so on. It is
/// filled once an iteration of these, by a load or by the nest that computes
/// it, and stored if the matrix is a result.
struct Home {
  unsigned matrix = 0;
  /// The nests that it serves, in order.
  llvm::SmallVector<unsigned, 2> nests = {};
  unsigned level = 0;
  /// Copies that rotate, so that one is filled while another one is used.
  int64_t slots = 1;
  /// Filled for the next iteration of the loop at its level while this one
  /// runs: with one slot in the nests behind its last reader, with two during
  /// all of it. The first iteration's is filled while it is read.
  bool early = false;
  /// The columns of the matrix that came as rows of one tile each lie beside
  /// each other: all partitions take part in loading few rows.
  bool packed = false;
  std::optional<Sums> sums = std::nullopt;

  bool operator==(const Home &other) const {
    return matrix == other.matrix && nests == other.nests &&
           level == other.level && slots == other.slots &&
           early == other.early && packed == other.packed && sums == other.sums;
  }
};

/// How the loops of a kernel run. Neighbouring nests share their first s
/// loops, s being the deepest level of a home that serves both.
///
/// An intermediate that has no home in one nest with its reader lies in HBM
/// between them: it has a home for its writer and one for its reader.
struct Plan {
  std::vector<Nest> nests;
  std::vector<Home> homes;

  bool operator==(const Plan &other) const {
    return nests == other.nests && homes == other.homes;
  }

  /// Loops that nests `nest` and `nest + 1` share.
  unsigned sharedLoops(unsigned nest) const;
  /// The home of `matrix` in `nest`, if it has one.
  const Home *homeOf(unsigned matrix, unsigned nest) const;

  /// Fails, with the rule and what breaks it, if the loops cannot be made for
  /// `graph`, which is sound:
  /// - `plan_c1`: there is one nest for each stage, in their order
  /// - `plan_c2`: loops are over dims of the stage; blocks are at least 1,
  ///   smaller than what they cut, and multiples of the partitions
  /// - `plan_c3`: neighbouring nests agree in the loops that they share
  /// - `plan_c4`: a home serves nests that use its matrix, and lies inside of
  ///   loops that they have
  /// - `plan_c5`: every matrix that a nest uses has one home there; only what a
  ///   DMA transposes comes from HBM
  /// - `plan_c6`: a loop over a summed dim outside of the tile needs sums
  ///   outside of it; sums in PSUM take at most its banks
  /// - `plan_c7`: only what the tensor engine transposes or what is loaded
  /// comes
  ///   early, in one or two slots, inside of a loop over its strips
  /// - `plan_c8`: packed columns are those of X^T with whole tiles of all of k
  llvm::Error check(const Graph &graph, const Machine &machine) const;
};

/// A legal graph and its plan.
struct Schedule {
  Graph graph;
  Plan plan;

  bool operator==(const Schedule &other) const {
    return graph == other.graph && plan == other.plan;
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_PLAN_H
