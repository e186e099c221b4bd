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

int64_t trn::tripCount(scf::ForOp loop) {
  std::optional<APInt> count = loop.getStaticTripCount();
  return count ? count->getSExtValue() : std::numeric_limits<int64_t>::max();
}

namespace {
/// Program points of a kernel: the first and the last one of each op that is a
/// step of the program, and those of the instructions of the tensor engine with
/// their numbers of executions. Where index arithmetic is, and how much of it,
/// changes nothing.
struct Points {
  DenseMap<Operation *, std::pair<int64_t, int64_t>> ofOp;
  SmallVector<std::pair<int64_t, double>> ofTensorWork;
  int64_t next = 0;

  void number(Operation *op, double executions) {
    if (!op->getNumRegions() &&
        !isa<AllocOp, DeallocOp, InstructionOpInterface>(op))
      return;
    int64_t first = next++;
    auto instruction = dyn_cast<InstructionOpInterface>(op);
    if (instruction && instruction.getEngine() == Engine::Tensor)
      ofTensorWork.push_back({first, executions});
    if (auto loop = dyn_cast<scf::ForOp>(op))
      executions *= tripCount(loop);
    for (Region &region : op->getRegions())
      for (Operation &nested : region.getOps())
        number(&nested, executions);
    ofOp[op] = {first, op->getNumRegions() ? next++ : first};
  }
  int64_t before(Operation *op) const { return ofOp.lookup(op).first; }
  int64_t behind(Operation *op) const { return ofOp.lookup(op).second + 1; }
};
} // namespace

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

static FailureOr<BufferLife> computeLife(AllocOp alloc, const Points &points) {
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
  life.range = {points.before(alloc), points.behind(life.lastUse)};

  for (auto loop = alloc->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    life.loops.push_back({points.before(loop), points.behind(loop)});
    life.executions =
        llvm::SaturatingMultiply<uint64_t>(life.executions, tripCount(loop));
    life.executions = std::min<uint64_t>(life.executions,
                                         std::numeric_limits<int32_t>::max());
  }
  double rest = 0, all = 0;
  for (auto [point, executions] : points.ofTensorWork) {
    if (life.loops.empty() || !life.loops.front().contains(point))
      continue;
    all += executions;
    rest += life.range.contains(point) ? 0 : executions;
  }
  life.restShare = all ? rest / all : 0;
  return life;
}

MemorySpace BufferLife::getSpace() const {
  AllocOp op = alloc;
  return *getMemorySpace(op.getBuffer().getType());
}

bool BufferLife::isTransferred() const {
  return llvm::any_of(users, [](Operation *user) {
    auto instruction = dyn_cast<InstructionOpInterface>(user);
    return instruction && (instruction.getEngine() == Engine::Load ||
                           instruction.getEngine() == Engine::Store);
  });
}

placement::Buffer BufferLife::describe(int64_t slots, size_t keptLoops) const {
  AllocOp op = alloc;
  auto type = cast<MemRefType>(op.getBuffer().getType());
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  if (slots > 1)
    keptLoops = std::max<size_t>(keptLoops, 1);
  keptLoops = std::min(keptLoops, loops.size());
  PointRange kept = keptLoops ? loops[keptLoops - 1] : range;
  placement::Buffer buffer;
  buffer.slots = slots;
  buffer.begin = kept.begin;
  buffer.end = kept.end;
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
  Points points;
  points.number(kernel, /*executions=*/1);
  SmallVector<BufferLife> lives;
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](AllocOp alloc) {
    FailureOr<BufferLife> life = computeLife(alloc, points);
    if (failed(life))
      return WalkResult::interrupt();
    lives.push_back(std::move(*life));
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  return lives;
}

DenseMap<Operation *, PointRange> trn::computeLoopRanges(func::FuncOp kernel) {
  Points points;
  points.number(kernel, /*executions=*/1);
  DenseMap<Operation *, PointRange> ranges;
  kernel.walk([&](scf::ForOp loop) {
    ranges[loop] = {points.before(loop), points.behind(loop)};
  });
  return ranges;
}

SmallVector<BufferLife> trn::livesIn(ArrayRef<BufferLife> lives,
                                     MemorySpace space) {
  return llvm::filter_to_vector(
      lives, [&](const BufferLife &life) { return life.getSpace() == space; });
}

SmallVector<size_t> trn::byUrgency(ArrayRef<BufferLife> lives) {
  SmallVector<size_t> order;
  for (auto [i, life] : llvm::enumerate(lives))
    if (!life.loops.empty() && life.executions > 1)
      order.push_back(i);
  auto rank = [&](size_t i) {
    return std::make_tuple(-static_cast<int64_t>(lives[i].loops.size()),
                           lives[i].describe(/*slots=*/1).size, i);
  };
  llvm::sort(order, [&](size_t a, size_t b) { return rank(a) < rank(b); });
  return order;
}

placement::Problem trn::describePlacement(ArrayRef<BufferLife> lives,
                                          MemorySpace space,
                                          const Machine &machine) {
  placement::Problem problem;
  problem.capacity = space == MemorySpace::Psum ? machine.psumBanks
                                                : machine.sbufPartitionBytes;
  for (const BufferLife &life : lives) {
    AllocOp alloc = life.alloc;
    problem.buffers.push_back(life.describe(alloc.getBuffers()));
  }
  return problem;
}
