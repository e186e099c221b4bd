//===- KernelReading.cpp - The parts of a kernel, and their names ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelReading.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

KernelReading::KernelReading(func::FuncOp kernel)
    : kernel(kernel), views(indices) {
  if (auto attr = kernel->getAttrOfType<ScheduleAttr>(
          TrnDialect::ScheduleAttrHelper::getNameStr()))
    schedule = &attr.getGraph();
  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  for (BlockArgument argument : kernel.getArguments()) {
    numInputs += !kernel.getArgAttr(argument.getArgNumber(), result);
    addTensor(argument);
  }
  numArguments = tensors.size();
  nameArguments();
  readBlock(kernel.front());
  markUsed();
  nameScratch();
  // Arguments tell best what a loop runs over.
  nameLoops(/*onChip=*/false);
  nameLoops(/*onChip=*/true);
}

void KernelReading::addTensor(Value value) {
  Tensor tensor{value, cast<MemRefType>(value.getType())};
  views.addBuffer(value, tensors.size(),
                  *getElementType(tensor.type.getElementType()));
  tensors.push_back(std::move(tensor));
}

void KernelReading::readBlock(Block &block) {
  for (Operation &op : block)
    TypeSwitch<Operation *>(&op)
        .Case([&](scf::ForOp loop) {
          numbers[loop] = tripCounts.size();
          tripCounts.push_back(*indices.addLoop(loop));
          loopDims.emplace_back();
          readBlock(*loop.getBody());
        })
        .Case<AllocOp, memref::AllocOp>([&](Operation *alloc) {
          allocated[alloc] = tensors.size();
          addTensor(alloc->getResult(0));
          nameAllocated(tensors.back());
        })
        .Default([&](Operation *op) {
          indices.visit(op);
          views.visit(op);
        });
}

/// Whether a comparison with zero has one answer for all of `range`.
static std::optional<bool> decide(Condition::Predicate predicate,
                                  Interval range) {
  auto holds = [&](int64_t value) {
    return Condition{predicate, LinearExpr(value)}.evaluate({});
  };
  bool first = holds(range.min), last = holds(range.max);
  bool crossesZero = range.min < 0 && range.max > 0;
  if (first != last || (crossesZero && holds(0) != first))
    return std::nullopt;
  return first;
}

Condition KernelReading::adds(MatmulOp matmul) const {
  auto always = [](bool value) {
    return Condition{Condition::Predicate::Ne, LinearExpr(value)};
  };
  if (!matmul.getAccumulate())
    return always(false);
  Condition condition = *indices.condition(matmul.getAccumulate(), matmul);
  std::optional<bool> decided =
      decide(condition.predicate, rangeOf(condition.expr));
  return decided ? always(*decided) : condition;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// The dims that the dimensions of `matrix` in HBM count.
static SmallVector<std::string, 4> dimsInHbm(const planning::Graph &graph,
                                             const planning::Matrix &matrix) {
  SmallVector<std::string, 4> names;
  auto add = [&](unsigned dim) { names.push_back(graph.dims[dim].name); };
  llvm::for_each(matrix.rowBatches, add);
  add(matrix.rows);
  llvm::for_each(matrix.columnBatches, add);
  add(matrix.columns);
  return names;
}

static const planning::Matrix *findMatrix(const planning::Graph *graph,
                                          StringRef name) {
  if (graph)
    for (const planning::Matrix &matrix : graph->matrices)
      if (matrix.name == name)
        return &matrix;
  return nullptr;
}

void KernelReading::nameArguments() {
  unsigned next = 0;
  if (schedule)
    for (planning::Role role : {planning::Role::Input, planning::Role::Result})
      for (const planning::Matrix &matrix : schedule->matrices) {
        if (matrix.role != role)
          continue;
        Tensor &tensor = tensors[next++];
        tensor.matrix = matrix.name;
        if (tensor.type.getShape() ==
            ArrayRef<int64_t>(schedule->shapeInHbm(matrix)))
          tensor.dims = dimsInHbm(*schedule, matrix);
        tensor.window = matrix.window;
      }
  for (; next < tensors.size(); ++next)
    if (auto named = dyn_cast<NameLoc>(tensors[next].value.getLoc()))
      tensors[next].matrix = named.getName().str();
}

/// Rows beyond the partitions are folded: partition, tile, column.
void KernelReading::nameAllocated(Tensor &tensor) {
  auto name = tensor.alloc()->getAttrOfType<StringAttr>(
      TrnDialect::MatrixAttrHelper::getNameStr());
  if (!name)
    return;
  tensor.matrix = name.str();
  const planning::Matrix *matrix = findMatrix(schedule, name);
  if (!matrix)
    return;
  tensor.dims.assign(tensor.type.getRank(), schedule->dims[matrix->rows].name);
  tensor.dims.back() = schedule->dims[matrix->columns].name;
}

void KernelReading::markUsed() {
  kernel.walk([&](Operation *op) {
    for (Value operand : op->getOperands())
      if (isInstruction(op) && isa<MemRefType>(operand.getType()))
        tensors[access(operand, op).buffer].isUsed = true;
  });
}

/// Scratch in HBM holds what the stage computes that stores it.
void KernelReading::nameScratch() {
  kernel.walk([&](DmaCopyOp copy) {
    auto stage = copy->getAttrOfType<StringAttr>(
        TrnDialect::StageAttrHelper::getNameStr());
    if (getMemorySpace(copy.getDst().getType()) != MemorySpace::Hbm || !stage)
      return;
    Tensor &tensor = tensors[access(copy.getDst(), copy).buffer];
    const planning::Matrix *matrix = findMatrix(schedule, stage);
    if (!tensor.matrix.empty() || !matrix)
      return;
    tensor.matrix = stage.str();
    if (tensor.type.getShape() ==
        ArrayRef<int64_t>(schedule->shapeInHbm(*matrix)))
      tensor.dims = dimsInHbm(*schedule, *matrix);
  });
}

void KernelReading::nameLoops(bool onChip) {
  kernel.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      if (!isInstruction(op) || !isa<MemRefType>(operand.getType()))
        continue;
      Access region = access(operand, op);
      const Tensor &tensor = tensorOf(region);
      std::optional<Subscripts> found;
      if (tensor.isOnChip() == onChip && !tensor.dims.empty())
        found = subscripts(region, tensor.type.getShape());
      if (!found)
        continue;
      for (auto [subscript, dim] : llvm::zip_equal(*found, tensor.dims))
        for (const LinearExpr::Term &term : subscript.start.terms)
          if (loopDims[term.loop].empty())
            loopDims[term.loop] = dim;
    }
  });
}
