//===- AnalyzeKernel.cpp - What limits a kernel ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/AnalyzeKernel.h"

#include "KernelAnalysisParts.h"
#include "trn/Machine/Bounds.h"
#include "trn/Machine/Machine.h"
#include "trn/Simulator/Cost.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

int64_t trn::saturatingMultiply(int64_t a, int64_t b) {
  uint64_t product = llvm::SaturatingMultiply<uint64_t>(a, b);
  return std::min<uint64_t>(product, std::numeric_limits<int64_t>::max());
}

static void addTo(int64_t &total, int64_t amount, int64_t executions) {
  int64_t most = std::numeric_limits<int64_t>::max();
  total += std::min(saturatingMultiply(amount, executions), most - total);
}

namespace {
/// Gives each memref a number of its own, without any address: shapes and
/// spaces are all that is asked for.
class ShapeResolver final : public OperandResolver {
public:
  ShapeResolver(Operation *user, const Machine &target)
      : user(user), target(target) {}

  FailureOr<Access> access(Value memref) override {
    auto type = dyn_cast<MemRefType>(memref.getType());
    if (!type || !isStaticView(type) || !getElementType(type.getElementType()))
      return user->emitOpError("uses ")
             << memref.getType()
             << ", but instructions work on static memrefs of bf16, f16 or f32";
    Access access;
    access.buffer = memrefs.size();
    access.type = *getElementType(type.getElementType());
    access.dims = getDims(type);
    memrefs.push_back(memref);
    return access;
  }
  FailureOr<Condition> condition(Value) override {
    return Condition{Condition::Predicate::Ne, LinearExpr(0)};
  }
  const Machine &machine() override { return target; }

  SmallVector<Value> memrefs;

private:
  Operation *user;
  const Machine &target;
};

/// Walks the loop nest once.
class Analyzer {
public:
  Analyzer(KernelAnalysis &analysis, const Machine &machine)
      : analysis(analysis), machine(machine), costs(machine) {}

  LogicalResult visit(Block &block, int64_t executions);

  FlopsByType executed;

private:
  LogicalResult visit(scf::ForOp loop, int64_t executions);
  LogicalResult visit(InstructionOpInterface op, int64_t executions);

  KernelAnalysis &analysis;
  const Machine &machine;
  Costs costs;
};
} // namespace

LogicalResult Analyzer::visit(Block &block, int64_t executions) {
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      if (failed(visit(loop, executions)))
        return failure();
    } else if (auto instruction = dyn_cast<InstructionOpInterface>(op)) {
      if (failed(visit(instruction, executions)))
        return failure();
    } else if (op.getNumRegions() != 0 && op.walk([](InstructionOpInterface) {
                                              return WalkResult::interrupt();
                                            }).wasInterrupted()) {
      return op.emitOpError("holds instructions, but in a kernel only scf.for "
                            "may; how often they are executed is unknown");
    }
  }
  return success();
}

LogicalResult Analyzer::visit(scf::ForOp loop, int64_t executions) {
  std::optional<APInt> trips = loop.getStaticTripCount();
  if (!trips)
    return loop.emitOpError("has bounds that are not constant; how often it is "
                            "executed is unknown");
  int64_t count = trips->getActiveBits() > 63
                      ? std::numeric_limits<int64_t>::max()
                      : trips->getZExtValue();
  analysis.loops.push_back({loop, count, {}, {}});
  return visit(*loop.getBody(), saturatingMultiply(executions, count));
}

static int64_t partitionsOf(const Access &access) {
  return access.dims.empty() ? 1 : access.dims.front().size;
}

/// Elements of one partition.
static int64_t freeElements(const Access &access) {
  return access.numElements() / partitionsOf(access);
}

/// How many operands an instruction needs to be what it says it is.
static size_t leastReads(const Instruction &instruction) {
  if (instruction.semantics == Semantics::Matmul)
    return 2;
  return isDma(instruction.engine) || instruction.engine == Engine::Tensor ||
         instruction.engine == Engine::Collective;
}

LogicalResult Analyzer::visit(InstructionOpInterface op, int64_t executions) {
  ShapeResolver resolver(op, machine);
  FailureOr<Instruction> instruction = op.decode(resolver);
  if (failed(instruction))
    return failure();
  if (instruction->reads.size() < leastReads(*instruction) ||
      instruction->writes.empty())
    return op->emitOpError("decodes to an instruction without operands");
  addTo(analysis.instructions, 1, executions);
  if (isDma(instruction->engine)) {
    TransferAnalysis transfer =
        analyzeTransfer(op, *instruction, resolver.memrefs, machine, costs);
    transfer.executions = executions;
    analysis.busyNs[size_t(Resource::Dma)] += transfer.ns * executions;
    for (ArrayRef<Access> side : {ArrayRef<Access>(instruction->reads),
                                  ArrayRef<Access>(instruction->writes)})
      for (const Access &access : side)
        if (isInHbm(resolver.memrefs[access.buffer]))
          addTo(analysis.hbmBytes, instruction->movedBytes(access), executions);
    analysis.transfers.push_back(transfer);
    return success();
  }

  static_assert(int(Engine::Collective) == int(Resource::Collective));
  double ns = costs.occupied(*instruction) / 1000.0;
  analysis.busyNs[size_t(instruction->engine)] += ns * executions;
  if (instruction->engine != Engine::Tensor)
    return success();
  const Access &first = instruction->reads.front();
  TensorAnalysis product{op,
                         executions,
                         /*isTranspose=*/true,
                         first.dims.front().size,
                         freeElements(first),
                         0,
                         first.type == ElementType::F32,
                         ns,
                         0};
  if (instruction->semantics == Semantics::Matmul) {
    int64_t flops = instruction->work.flops;
    product.isTranspose = false;
    product.n = freeElements(instruction->reads[1]);
    product.usefulNs = flops / machine.tensorFlopsPerNs(product.isF32);
    addTo(product.isF32 ? executed.f32 : executed.narrow, flops, executions);
  }
  analysis.products.push_back(product);
  return success();
}

/// What the arguments hold.
static int64_t argumentBytes(func::FuncOp kernel) {
  int64_t total = 0;
  for (Type type : kernel.getArgumentTypes()) {
    auto memref = dyn_cast<MemRefType>(type);
    if (!memref || !isStaticView(memref))
      continue;
    if (auto element = getElementType(memref.getElementType()))
      addTo(total, memref.getNumElements(), byteSize(*element));
  }
  return total;
}

FailureOr<KernelAnalysis> trn::analyzeKernel(func::FuncOp kernel,
                                             const Machine &machine) {
  KernelAnalysis analysis;
  Analyzer analyzer(analysis, machine);
  if (!llvm::hasSingleElement(kernel.getBody()))
    return kernel.emitOpError("has more than one block, but a kernel has one");
  if (failed(analyzer.visit(kernel.front(), /*executions=*/1)) ||
      failed(analyzePressure(kernel, machine, analysis)))
    return failure();

  analysis.fixedNs = machine.kernelOverheadNs + 2 * machine.dmaLatencyNs;
  analysis.executedFlops = analyzer.executed.total();
  analysis.modelFlops = analysis.executedFlops;
  FlopsByType model = analyzer.executed;
  if (auto flops = kernel->getAttrOfType<IntegerAttr>(
          TrnDialect::FlopsAttrHelper::getNameStr())) {
    analysis.modelFlops = flops.getInt();
    model = shareOut(flops.getInt(), analyzer.executed);
  }
  analysis.compulsoryBytes = argumentBytes(kernel);
  analysis.tensorBoundNs = tensorBoundNs(model, machine);
  analysis.trafficBoundNs = trafficBoundNs(analysis.compulsoryBytes, machine);
  return analysis;
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

StringRef trn::stringify(Resource resource) {
  switch (resource) {
  case Resource::Tensor:
    return "tensor engine";
  case Resource::Vector:
    return "vector engine";
  case Resource::Scalar:
    return "scalar engine";
  case Resource::GpSimd:
    return "gpsimd engine";
  case Resource::Collective:
    return "collectives";
  case Resource::Dma:
    return "dma";
  }
  return "unknown";
}
