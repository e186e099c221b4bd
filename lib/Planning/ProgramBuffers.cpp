//===- ProgramBuffers.cpp - Buffers of a program --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuffers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

ProgramBuffers::ProgramBuffers(const Graph &graph, const Machine &machine)
    : graph(graph), machine(machine) {
  int32_t arguments = 0;
  for (Role role : {Role::Input, Role::Result})
    for (auto [number, matrix] : llvm::enumerate(graph.matrices))
      if (matrix.role == role)
        addHbm(number, /*argument=*/arguments++);
}

int32_t ProgramBuffers::addHbm(unsigned number, int32_t argument) {
  const Matrix &matrix = graph.matrices[number];
  Buffer buffer{Space::Hbm, matrix.type, /*op=*/0};
  buffer.bytes = byteSize(matrix.type);
  for (int64_t size : graph.shapeInHbm(matrix))
    buffer.bytes *= size;
  buffer.argument = argument;
  buffer.result = matrix.role == Role::Result;
  numbers.push_back(-1);
  buffers.push_back(buffer);
  return hbm[number] = int32_t(buffers.size()) - 1;
}

int32_t ProgramBuffers::hbmBufferOf(unsigned matrix) {
  auto known = hbm.find(matrix);
  return known != hbm.end() ? known->second : addHbm(matrix, /*argument=*/-1);
}

int32_t ProgramBuffers::allocate(int32_t number, const PlannedBuffer &planned,
                                 const placement::Buffer &placed) {
  Buffer buffer{planned.space, planned.type, /*op=*/0};
  buffer.partitions = std::min(planned.rows, machine.partitions);
  buffer.bytesPerPartition = planned.space == Space::Sbuf
                                 ? placed.size
                                 : planned.columns * byteSize(planned.type);
  buffer.slots = placed.slots;
  int32_t own = int32_t(buffers.size());
  tiles.push_back({own,
                   llvm::divideCeilSigned(planned.rows, machine.partitions),
                   planned.columns});
  numbers.push_back(number);
  buffers.push_back(buffer);
  return own;
}

Access ProgramBuffers::accessOnChip(const BlockView &view, Rows rows) const {
  const Tiles &own = tiles[*view.buffer];
  Access access{own.buffer,
                buffers[own.buffer].type,
                view.row + rows.first,
                view.column,
                {{rows.count, 1}}};
  if (own.count > 1) {
    LinearExpr tile = access.partition / machine.partitions;
    access.partition = access.partition.constant % machine.partitions;
    access.offset += tile * own.columns;
  }
  if (rows.tiles > 1)
    access.dims.push_back({rows.tiles, own.columns});
  if (view.runs > 1)
    access.dims.push_back({view.runs, view.runStep});
  access.dims.push_back({view.columns, view.columnStep});
  return access;
}

Access ProgramBuffers::accessInHbm(const BlockView &view, Rows rows) {
  const Matrix &matrix = graph.matrices[view.matrix];
  Window window = matrix.window.value_or(Window());
  int64_t columns = view.rowOf.value_or(graph.columnsInHbm(matrix));
  int64_t stride = view.repeated ? 0 : columns;
  LinearExpr column = view.column;
  if (int64_t width = matrix.headColumns)
    column = column / width * (graph.rowsOf(matrix) * width);
  LinearExpr first = view.row * columns + column + rows.first * stride;
  Access access{hbmBufferOf(view.matrix),
                matrix.type,
                0,
                first + (window.row * columns + window.column),
                {{rows.count, stride}}};
  if (rows.tiles > 1)
    access.dims.push_back({rows.tiles, machine.partitions * stride});
  if (view.runs > 1)
    access.dims.push_back({view.runs, view.runStep});
  access.dims.push_back({view.columns, view.columnStep});
  return access;
}

bool ProgramBuffers::placeIn(Space space, int64_t capacity,
                             llvm::ArrayRef<placement::Life> lives) {
  llvm::SmallVector<placement::Life, 0> own;
  llvm::SmallVector<int32_t> placed;
  for (auto [life, known] : llvm::zip_equal(lives, tiles))
    if (buffers[known.buffer].space == space) {
      own.push_back(life);
      placed.push_back(known.buffer);
    }
  placement::Problem problem = placement::describe(own, capacity);
  placement::spreadEvenly(own, problem);
  std::optional<placement::Solution> solution = placement::place(own, problem);
  if (!solution)
    return false;
  for (auto [number, place, offset] :
       llvm::zip_equal(placed, problem.buffers, solution->offsets)) {
    Buffer &buffer = buffers[number];
    buffer.slots = place.slots;
    (space == Space::Psum ? buffer.bank : buffer.offset) = offset;
  }
  return true;
}
