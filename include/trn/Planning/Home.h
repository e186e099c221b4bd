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

/// Where the sums of a product live while loops outside of the tile add to
/// them. Otherwise they live in PSUM for one tile.
struct Sums {
  unsigned level = 0;
  Store store = Store::Psum;
  /// In SBUF; those in the result's own type lie in the home itself.
  ElementType type = ElementType::F32;

  auto key() const {
    return std::tuple(level, store,
                      store == Store::Psum ? ElementType::F32 : type);
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
  static constexpr int64_t maxSlots = 64;
  /// Software pipelining: what fills the home, its load or the nest that
  /// computes it, runs so many iterations of the loop at its level ahead, in
  /// pieces beside the nests that read what is there. If there is one slot, it
  /// runs behind these or in the place of what the last block of columns has
  /// read. Outside of all loops it runs beside the nests in front of those that
  /// read.
  unsigned ahead = 0;
  static constexpr unsigned maxAhead = 4;
  /// Pieces at most. 0: 8 of a load, each block of the outermost loop inside of
  /// a nest.
  int64_t pieces = 0;
  /// The columns of the matrix that came as rows of one tile each lie beside
  /// each other: all partitions take part in loading few rows.
  bool packed = false;
  /// An input is there with the columns of all batches, in front of the loops
  /// over these: its rows come as they lie in HBM.
  bool whole = false;
  std::optional<Sums> sums = std::nullopt;

  /// To another level, with its sums where they must. It is filled in time
  /// there, and has the slots that it may have, two at most.
  void moveTo(unsigned other);
  bool sumsInPsum() const { return sums && sums->store == Store::Psum; }
  auto key() const {
    return std::tuple(matrix, llvm::ArrayRef(nests), level, slots, ahead,
                      pieces, packed, whole, sums);
  }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_HOME_H
