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

/// Stores drain through queues of their own.
static Engine dmaEngine(MemRefType dst) {
  return getMemorySpace(dst) == MemorySpace::Hbm ? Engine::Store : Engine::Load;
}

Engine DmaCopyOp::getEngine() { return dmaEngine(getDst().getType()); }
Engine DmaTransposeOp::getEngine() { return dmaEngine(getDst().getType()); }
Engine MatmulOp::getEngine() { return Engine::Tensor; }
Engine ActivationOp::getEngine() { return Engine::Scalar; }
Engine ReciprocalOp::getEngine() { return Engine::Vector; }
Engine SelectOp::getEngine() { return Engine::Vector; }
Engine IotaOp::getEngine() { return Engine::GpSimd; }
Engine TensorReduceOp::getEngine() { return Engine::Vector; }

FailureOr<Instruction> DmaCopyOp::decode(OperandResolver &resolver) {
  return decodeOperands(*this, resolver, Semantics::Copy);
}

FailureOr<Instruction> DmaTransposeOp::decode(OperandResolver &resolver) {
  return decodeOperands(*this, resolver, Semantics::Transpose);
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
  if (plain)
    return decodeOperands(*this, resolver, Semantics::Copy);
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  instruction->formula = Formula{functionOf(getFunction()),
                                 sourceOf(getScales()), sourceOf(getBiases())};
  instruction->parameters = {getScale().convertToFloat(),
                             getBias().convertToFloat()};
  return instruction;
}

FailureOr<Instruction> TensorTensorOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  instruction->formula = Formula{functionOf(getFunction()), Source::Read};
  return instruction;
}

FailureOr<Instruction> TensorScalarOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  instruction->formula =
      Formula{functionOf(getFunction()), sourceOf(getScalars()),
              /*third=*/Source::Constant, getReversed()};
  if (std::optional<APFloat> constant = getConstant())
    instruction->parameters = {constant->convertToFloat()};
  return instruction;
}

FailureOr<Instruction> ReciprocalOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (failed(instruction))
    return failure();
  // Not the activation of that name, whose scale and bias lose the sign of
  // zero.
  instruction->formula = Formula{Function::Div, /*second=*/Source::Constant,
                                 /*third=*/Source::Constant, /*reversed=*/true};
  instruction->parameters = {1.0f};
  return instruction;
}

FailureOr<Instruction> SelectOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Map);
  if (succeeded(instruction))
    instruction->formula =
        Formula{Function::Select, Source::Read, Source::Read};
  return instruction;
}

FailureOr<Instruction> IotaOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Iota);
  if (succeeded(instruction))
    instruction->parameters = {float(getStart()), float(getPartitionStep()),
                               float(getStep())};
  return instruction;
}

FailureOr<Instruction> TensorReduceOp::decode(OperandResolver &resolver) {
  FailureOr<Instruction> instruction =
      decodeOperands(*this, resolver, Semantics::Reduce);
  if (succeeded(instruction))
    instruction->formula = Formula{functionOf(getFunction())};
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
