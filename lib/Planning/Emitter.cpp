//===- Emitter.cpp - Loops and buffers of a program -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "trn/Machine/Machine.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

void Emitter::repeat(int64_t count, Body body) {
  if (count == 1 || isWrittenOut)
    for (int64_t i = 0; i < count; ++i)
      body(i);
  if (count <= 1 || isWrittenOut)
    return;
  int32_t loop = loops++;
  visitor->beginLoop(loop, count);
  body(LinearExpr::counter(loop));
  visitor->endLoop(loop);
}

void Emitter::overPieces(int64_t size, int64_t block, PieceBody body,
                         bool isUnrolled) {
  int64_t full = size / block;
  if (isUnrolled)
    for (int64_t start = 0; start < full * block; start += block)
      body(start, block);
  else
    repeat(full, [&](const LinearExpr &i) { body(i * block, block); });
  if (int64_t rest = size % block)
    body(full * block, rest);
}

void Emitter::overTiles(const BlockView &block, int64_t width, TileBody body) {
  auto overRow = [&](const LinearExpr &row, int64_t rows) {
    overPieces(block.columns, width,
               [&](const LinearExpr &column, int64_t columns) {
                 body({row, rows, column, columns});
               });
  };
  overPieces(block.rows, machine.partitions, overRow);
}

int32_t Emitter::allocate(PlannedBuffer buffer) {
  // What is written out has buffers of its own.
  if (isWrittenOut)
    buffer.slots = std::min<int64_t>(buffer.slots, 1);
  visitor->allocate(buffers, buffer);
  return buffers++;
}

BlockView Emitter::openBuffer(const PlannedBuffer &buffer) {
  return {buffer.matrix, allocate(buffer), 0, 0, buffer.rows, buffer.columns};
}

BlockView Emitter::openBank(unsigned matrix, int64_t rows, int64_t columns) {
  return openBuffer({matrix, Space::Psum, ElementType::F32, rows, columns, 0});
}

void Emitter::record(
    PlanVisitor &recorder, llvm::function_ref<void()> body,
    llvm::function_ref<void(PlanVisitor &, int32_t &)> replay) {
  int32_t nextBuffer = buffers;
  PlanVisitor *told = std::exchange(visitor, &recorder);
  body();
  visitor = told;
  replay(*visitor, nextBuffer);
  buffers = nextBuffer;
}
