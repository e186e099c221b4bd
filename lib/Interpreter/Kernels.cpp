//===- Kernels.cpp - Elementwise work of instructions ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "Rows.h"

#include <algorithm>

using namespace mlir::trn;

static void copyRow(ElementType fromType, const char *from, int64_t fromStride,
                    ElementType toType, char *to, int64_t toStride,
                    int64_t count) {
  if (fromType == toType)
    return moveElements(byteSize(toType), from, fromStride, to, toStride,
                        count);
  float values[chunk];
  for (int64_t begin = 0; begin < count; begin += chunk) {
    int64_t step = std::min(chunk, count - begin);
    loadRow(fromType, from + begin * fromStride, fromStride, values, step);
    storeRow(toType, values, to + begin * toStride, toStride, step);
  }
}

static void fillRow(ElementType type, float value, char *to, int64_t stride,
                    int64_t count) {
  float values[chunk];
  std::fill(values, values + std::min(chunk, count), value);
  for (int64_t begin = 0; begin < count; begin += chunk)
    storeRow(type, values, to + begin * stride, stride,
             std::min(chunk, count - begin));
}

static void mapRow(const PreparedInstruction &instruction,
                   const OperandPointers &at, const ElementNest::Level &row) {
  RowBuffers buffers;
  size_t reads = instruction.reads().size();
  for (int64_t begin = 0; begin < row.size; begin += chunk) {
    int64_t count = std::min(chunk, row.size - begin);
    for (size_t i = 0; i < reads; ++i)
      loadRow(instruction.operands[i].access->type,
              at[i] + begin * row.strides[i], row.strides[i], buffers.reads[i],
              count);
    const float *result =
        computeRow(instruction, buffers.reads[0], buffers, count);
    storeRow(instruction.write().access->type, result,
             at[reads] + begin * row.strides[reads], row.strides[reads], count);
  }
}

static void runRow(const PreparedInstruction &instruction,
                   const OperandPointers &at, const ElementNest::Level &row) {
  ElementType type = instruction.write().access->type;
  switch (instruction.source->semantics) {
  case Semantics::Copy:
  case Semantics::Transpose:
  case Semantics::Gather: // a row from one place to another
  case Semantics::Scatter:
    return copyRow(instruction.operands[0].access->type, at[0], row.strides[0],
                   type, at[1], row.strides[1], row.size);
  case Semantics::Fill:
    return fillRow(type, instruction.source->parameters[0], at[0],
                   row.strides[0], row.size);
  case Semantics::Map:
    return mapRow(instruction, at, row);
  default:
    return; // of functions that know more than a row
  }
}

static void runLevel(const PreparedInstruction &instruction, size_t depth,
                     OperandPointers at, int64_t begin, int64_t end) {
  const ElementNest::Level &level = instruction.nest.levels[depth];
  size_t count = instruction.operands.size();
  auto advance = [&](int64_t steps) {
    for (size_t i = 0; i < count; ++i)
      at[i] += steps * level.strides[i];
  };
  advance(begin);
  if (depth + 1 == instruction.nest.levels.size()) {
    ElementNest::Level row = level;
    row.size = end - begin;
    return runRow(instruction, at, row);
  }
  for (int64_t i = begin; i < end; ++i, advance(1))
    runLevel(instruction, depth + 1, at, 0,
             instruction.nest.levels[depth + 1].size);
}

/// Square blocks, so that both sides stay in cache.
static void runTranspose(const PreparedInstruction &instruction,
                         const OperandPointers &at, int64_t begin,
                         int64_t end) {
  constexpr int64_t block = 32;
  const ElementNest::Level &outer = instruction.nest.levels[0];
  const ElementNest::Level &inner = instruction.nest.levels[1];
  for (int64_t i = begin; i < end; i += block)
    for (int64_t j = 0; j < inner.size; j += block)
      for (int64_t row = i; row < std::min(i + block, end); ++row) {
        OperandPointers from = at;
        for (int operand : {0, 1})
          from[operand] +=
              row * outer.strides[operand] + j * inner.strides[operand];
        runRow(instruction, from,
               {std::min(block, inner.size - j), inner.strides});
      }
}

void mlir::trn::runElementwise(const PreparedInstruction &instruction,
                               const OperandPointers &operands, int64_t begin,
                               int64_t end) {
  switch (instruction.source->semantics) {
  case Semantics::Transpose:
    return runTranspose(instruction, operands, begin, end);
  case Semantics::Map:
    if (instruction.source->fold)
      return runByPartition(instruction, operands, begin, end);
    break;
  case Semantics::Reduce:
  case Semantics::Scan:
  case Semantics::Iota:
    return runByPartition(instruction, operands, begin, end);
  case Semantics::Partition:
    return runPartitionFunction(instruction, operands, begin, end);
  case Semantics::Shuffle:
    return runShuffle(instruction, operands);
  default:
    break;
  }
  runLevel(instruction, 0, operands, begin, end);
}
