//===- Home.h - A buffer on chip for a matrix -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_HOME_H
#define TRN_PLANNING_HOME_H

#include "trn/Planning/Expression.h"
#include <optional>

namespace mlir::trn::planning {

enum class Store : uint8_t { Sbuf, Psum };

/// Place of a product's sums while loops outside the tile add to them. Without
/// it, they are in PSUM for one tile.
struct Sums {
  unsigned level = 0;
  Store store = Store::Psum;
  /// In SBUF. Sums in the result's own type are in the home itself.
  ElementType type = ElementType::F32;

  auto key() const {
    return std::tuple(level, store,
                      store == Store::Psum ? ElementType::F32 : type);
  }
};

/// A buffer on chip for (a block of) a matrix. Its *level* is the number of
/// loops around it: 0 is the kernel, 1 a strip, and so on. Each iteration of
/// these fills it, by a load or by the nest that computes it. A result is
/// stored from it.
struct Home {
  unsigned matrix = 0;
  /// The nests that it serves, in order.
  llvm::SmallVector<unsigned, 2> nests = {};
  unsigned level = 0;
  /// Copies that rotate: one is filled while another one is used.
  int64_t slots = 1;
  static constexpr int64_t maxSlots = 64;
  /// Software pipelining: the load or nest that fills the home runs so many
  /// iterations of the loop at its level ahead, in pieces beside its readers.
  /// With one slot it is refilled in place: after its last reader, or piece by
  /// piece as the last column block consumes it. Outside all loops it is filled
  /// beside the nests before its readers.
  unsigned ahead = 0;
  static constexpr unsigned maxAhead = 4;
  /// The most pieces. 0: 8 for a load; for a nest, a piece for each block of
  /// its outermost loop inside.
  int64_t pieces = 0;
  /// Columns loaded as rows of one tile each are side by side: all partitions
  /// take part in loading few rows.
  bool packed = false;
  /// An input is loaded with the columns of all batches, before the loops over
  /// these: with whole rows, as in HBM.
  bool whole = false;
  /// Each row is on a partition of its own, even if neighbours in HBM could
  /// share one: see findNeighbours.
  bool apart = false;
  std::optional<Sums> sums = std::nullopt;

  /// Moves it to another level, and its sums where they must follow. It is not
  /// filled ahead there, and has as many slots as it may have, two at most.
  void moveTo(unsigned other);
  bool sumsInPsum() const { return sums && sums->store == Store::Psum; }
  auto key() const {
    return std::tuple(matrix, llvm::ArrayRef(nests), level, slots, ahead,
                      pieces, packed, whole, apart, sums);
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_HOME_H
