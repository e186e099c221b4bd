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

using namespace mlir;
using namespace mlir::trn;

MemorySpace BufferLife::getSpace() const {
  return *getMemorySpace(AllocOp(alloc).getBuffer().getType());
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

static bool isTransfer(InstructionOpInterface op) {
  return op.getEngine() == Engine::Load || op.getEngine() == Engine::Store;
}

static placement::Buffer describe(AllocOp alloc, const Machine &machine) {
  MemRefType type = alloc.getBuffer().getType();
  placement::Buffer buffer{/*size=*/1, int64_t(alloc.getBuffers())};
  int64_t elementBytes = type.getElementTypeBitWidth() / 8;
  int64_t bytes = llvm::product_of(type.getShape().drop_front(), elementBytes);
  if (getMemorySpace(type) == MemorySpace::Psum) {
    // A tile has its banks for itself.
    buffer.size = machine.psumBanksOf(bytes);
    buffer.fixed = alloc.getBank();
    return buffer;
  }
  buffer.size = bytes;
  buffer.alignment = elementBytes;
  buffer.fixed = alloc.getOffset();
  return buffer;
}

/// Whether somebody has decided on the slots of the buffer already: a user, or
/// the plan of the kernel, which knows about SBUF.
static bool isDecided(AllocOp alloc) {
  bool isPlanned =
      getMemorySpace(alloc.getBuffer().getType()) == MemorySpace::Sbuf &&
      alloc->hasAttr(TrnDialect::MatrixAttrHelper::getNameStr());
  return alloc.getBuffers() > 1 || alloc.isPlaced() || isPlanned;
}

namespace {
/// Tells a recorder the steps of a kernel.
class LifeReader {
public:
  explicit LifeReader(const Machine &machine) : machine(machine) {}

  LogicalResult read(Region &region);
  KernelLives take();

private:
  LogicalResult read(Operation *op);
  LogicalResult readAlloc(AllocOp alloc);
  LogicalResult readNested(Operation *op);

  const Machine &machine;
  placement::LifeRecorder recorder;
  KernelLives lives;
  SmallVector<Operation *> ofStep;
  DenseMap<Operation *, SmallVector<int32_t, 4>> used;
};
} // namespace

LogicalResult LifeReader::read(Region &region) {
  for (Operation &op : region.getOps())
    if (failed(read(&op)))
      return failure();
  return success();
}

LogicalResult LifeReader::read(Operation *op) {
  if (auto alloc = dyn_cast<AllocOp>(op))
    return readAlloc(alloc);
  if (op->getNumRegions())
    return readNested(op);
  auto instruction = dyn_cast<InstructionOpInterface>(op);
  if (!instruction && !isa<DeallocOp>(op))
    return success();
  ofStep.push_back(op);
  recorder.execute(used.lookup(op), instruction && isTransfer(instruction),
                   instruction && instruction.getEngine() == Engine::Tensor);
  return success();
}

LogicalResult LifeReader::readAlloc(AllocOp alloc) {
  BufferLife &life = lives.buffers.emplace_back();
  life.alloc = alloc;
  if (failed(collectUsers(alloc.getBuffer(), life.users)))
    return failure();
  for (Operation *user : life.users)
    used[user].push_back(int32_t(lives.buffers.size()) - 1);
  ofStep.push_back(alloc);
  recorder.allocate(describe(alloc, machine), isDecided(alloc));
  return success();
}

LogicalResult LifeReader::readNested(Operation *op) {
  auto loop = dyn_cast<scf::ForOp>(op);
  std::optional<APInt> trips =
      loop ? loop.getStaticTripCount() : std::optional(APInt(64, 1));
  int64_t begin = recorder.numSteps();
  ofStep.push_back(op);
  recorder.beginLoop(trips ? trips->getSExtValue()
                           : std::numeric_limits<int64_t>::max());
  for (Region &region : op->getRegions())
    if (failed(read(region)))
      return failure();
  ofStep.push_back(op);
  recorder.endLoop();
  lives.loops[op] = {begin, recorder.numSteps()};
  return success();
}

KernelLives LifeReader::take() {
  for (auto [buffer, life] : llvm::zip_equal(lives.buffers, recorder.take())) {
    buffer.lastUse = ofStep[life.lastUse];
    buffer.life = std::move(life);
  }
  return std::move(lives);
}

FailureOr<KernelLives> trn::computeLives(func::FuncOp kernel,
                                         const Machine &machine) {
  LifeReader reader(machine);
  if (failed(reader.read(kernel.getBody())))
    return failure();
  return reader.take();
}

std::vector<BufferLife> KernelLives::in(MemorySpace space) const {
  std::vector<BufferLife> own;
  llvm::copy_if(buffers, std::back_inserter(own), [&](const BufferLife &life) {
    return life.getSpace() == space;
  });
  return own;
}

placement::Lives trn::placementOf(ArrayRef<BufferLife> lives) {
  placement::Lives plain;
  for (const BufferLife &life : lives)
    plain.push_back(life.life);
  return plain;
}

int64_t trn::capacityOf(MemorySpace space, const Machine &machine) {
  return space == MemorySpace::Psum ? machine.psumBanks
                                    : machine.sbufPartitionBytes;
}
