//===- ByPartition.cpp - Folds, scans and counts of partitions ------------===//
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

namespace {
class PartitionRunner {
public:
  PartitionRunner(const PreparedInstruction &instruction)
      : instruction(instruction), source(*instruction.source),
        levels(instruction.nest.levels), reads(source.reads.size()) {}

  void run(const OperandPointers &operands, int64_t begin, int64_t end);

private:
  void runPartition(const OperandPointers &at, int64_t partition);
  void runLevel(size_t depth, OperandPointers at, double count);
  void runRow(const ElementNest::Level &row, const OperandPointers &at,
              double count);
  /// What the row does with one chunk from element `begin` on.
  const float *compute(int64_t begin, int64_t size, double count);
  const float *scan(int64_t size);
  void reduce(size_t depth, OperandPointers at);
  void foldLevels(size_t depth, const char *at);
  void fold(const float *values, int64_t count);

  double stepOf(size_t depth) const {
    return isIota() ? source.parameters[depth + 1] : 0;
  }
  bool isIota() const { return source.semantics == Semantics::Iota; }
  ElementType typeOf(size_t operand) const {
    return instruction.operands[operand].access->type;
  }
  void advance(OperandPointers &at, size_t depth, int64_t steps) const {
    for (size_t i = 0; i < instruction.operands.size(); ++i)
      at[i] += steps * levels[depth].strides[i];
  }

  const PreparedInstruction &instruction;
  const Instruction &source;
  llvm::ArrayRef<ElementNest::Level> levels;
  const size_t reads;
  RowBuffers buffers;
  /// Of the partition: the fold, and whether it has a value; the last result of
  /// a scan.
  float folded = 0;
  bool isFirst = true;
  float state = 0;
};
} // namespace

void PartitionRunner::run(const OperandPointers &operands, int64_t begin,
                          int64_t end) {
  OperandPointers at = operands;
  advance(at, 0, begin);
  for (int64_t i = begin; i < end; ++i, advance(at, 0, 1))
    runPartition(at, i);
}

void PartitionRunner::runPartition(const OperandPointers &at,
                                   int64_t partition) {
  if (source.semantics == Semantics::Reduce)
    return reduce(1, at);
  isFirst = !source.fold || !source.fold->accumulates;
  if (!isFirst)
    loadFloats(typeOf(reads - 1), at[reads - 1], &folded, 1);
  if (source.semantics == Semantics::Scan) {
    bool isRead = source.formula.front().second == Source::Read;
    if (isRead)
      loadFloats(typeOf(1), at[1], &state, 1);
    else
      state = source.parameters.front();
  }
  // Only the sum has to be exact in f32: its parts may be larger.
  double count = isIota() ? source.parameters[0] + partition * stepOf(0) : 0;
  runLevel(1, at, count);
  if (source.fold)
    storeFloats(typeOf(reads + 1), &folded, at[reads + 1], 1);
}

void PartitionRunner::runLevel(size_t depth, OperandPointers at, double count) {
  const ElementNest::Level &level = levels[depth];
  if (depth + 1 == levels.size())
    return runRow(level, at, count);
  for (int64_t i = 0; i < level.size; ++i, advance(at, depth, 1))
    runLevel(depth + 1, at, count + double(i) * stepOf(depth));
}

void PartitionRunner::runRow(const ElementNest::Level &row,
                             const OperandPointers &at, double count) {
  for (int64_t begin = 0; begin < row.size; begin += chunk) {
    int64_t size = std::min(chunk, row.size - begin);
    for (size_t i = 0; i < reads; ++i)
      loadRow(typeOf(i), at[i] + begin * row.strides[i], row.strides[i],
              buffers.reads[i], size);
    const float *result = compute(begin, size, count);
    storeRow(typeOf(reads), result, at[reads] + begin * row.strides[reads],
             row.strides[reads], size);
    if (source.fold)
      fold(result, size);
  }
}

const float *PartitionRunner::compute(int64_t begin, int64_t size,
                                      double count) {
  if (source.semantics == Semantics::Scan)
    return scan(size);
  if (!isIota())
    return computeRow(instruction, buffers.reads[0], buffers, size);
  double step = levels.size() > source.writes[0].dims.size()
                    ? 0 // a partition alone
                    : stepOf(levels.size() - 1);
  float *counted = buffers.results[1]; // steps begin with the other one
  for (int64_t i = 0; i < size; ++i)
    counted[i] = float(count + double(begin + i) * step);
  return computeRow(instruction, counted, buffers, size);
}

/// Each result is the second value of the first step of the next one.
const float *PartitionRunner::scan(int64_t size) {
  llvm::ArrayRef<float> parameters = source.parameters;
  for (int64_t i = 0; i < size; ++i) {
    float x = buffers.reads[0][i];
    for (const RowStep &step : instruction.steps) {
      const float *inputs[] = {&x, &buffers.reads[step.firstRead][i],
                               &buffers.reads[step.firstRead + 1][i]};
      if (&step == instruction.steps.begin())
        inputs[1] = &state;
      float result;
      step.function(inputs, &result, 1,
                    parameters.drop_front(step.firstParameter));
      x = result;
    }
    buffers.results[0][i] = state = x;
  }
  return buffers.results[0];
}

void PartitionRunner::reduce(size_t depth, OperandPointers at) {
  if (depth < instruction.foldDepth) {
    for (int64_t i = 0; i < levels[depth].size; ++i, advance(at, depth, 1))
      reduce(depth + 1, at);
    return;
  }
  isFirst = true;
  foldLevels(depth, at[0]);
  const float *result = computeRow(instruction, &folded, buffers, 1);
  storeFloats(typeOf(1), result, at[1], 1);
}

void PartitionRunner::foldLevels(size_t depth, const char *at) {
  const ElementNest::Level &level = levels[depth];
  int64_t stride = level.strides[0];
  if (depth + 1 < levels.size()) {
    for (int64_t i = 0; i < level.size; ++i)
      foldLevels(depth + 1, at + i * stride);
    return;
  }
  for (int64_t begin = 0; begin < level.size; begin += chunk) {
    int64_t size = std::min(chunk, level.size - begin);
    loadRow(typeOf(0), at + begin * stride, stride, buffers.reads[0], size);
    fold(buffers.reads[0], size);
  }
}

/// The first value of all starts the fold.
void PartitionRunner::fold(const float *values, int64_t count) {
  if (isFirst)
    folded = values[0];
  const float *rest = values + isFirst;
  instruction.foldRow(&rest, &folded, count - isFirst, {});
  isFirst = false;
}

void mlir::trn::runByPartition(const PreparedInstruction &instruction,
                               const OperandPointers &operands, int64_t begin,
                               int64_t end) {
  PartitionRunner(instruction).run(operands, begin, end);
}
