//===- Kernels.cpp - Elementwise work of instructions ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include <algorithm>
#include <cstring>

using namespace mlir::trn;

/// Elements that a kernel widens to f32 at a time; the buffers stay in L1.
static constexpr int64_t chunk = 1024;

template <typename T>
static void moveElements(const char *from, int64_t fromStride, char *to,
                         int64_t toStride, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to + i * toStride, from + i * fromStride, sizeof(T));
}

static void moveElements(int64_t size, const char *from, int64_t fromStride,
                         char *to, int64_t toStride, int64_t count) {
  if (fromStride == size && toStride == size)
    std::memmove(to, from, count * size);
  else if (size == 2)
    moveElements<uint16_t>(from, fromStride, to, toStride, count);
  else
    moveElements<uint32_t>(from, fromStride, to, toStride, count);
}

/// `count` is at most `chunk` in the next two.
static void loadRow(ElementType type, const char *from, int64_t stride,
                    float *to, int64_t count) {
  int64_t size = byteSize(type);
  if (stride == size)
    return loadFloats(type, from, to, count);
  if (stride == 0) {
    loadFloats(type, from, to, 1);
    std::fill(to + 1, to + count, to[0]);
    return;
  }
  char gathered[chunk * sizeof(float)];
  moveElements(size, from, stride, gathered, size, count);
  loadFloats(type, gathered, to, count);
}

static void storeRow(ElementType type, const float *from, char *to,
                     int64_t stride, int64_t count) {
  int64_t size = byteSize(type);
  if (stride == size)
    return storeFloats(type, from, to, count);
  char rounded[chunk * sizeof(float)];
  storeFloats(type, from, rounded, count);
  moveElements(size, rounded, size, to, stride, count);
}

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
  float values[ElementNest::maxOperands][chunk];
  const float *inputs[ElementNest::maxOperands];
  size_t reads = instruction.reads().size();
  const OperandLayout &write = instruction.write();
  for (int64_t begin = 0; begin < row.size; begin += chunk) {
    int64_t step = std::min(chunk, row.size - begin);
    for (size_t i = 0; i < reads; ++i) {
      loadRow(instruction.operands[i].access->type,
              at[i] + begin * row.strides[i], row.strides[i], values[i], step);
      inputs[i] = values[i];
    }
    float *output = values[reads];
    instruction.row(inputs, output, step, instruction.source->parameters);
    storeRow(write.access->type, output, at[reads] + begin * row.strides[reads],
             row.strides[reads], step);
  }
}

static void runRow(const PreparedInstruction &instruction,
                   const OperandPointers &at, const ElementNest::Level &row) {
  ElementType type = instruction.write().access->type;
  switch (instruction.source->semantics) {
  case Semantics::Copy:
  case Semantics::Transpose:
    return copyRow(instruction.operands[0].access->type, at[0], row.strides[0],
                   type, at[1], row.strides[1], row.size);
  case Semantics::Fill:
    return fillRow(type, instruction.source->parameters[0], at[0],
                   row.strides[0], row.size);
  case Semantics::Map:
    return mapRow(instruction, at, row);
  case Semantics::Reduce:
  case Semantics::Iota:
    return; // runReduce's and runIota's, which know more than a row.
  case Semantics::Matmul:
    return; // TileMath's.
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

/// Folds what the levels from `depth` on walk over into `result`. The first
/// element of all starts the fold.
static void foldLevels(const PreparedInstruction &instruction, size_t depth,
                       const char *at, bool &isFirst, float &result) {
  const ElementNest::Level &level = instruction.nest.levels[depth];
  int64_t stride = level.strides[0];
  if (depth + 1 < instruction.nest.levels.size()) {
    for (int64_t i = 0; i < level.size; ++i)
      foldLevels(instruction, depth + 1, at + i * stride, isFirst, result);
    return;
  }
  float values[chunk];
  for (int64_t begin = 0; begin < level.size; begin += chunk) {
    int64_t step = std::min(chunk, level.size - begin);
    loadRow(instruction.operands[0].access->type, at + begin * stride, stride,
            values, step);
    if (isFirst)
      result = values[0];
    const float *rest = values + isFirst;
    instruction.row(&rest, &result, step - isFirst,
                    instruction.source->parameters);
    isFirst = false;
  }
}

static void runReduce(const PreparedInstruction &instruction,
                      const OperandPointers &at, int64_t begin, int64_t end) {
  const ElementNest::Level &partitions = instruction.nest.levels[0];
  for (int64_t i = begin; i < end; ++i) {
    bool isFirst = true;
    float result = 0;
    foldLevels(instruction, 1, at[0] + i * partitions.strides[0], isFirst,
               result);
    storeFloats(instruction.write().access->type, &result,
                at[1] + i * partitions.strides[1], 1);
  }
}

static void runIota(const PreparedInstruction &instruction,
                    const OperandPointers &at, int64_t begin, int64_t end) {
  const ElementNest::Level &rows = instruction.nest.levels[0];
  const ElementNest::Level &columns = instruction.nest.levels[1];
  llvm::ArrayRef<float> parameters = instruction.source->parameters;
  float values[chunk];
  for (int64_t i = begin; i < end; ++i)
    for (int64_t from = 0; from < columns.size; from += chunk) {
      int64_t count = std::min(chunk, columns.size - from);
      // Only the sum has to be exact in f32: its parts may be larger.
      double first = parameters[0] + double(i) * parameters[1];
      for (int64_t j = 0; j < count; ++j)
        values[j] = float(first + double(from + j) * parameters[2]);
      storeRow(instruction.write().access->type, values,
               at[0] + i * rows.strides[0] + from * columns.strides[0],
               columns.strides[0], count);
    }
}

void mlir::trn::runElementwise(const PreparedInstruction &instruction,
                               const OperandPointers &operands, int64_t begin,
                               int64_t end) {
  if (instruction.source->semantics == Semantics::Transpose)
    return runTranspose(instruction, operands, begin, end);
  if (instruction.source->semantics == Semantics::Reduce)
    return runReduce(instruction, operands, begin, end);
  if (instruction.source->semantics == Semantics::Iota)
    return runIota(instruction, operands, begin, end);
  runLevel(instruction, 0, operands, begin, end);
}
