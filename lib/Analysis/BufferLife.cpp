//===- BufferLife.cpp - When on-chip buffers are live ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/BufferLife.h"

#include "trn/Dialect/Trn/IR/Memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// The first and the last program point of an op.
struct Span {
  int64_t begin;
  int64_t end;
};
using Spans = DenseMap<Operation *, Span>;
} // namespace

static void numberOps(Operation *op, int64_t &next, Spans &spans) {
  Span span = {next++, 0};
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      numberOps(&nested, next, spans);
  span.end = op->getNumRegions() ? next++ : span.begin;
  spans[op] = span;
}

/// Adds the ops that access `buffer` itself or a view of it.
static LogicalResult collectUsers(Value buffer,
                                  SmallVectorImpl<Operation *> &users) {
  for (Operation *user : buffer.getUsers()) {
    // memref.transpose does not call itself a view.
    if (isa<ViewLikeOpInterface, memref::TransposeOp>(user)) {
      if (failed(collectUsers(user->getResult(0), users)))
        return failure();
      continue;
    }
    if (!isa<InstructionOpInterface, DeallocOp>(user)) {
      InFlightDiagnostic diagnostic =
          user->emitOpError("uses an on-chip buffer, but only instructions and "
                            "views may");
      diagnostic.attachNote(buffer.getLoc()) << "the buffer or its view";
      return diagnostic;
    }
    users.push_back(user);
  }
  return success();
}

/// How often the body of a loop is executed; a loop whose bounds are not
/// constant counts as often.
static int64_t tripCount(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  return count ? count->getSExtValue() : std::numeric_limits<int64_t>::max();
}

static FailureOr<BufferLife> computeLife(AllocOp alloc, const Spans &spans) {
  BufferLife life;
  life.alloc = alloc;
  life.lastUse = alloc;
  if (failed(collectUsers(alloc.getBuffer(), life.users)))
    return failure();
  Block *block = alloc->getBlock();
  for (Operation *user : life.users) {
    Operation *inBlock = block->findAncestorOpInBlock(*user);
    if (life.lastUse->isBeforeInBlock(inBlock))
      life.lastUse = inBlock;
  }

  life.begin = spans.lookup(alloc).begin;
  life.end = spans.lookup(life.lastUse).end + 1;
  life.loopBegin = life.begin;
  life.loopEnd = life.end;
  for (auto loop = alloc->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    if (life.loopDepth++ == 0) {
      life.loopBegin = spans.lookup(loop).begin;
      life.loopEnd = spans.lookup(loop).end + 1;
    }
    life.executions =
        llvm::SaturatingMultiply<uint64_t>(life.executions, tripCount(loop));
    life.executions = std::min<uint64_t>(life.executions,
                                         std::numeric_limits<int32_t>::max());
  }
  return life;
}

MemorySpace BufferLife::getSpace() const {
  AllocOp op = alloc;
  return *getMemorySpace(op.getBuffer().getType());
}

placement::Buffer BufferLife::withSlots(int64_t slots) const {
  AllocOp op = alloc;
  auto type = cast<MemRefType>(op.getBuffer().getType());
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  placement::Buffer buffer;
  buffer.slots = slots;
  buffer.begin = slots > 1 ? loopBegin : begin;
  buffer.end = slots > 1 ? loopEnd : end;
  if (getSpace() == MemorySpace::Psum) {
    // A tile lies inside one bank and has it for itself.
    buffer.size = 1;
    if (op.getBank())
      buffer.fixed = *op.getBank();
    return buffer;
  }
  buffer.size = llvm::product_of(type.getShape().drop_front(), elementBytes);
  buffer.alignment = elementBytes;
  if (op.getOffset())
    buffer.fixed = *op.getOffset();
  return buffer;
}

FailureOr<SmallVector<BufferLife>>
trn::computeBufferLives(func::FuncOp kernel) {
  Spans spans;
  int64_t next = 0;
  numberOps(kernel, next, spans);
  SmallVector<BufferLife> lives;
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](AllocOp alloc) {
    FailureOr<BufferLife> life = computeLife(alloc, spans);
    if (failed(life))
      return WalkResult::interrupt();
    lives.push_back(std::move(*life));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return lives;
}

SmallVector<BufferLife> trn::livesIn(ArrayRef<BufferLife> lives,
                                     MemorySpace space) {
  return llvm::filter_to_vector(
      lives, [&](const BufferLife &life) { return life.getSpace() == space; });
}

placement::Problem trn::describePlacement(ArrayRef<BufferLife> lives,
                                          MemorySpace space,
                                          const Machine &machine) {
  placement::Problem problem;
  problem.capacity = space == MemorySpace::Psum ? machine.psumBanks
                                                : machine.sbufPartitionBytes;
  for (const BufferLife &life : lives) {
    AllocOp alloc = life.alloc;
    problem.buffers.push_back(life.withSlots(alloc.getBuffers()));
  }
  return problem;
}
