//===- ProgramBuffers.h - Buffers of a program ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_PROGRAMBUFFERS_H
#define TRN_LIB_PLANNING_PROGRAMBUFFERS_H

#include "trn/Machine/Work.h"
#include "trn/Placement/Lives.h"
#include "trn/Planning/Walk.h"
#include "trn/Program/DmaWork.h"
#include "trn/Program/Program.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::trn::planning {

/// The buffers of a program, and where blocks lie in them.
class ProgramBuffers {
public:
  /// Of a view: rows, or tiles of as many rows as there are partitions.
  struct Rows {
    int64_t first, count, tiles = 1;
  };

  /// With those of inputs and results, which are arguments.
  ProgramBuffers(const Graph &graph, const Machine &machine);

  /// Adds what the plan calls `number`. The buffer is known as it is placed.
  int32_t allocate(int32_t number, const PlannedBuffer &planned,
                   const placement::Buffer &placed);
  Access access(const BlockView &view, Rows rows) {
    return view.buffer ? accessOnChip(view, rows) : accessInHbm(view, rows);
  }
  Access access(const BlockView &view) { return access(view, {0, view.rows}); }

  Space spaceOf(const Access &access) const {
    return buffers[access.buffer].space;
  }
  DmaSide sideOf(const Access &access) const {
    return {access.dims, spaceOf(access), access.type};
  }
  OperandInfo infoOf(const Access &access) const {
    const Access::Dim &row = access.dims.back();
    return {access.type, spaceOf(access) == Space::Psum,
            row.stride == 1 || row.size == 1};
  }
  /// The number in the plan of a buffer; -1 in HBM.
  int32_t numberOf(int32_t buffer) const { return numbers[buffer]; }
  llvm::ArrayRef<Buffer> all() const { return buffers; }
  /// Those on chip, in the order of their numbers.
  int32_t onChip(size_t number) const { return tiles[number].buffer; }

  /// Gives those of `space` their addresses, if there is room.
  bool placeIn(Space space, int64_t capacity,
               llvm::ArrayRef<placement::Life> lives);

private:
  int32_t addHbm(unsigned matrix, int32_t argument);
  int32_t hbmBufferOf(unsigned matrix);
  Access accessOnChip(const BlockView &view, Rows rows) const;
  Access accessInHbm(const BlockView &view, Rows rows);

  /// Where the rows beyond the partitions lie behind each other.
  struct Tiles {
    int32_t buffer;
    int64_t count, columns;
  };

  const Graph &graph;
  const Machine &machine;
  llvm::DenseMap<unsigned, int32_t> hbm; // by matrix
  std::vector<Tiles> tiles;              // by number of the plan
  llvm::SmallVector<int32_t> numbers;    // by buffer
  std::vector<Buffer> buffers;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_PROGRAMBUFFERS_H
