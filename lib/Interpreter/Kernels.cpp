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
#include <cstring>

using namespace mlir::trn;
using llvm::ArrayRef;

/// Whether elements are an array of f32.
static bool isFloats(ElementType type, int64_t stride) {
  return type == ElementType::F32 && stride == sizeof(float);
}

static void copyRow(ElementType fromType, const char *from, int64_t fromStride,
                    ElementType toType, char *to, int64_t toStride,
                    int64_t count) {
  if (fromType == toType)
    return moveElements(byteSize(toType), from, fromStride, to, toStride,
                        count);
  if (isFloats(fromType, fromStride))
    return storeRow(toType, reinterpret_cast<const float *>(from), to, toStride,
                    count);
  if (isFloats(toType, toStride))
    return loadRow(fromType, from, fromStride, reinterpret_cast<float *>(to),
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

/// Rows of a tile are far apart, in HBM and in the images: no hardware foresees
/// the next ones. All lines of the row that comes so much later are fetched.
static constexpr int64_t rowsAhead = 2;
static constexpr int64_t lineBytes = 64;
/// More than this of a row the hardware foresees.
static constexpr int64_t maxPrefetched = 4096;

/// Fetches what the levels from `depth` on touch of an operand.
static void prefetchRows(const PreparedInstruction &instruction, size_t depth,
                         size_t operand, const char *at) {
  const ElementNest::Level &level = instruction.nest.levels[depth];
  int64_t stride = level.strides[operand];
  if (depth + 1 == instruction.nest.levels.size()) {
    int64_t bytes = std::min(level.size * std::abs(stride), maxPrefetched);
    bool isWritten = operand >= instruction.reads().size();
    for (int64_t byte = 0; byte < bytes; byte += lineBytes)
      isWritten ? __builtin_prefetch(at + byte, /*rw=*/1)
                : __builtin_prefetch(at + byte);
    return;
  }
  for (int64_t i = 0; i < level.size; ++i, at += stride)
    prefetchRows(instruction, depth + 1, operand, at);
}

/// Whether the level at `depth` walks over rows, or over so few together that
/// none of them is foreseen among themselves.
static bool prefetches(const PreparedInstruction &instruction, size_t depth) {
  auto inner = ArrayRef(instruction.nest.levels).drop_front(depth + 1);
  return inner.size() == 1 ||
         (inner.size() == 2 && inner.front().size <= rowsAhead);
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
  bool isAhead = prefetches(instruction, depth);
  for (int64_t i = begin; i < end; ++i, advance(1)) {
    if (isAhead && i + rowsAhead < end)
      for (size_t operand = 0; operand < count; ++operand)
        prefetchRows(instruction, depth + 1, operand,
                     at[operand] + rowsAhead * level.strides[operand]);
    runLevel(instruction, depth + 1, at, 0,
             instruction.nest.levels[depth + 1].size);
  }
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

namespace {
/// A block: what neighbours in a column of it are in a row of the source.
struct Block {
  const char *from;
  char *to;
  int64_t fromRow, toRow, rows, columns;
};
} // namespace

/// Moves bits, or widens bf16 to f32.
template <typename From, typename To>
static void transposeNeighbours(const Block &block) {
  constexpr unsigned shift = 8 * (sizeof(To) - sizeof(From));
  for (int64_t row = 0; row < block.rows; ++row) {
    const char *from = block.from + row * sizeof(From);
    char *to = block.to + row * block.toRow;
    for (int64_t column = 0; column < block.columns; ++column) {
      From value;
      std::memcpy(&value, from + column * block.fromRow, sizeof value);
      To moved = To(To(value) << shift);
      std::memcpy(to + column * sizeof moved, &moved, sizeof moved);
    }
  }
}

using TransposeBlock = void (*)(const Block &);

/// Null if neighbours are not moved like that.
static TransposeBlock findTranspose(const PreparedInstruction &instruction) {
  auto levels = ArrayRef(instruction.nest.levels).take_back(2);
  ElementType from = instruction.operands[0].access->type,
              to = instruction.write().access->type;
  if (levels[0].strides[0] != byteSize(from) ||
      levels[1].strides[1] != byteSize(to))
    return nullptr;
  if (from == ElementType::BF16 && to == ElementType::F32)
    return transposeNeighbours<uint16_t, uint32_t>;
  if (from == to && byteSize(to) == 2)
    return transposeNeighbours<uint16_t, uint16_t>;
  if (from == to && byteSize(to) == 4)
    return transposeNeighbours<uint32_t, uint32_t>;
  return nullptr;
}

/// Square blocks, so that both sides stay in cache.
static void runTranspose(const PreparedInstruction &instruction, size_t depth,
                         const OperandPointers &at, int64_t begin,
                         int64_t end) {
  constexpr int64_t size = 32;
  const ElementNest::Level &outer = instruction.nest.levels[depth];
  const ElementNest::Level &inner = instruction.nest.levels[depth + 1];
  if (depth + 2 < instruction.nest.levels.size()) {
    for (int64_t i = begin; i < end; ++i) {
      OperandPointers first = at;
      for (int operand : {0, 1})
        first[operand] += i * outer.strides[operand];
      runTranspose(instruction, depth + 1, first, 0, inner.size);
    }
    return;
  }
  TransposeBlock transpose = findTranspose(instruction);
  for (int64_t i = begin; i < end; i += size)
    for (int64_t j = 0; j < inner.size; j += size) {
      int64_t rows = std::min(size, end - i),
              columns = std::min(size, inner.size - j);
      OperandPointers first = at;
      for (int operand : {0, 1})
        first[operand] +=
            i * outer.strides[operand] + j * inner.strides[operand];
      if (transpose) {
        transpose({first[0], first[1], inner.strides[0], outer.strides[1], rows,
                   columns});
        continue;
      }
      for (int64_t row = 0; row < rows; ++row) {
        runRow(instruction, first, {columns, inner.strides});
        for (int operand : {0, 1})
          first[operand] += outer.strides[operand];
      }
    }
}

void mlir::trn::runElementwise(const PreparedInstruction &instruction,
                               const OperandPointers &operands, int64_t begin,
                               int64_t end) {
  switch (instruction.source->semantics) {
  case Semantics::Transpose:
    return runTranspose(instruction, 0, operands, begin, end);
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
