//===- RunStage.cpp - Values of a module at any stage -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunStage.h"

#include "WidenSums.h"

#include "trn/Decode/ViewAnalysis.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Runtime/ErasePrints.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

static constexpr int64_t alignment = 64;

static bool isPsum(AllocOp alloc) {
  return getMemorySpace(alloc.getType()) == MemorySpace::Psum;
}

/// All slots of `alloc`, as bytes a partition; 0 if decoding refuses it.
static int64_t getSlotBytes(AllocOp alloc) {
  auto type = cast<MemRefType>(alloc.getType());
  std::optional<ElementType> element = getElementType(type.getElementType());
  std::optional<int64_t> count =
      element ? countElements(type, byteSize(*element)) : std::nullopt;
  if (!count || type.getRank() == 0 || type.getDimSize(0) == 0)
    return 0;
  return *count / type.getDimSize(0) * byteSize(*element) * alloc.getBuffers();
}

/// All slots of `alloc`, which is in PSUM, in banks.
static int64_t getBanks(AllocOp alloc, const Machine &machine) {
  int64_t slots = alloc.getBuffers();
  return slots * machine.psumBanksOf(getSlotBytes(alloc) / slots);
}

static bool hasInstructions(func::FuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa_and_present<TrnDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Undefined elements that something is added to are zeros, as the compiler
/// takes them.
static void defineZeros(ModuleOp module) {
  SmallVector<OpOperand *> undefined;
  module.walk([&](linalg::LinalgOp op) {
    for (OpOperand &init : op.getDpsInitsMutable())
      if (op.payloadUsesValueFromOperand(&init) &&
          init.get().getDefiningOp<tensor::EmptyOp>())
        undefined.push_back(&init);
  });
  for (OpOperand *init : undefined) {
    OpBuilder builder(init->getOwner());
    Location loc = init->getOwner()->getLoc();
    Type type = getElementTypeOrSelf(init->get());
    if (TypedAttr zero = builder.getZeroAttr(type))
      init->set(linalg::FillOp::create(
                    builder, loc,
                    arith::ConstantOp::create(builder, loc, zero).getResult(),
                    init->get())
                    .getResult(0));
  }
}

/// What the dialect says about a function is for kernels.
static void makeHostCode(func::FuncOp kernel) {
  for (NamedAttribute attribute : llvm::to_vector(kernel->getAttrs()))
    if (isa_and_present<TrnDialect>(attribute.getNameDialect()))
      kernel->removeAttr(attribute.getName());
}

/// Gives the buffers of `kernel` addresses of their own if some have none.
static void placeApart(func::FuncOp kernel, const Machine &machine) {
  SmallVector<AllocOp> allocs;
  kernel.walk([&](AllocOp alloc) { allocs.push_back(alloc); });
  if (llvm::all_of(allocs, [](AllocOp alloc) { return alloc.isPlaced(); }))
    return;
  int64_t offset = 0, bank = 0;
  for (AllocOp alloc : allocs) {
    alloc.setOffset(isPsum(alloc) ? 0 : offset);
    if (isPsum(alloc)) {
      alloc.setBank(bank);
      bank += getBanks(alloc, machine);
    } else {
      offset += llvm::alignTo(getSlotBytes(alloc), alignment);
    }
  }
}

/// Lets `machine` hold the buffers of `module`, wherever they are.
static void enlarge(Machine &machine, ModuleOp module) {
  auto raise = [](int64_t &limit, int64_t to) { limit = std::max(limit, to); };
  module.walk([&](AllocOp alloc) {
    auto type = cast<MemRefType>(alloc.getType());
    if (!alloc.isPlaced() || !type.hasStaticShape() || type.getRank() == 0)
      return;
    raise(machine.partitions, type.getDimSize(0));
    if (isPsum(alloc))
      raise(machine.psumBanks, *alloc.getBank() + getBanks(alloc, machine));
    else
      raise(machine.sbufPartitionBytes,
            *alloc.getOffset() + getSlotBytes(alloc));
  });
}

FailureOr<Executable> mlir::trn::compileStage(func::FuncOp entry) {
  FailureOr<Machine> machine = getMachine(entry);
  if (failed(machine) || failed(checkMemory(entry)))
    return failure();
  auto module = entry->getParentOfType<ModuleOp>();
  for (auto function : module.getOps<func::FuncOp>()) {
    if (!isKernel(function))
      continue;
    if (hasInstructions(function))
      placeApart(function, *machine);
    else
      makeHostCode(function);
  }
  erasePrints(module);
  defineZeros(module);
  widenSums(module);
  enlarge(*machine, module);
  return Executable::create(entry, *machine);
}

FailureOr<SmallVector<NamedValue>>
mlir::trn::runStage(func::FuncOp entry, Executable &executable, uint64_t seed) {
  FailureOr<EntrySignature> signature = getSignature(entry);
  if (failed(signature))
    return failure();
  SmallVector<ArgumentSource> sources(
      signature->inputs.size(),
      ArgumentSource{ArgumentSource::Kind::Random, "", seed});
  auto inputs = bindInputs(entry, sources, /*weights=*/"");
  auto results = allocateResults(entry);
  if (failed(inputs) || failed(results) || failed(executable.load(*inputs)) ||
      failed(executable.run(*inputs, *results)))
    return failure();
  SmallVector<NamedValue> values;
  // What stays as it is, is equal.
  for (auto [index, input] : llvm::enumerate(*inputs))
    values.push_back({("input " + Twine(index)).str(), std::move(input)});
  for (auto [index, result] : llvm::enumerate(*results))
    values.push_back({("result " + Twine(index)).str(), std::move(result)});
  return values;
}
