//===- TrnDecode.cpp - Ops as instructions of a program -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

/// Decodes what all instructions have: engine, work, and an access for each
/// memref operand in the order of the operands.
template <typename Op>
static FailureOr<Instruction> decodeOperands(Op op, OperandResolver &resolver,
                                             Semantics semantics) {
  Instruction instruction;
  instruction.op = -1;
  instruction.engine = op.getEngine();
  instruction.semantics = semantics;
  instruction.work = op.getWork(resolver.machine());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    FailureOr<Access> access = resolver.access(operand.get());
    if (failed(access))
      return failure();
    if (op.isDpsInit(&operand))
      instruction.writes.push_back(*access);
    else
      instruction.reads.push_back(*access);
  }
  return instruction;
}

static Source sourceOf(Value operand) {
  return operand ? Source::Read : Source::Constant;
}

/// Functions have one name in the dialect and in programs.
template <typename Enum>
static Function functionOf(Enum function) {
  return *parseFunction(stringifyEnum(function));
}

/// Adds `function(x, second)`, or `function(second, x)`, where the second value
/// is read or a constant.
static void addStep(Instruction &instruction, BinaryFunction function,
                    Value operand, std::optional<APFloat> constant,
                    bool reversed) {
  instruction.formula.push_back({functionOf(function), sourceOf(operand),
                                 /*third=*/Source::Constant, reversed});
  if (constant)
    instruction.parameters.push_back(constant->convertToFloat());
}

/// Folds into the last result, if at all.
static void addFold(Instruction &instruction,
                    std::optional<ReduceFunction> function, bool accumulates) {
  if (!function)
    return;
  instruction.fold = Fold{functionOf(*function), accumulates};
  if (accumulates)
    instruction.reads.push_back(instruction.writes.back());
}

/// The parameters that an Iota begins with.
static void addCount(Instruction &instruction, int32_t start,
                     int32_t partitionStep, ArrayRef<int32_t> steps) {
  instruction.parameters = {float(start), float(partitionStep)};
  instruction.parameters.append(steps.begin(), steps.end());
}

/// Stores drain through queues of their own.
static Engine dmaEngine(MemRefType dst) {
  return getMemorySpace(dst) == MemorySpace::Hbm ? Engine::Store : Engine::Load;
}

Engine DmaCopyOp::getEngine() { return dmaEngine(getDst().getType()); }
Engine DmaTransposeOp::getEngine() { return dmaEngine(getDst().getType()); }
Engine DmaGatherOp::getEngine() { return Engine::Load; }
Engine DmaScatterOp::getEngine() { return Engine::Store; }
Engine MatmulOp::getEngine() { return Engine::Tensor; }
Engine ActivationOp::getEngine() { return Engine::Scalar; }
Engine ReciprocalOp::getEngine() { return Engine::Vector; }
Engine TensorTensorScanOp::getEngine() { return Engine::Vector; }
Engine SelectOp::getEngine() { return Engine::Vector; }
Engine AffineSelectOp::getEngine() { return Engine::GpSimd; }
Engine IotaOp::getEngine() { return Engine::GpSimd; }
Engine TensorReduceOp::getEngine() { return Engine::Vector; }
Engine PartitionReduceOp::getEngine() { return Engine::GpSimd; }
Engine BnStatsOp::getEngine() { return Engine::Vector; }
Engine BnAggrOp::getEngine() { return Engine::Vector; }
Engine Max8Op::getEngine() { return Engine::Vector; }
Engine FindIndex8Op::getEngine() { return Engine::Vector; }
Engine MatchReplace8Op::getEngine() { return Engine::Vector; }
Engine PartitionGatherOp::getEngine() { return Engine::GpSimd; }
Engine StreamShuffleOp::getEngine() { return Engine::Vector; }
Engine AllReduceOp::getEngine() { return Engine::Collective; }
Engine AllGatherOp::getEngine() { return Engine::Collective; }
Engine ReduceScatterOp::getEngine() { return Engine::Collective; }
Engine AllToAllOp::getEngine() { return Engine::Collective; }
Engine CollectivePermuteOp::getEngine() { return Engine::Collective; }
Engine CoreBarrierOp::getEngine() { return Engine::Collective; }
Engine SendReceiveOp::getEngine() { return Engine::Collective; }

FailureOr<Instruction> DmaCopyOp::decode(OperandResolver &resolver) {
  return decodeOperands(*this, resolver, Semantics::Copy);
}

FailureOr<Instruction> DmaTransposeOp::decode(OperandResolver &resolver) {
  return decodeOperands(*this, resolver, Semantics::Transpose);
}

FailureOr<Instruction> DmaGatherOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Gather);
  if (succeeded(instruction))
    instruction->skipsMissing = getSkip();
  return instruction;
}

FailureOr<Instruction> DmaScatterOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Scatter);
  if (succeeded(instruction))
    instruction->skipsMissing = getSkip();
  return instruction;
}

FailureOr<Instruction> MatmulOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Matmul);
  if (failed(instruction) || !getAccumulate())
    return instruction;
  FailureOr<Condition> accumulate = resolver.condition(getAccumulate());
  if (failed(accumulate))
    return failure();
  instruction->accumulate = *accumulate;
  return instruction;
}

FailureOr<Instruction> TransposeOp::decode(OperandResolver &resolver) {
  return decodeOperands(*this, resolver, Semantics::Transpose);
}

FailureOr<Instruction> TensorCopyOp::decode(OperandResolver &resolver) {
  return decodeOperands(*this, resolver, Semantics::Copy);
}

FailureOr<Instruction> ActivationOp::decode(OperandResolver &resolver) {
  // A plain eviction is a copy, which runs faster than a function of rows.
  bool plain = getFunction() == ActivationFunction::Copy && !getScales() &&
               !getBiases() && getScale().isExactlyValue(1.0) &&
               getBias().isPosZero();
  if (plain && !getSums())
    return decodeOperands(*this, resolver, Semantics::Copy);
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  if (!plain) {
    instruction->formula = {{functionOf(getFunction()), sourceOf(getScales()),
                             sourceOf(getBiases())}};
    instruction->parameters = {getScale().convertToFloat(),
                               getBias().convertToFloat()};
  }
  addFold(*instruction, getReduceFunction(), getAccumulate());
  return instruction;
}

FailureOr<Instruction> TensorTensorOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (succeeded(instruction))
    addStep(*instruction, getFunction(), getRhs(), std::nullopt,
            /*reversed=*/false);
  return instruction;
}

FailureOr<Instruction> TensorScalarOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  addStep(*instruction, getFunction(), getScalars(), getConstant(),
          getReversed());
  if (getThenFunction())
    addStep(*instruction, *getThenFunction(), getThenScalars(),
            getThenConstant(), getThenReversed());
  addFold(*instruction, getReduceFunction(), getAccumulate());
  return instruction;
}

FailureOr<Instruction> ScalarTensorTensorOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  addStep(*instruction, getFunction(), getScalars(), getConstant(),
          getReversed());
  addStep(*instruction, getThenFunction(), getRhs(), std::nullopt,
          getThenReversed());
  return instruction;
}

FailureOr<Instruction> TensorTensorScanOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Scan);
  if (failed(instruction))
    return failure();
  addStep(*instruction, getFunction0(), getInitials(), getInitial(),
          getReversed0());
  addStep(*instruction, getFunction1(), getData1(), std::nullopt,
          getReversed1());
  return instruction;
}

FailureOr<Instruction> ReciprocalOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  // Not the activation of that name, whose scale and bias lose the sign of
  // zero.
  instruction->formula = {{Function::Div, /*second=*/Source::Constant,
                           /*third=*/Source::Constant, /*reversed=*/true}};
  instruction->parameters = {1.0f};
  return instruction;
}

FailureOr<Instruction> SelectOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (succeeded(instruction))
    instruction->formula = {{Function::Select, Source::Read, Source::Read}};
  return instruction;
}

FailureOr<Instruction> IotaOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Iota);
  if (succeeded(instruction))
    addCount(*instruction, getStart(), getPartitionStep(), getSteps());
  return instruction;
}

FailureOr<Instruction> AffineSelectOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Iota);
  if (failed(instruction))
    return failure();
  addCount(*instruction, getStart(), getPartitionStep(), getSteps());
  addStep(*instruction, getPredicate(), /*operand=*/nullptr, APFloat(0.0f),
          /*reversed=*/false);
  instruction->formula.push_back(
      {Function::Select, Source::Read, Source::Constant});
  instruction->parameters.push_back(getOtherwise().convertToFloat());
  return instruction;
}

FailureOr<Instruction> TensorReduceOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Reduce);
  if (failed(instruction))
    return failure();
  addFold(*instruction, getFunction(), /*accumulates=*/false);
  if (getNegated())
    addStep(*instruction, BinaryFunction::Mul, /*operand=*/nullptr,
            APFloat(-1.0f), /*reversed=*/false);
  return instruction;
}

FailureOr<Instruction> PartitionReduceOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Reduce);
  if (succeeded(instruction))
    addFold(*instruction, getFunction(), /*accumulates=*/false);
  return instruction;
}

/// Of ops that work on partitions as a whole.
template <typename Op>
static FailureOr<Instruction> decodePartition(Op op, OperandResolver &resolver,
                                              PartitionFunction function) {
  FailureOr<Instruction> instruction =
      decodeOperands(op, resolver, Semantics::Partition);
  if (succeeded(instruction))
    instruction->partitionFunction = function;
  return instruction;
}

FailureOr<Instruction> BnStatsOp::decode(OperandResolver &resolver) {
  return decodePartition(*this, resolver, PartitionFunction::BnStats);
}

FailureOr<Instruction> BnAggrOp::decode(OperandResolver &resolver) {
  return decodePartition(*this, resolver, PartitionFunction::BnAggregate);
}

FailureOr<Instruction> Max8Op::decode(OperandResolver &resolver) {
  return decodePartition(*this, resolver, PartitionFunction::Max8);
}

FailureOr<Instruction> FindIndex8Op::decode(OperandResolver &resolver) {
  return decodePartition(*this, resolver, PartitionFunction::FindIndex8);
}

FailureOr<Instruction> MatchReplace8Op::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodePartition(*this, resolver, PartitionFunction::MatchReplace8);
  if (succeeded(instruction))
    instruction->parameters = {getReplacement().convertToFloat()};
  return instruction;
}

FailureOr<Instruction> PartitionGatherOp::decode(OperandResolver &resolver) {
  return decodePartition(*this, resolver, PartitionFunction::Gather);
}

FailureOr<Instruction> StreamShuffleOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Shuffle);
  if (failed(instruction))
    return failure();
  for (int32_t source : getMask())
    instruction->parameters.push_back(source == unmodified ? -1.0f : source);
  // What stays must be there.
  if (llvm::is_contained(getMask(), unmodified))
    instruction->reads.push_back(instruction->writes.front());
  return instruction;
}

/// Sums are what a collective makes if nothing else is said.
static void addReduction(Instruction &instruction, ReduceFunction function) {
  if (function != ReduceFunction::Add)
    instruction.fold = Fold{functionOf(function)};
}

template <typename Op>
static Collective decodeGroups(Op op, int64_t pieceElements = 0) {
  Collective collective{int64_t(op.getCores()), pieceElements};
  llvm::append_range(collective.groups, op.getGroups());
  return collective;
}

FailureOr<Instruction> AllReduceOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::AllReduce);
  if (failed(instruction))
    return failure();
  addReduction(*instruction, getFunction());
  instruction->collective = decodeGroups(*this);
  return instruction;
}

/// The elements of `piece` from dimension `dim` on.
static int64_t countElementsFrom(MemRefType piece, int64_t dim) {
  return ShapedType::getNumElements(piece.getShape().drop_front(dim));
}

FailureOr<Instruction> AllGatherOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::AllGather);
  if (succeeded(instruction))
    instruction->collective =
        decodeGroups(*this, countElementsFrom(getSrc().getType(), getDim()));
  return instruction;
}

FailureOr<Instruction> ReduceScatterOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::ReduceScatter);
  if (failed(instruction))
    return failure();
  addReduction(*instruction, getFunction());
  instruction->collective =
      decodeGroups(*this, countElementsFrom(getDst().getType(), getDim()));
  return instruction;
}

FailureOr<Instruction> AllToAllOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::AllToAll);
  if (failed(instruction))
    return failure();
  instruction->collective = decodeGroups(*this);
  instruction->collective->splitDim = int64_t(getSplitDim());
  instruction->collective->concatDim = int64_t(getConcatDim());
  return instruction;
}

FailureOr<Instruction> CollectivePermuteOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Permute);
  if (failed(instruction))
    return failure();
  instruction->collective = Collective{int64_t(getSources().size())};
  llvm::append_range(instruction->collective->sources, getSources());
  return instruction;
}

/// Those of a logical core.
static constexpr int64_t coresThatMeet = 2;

FailureOr<Instruction> CoreBarrierOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Barrier);
  if (failed(instruction))
    return failure();
  instruction->reads = {instruction->writes.front()};
  instruction->collective = Collective{coresThatMeet};
  return instruction;
}

FailureOr<Instruction> SendReceiveOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::SendReceive);
  if (succeeded(instruction))
    instruction->collective = {coresThatMeet, /*pieceElements=*/0,
                               int64_t(getPipe())};
  return instruction;
}

FailureOr<Instruction> MemsetOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Fill);
  if (failed(instruction))
    return failure();
  instruction->parameters = {getValue().convertToFloat()};
  return instruction;
}
