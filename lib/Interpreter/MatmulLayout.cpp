//===- MatmulLayout.cpp - Products as products of matrices ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutParts.h"

#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::trn;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// The free elements of an operand in order: runs of evenly strided ones.
struct Runs {
  /// Where each begins, in bytes.
  SmallVector<int64_t, 4> offsets = {0};
  int64_t length = 1;
  /// In bytes.
  int64_t stride;

  int64_t count() const { return int64_t(offsets.size()) * length; }
  int64_t offsetOf(int64_t element) const {
    return offsets[element / length] + element % length * stride;
  }
};
} // namespace

static Runs findRuns(const OperandLayout &operand) {
  Dims dims = freeDims(operand);
  coalesce(dims);
  Runs runs;
  runs.stride = byteSize(operand.access->type);
  if (!dims.empty()) {
    Access::Dim last = dims.pop_back_val();
    runs.length = last.size;
    runs.stride = last.stride;
  }
  for (const Access::Dim &dim : dims) {
    SmallVector<int64_t, 4> next;
    for (int64_t offset : runs.offsets)
      for (int64_t i = 0; i < dim.size; ++i)
        next.push_back(offset + i * dim.stride);
    runs.offsets = std::move(next);
  }
  return runs;
}

static Runs cutIntoElements(const Runs &runs) {
  Runs cut;
  cut.offsets.clear();
  cut.stride = runs.stride;
  for (int64_t i = 0; i < runs.count(); ++i)
    cut.offsets.push_back(runs.offsetOf(i));
  return cut;
}

static MatrixLayout matrixOf(const OperandLayout &operand, const Runs &runs,
                             int64_t rows, int64_t first, int64_t columns) {
  return {rows, columns, runs.stride / byteSize(operand.access->type),
          runs.offsetOf(first)};
}

std::string mlir::trn::prepareMatmul(PreparedInstruction &prepared,
                                     const Pitches &pitches) {
  const OperandLayout &stationary = prepared.operands[0];
  const OperandLayout &moving = prepared.operands[1];
  const OperandLayout &write = prepared.write();
  for (const OperandLayout &operand : prepared.operands)
    if (!isOnChip(operand))
      return "has an operand in HBM";
  if (write.access->type != ElementType::F32 ||
      write.buffer->space != Space::Psum)
    return "must write f32 values to PSUM";
  for (const OperandLayout &read : prepared.reads())
    if (read.buffer->space != Space::Sbuf)
      return "must read both operands from SBUF";
  if (stationary.partitions != moving.partitions)
    return "contracts " + std::to_string(stationary.partitions) + " with " +
           std::to_string(moving.partitions) + " partitions";
  Runs m = findRuns(stationary), n = findRuns(moving), result = findRuns(write);
  if (m.count() != write.partitions || n.count() != result.count())
    return "yields " + std::to_string(m.count()) + "x" +
           std::to_string(n.count()) + " elements, but writes " +
           describeSizes(*write.access);
  // The columns of a product lie side by side.
  int64_t size = byteSize(write.access->type);
  if (result.stride != size && result.length > 1)
    result = cutIntoElements(result);
  int64_t columns = std::gcd(n.length, result.length);
  for (int64_t row = 0; row < m.count(); row += m.length)
    for (int64_t column = 0; column < n.count(); column += columns) {
      TileBlock &block = prepared.blocks.emplace_back();
      block.matrices = {
          matrixOf(stationary, m, stationary.partitions, row, m.length),
          matrixOf(moving, n, moving.partitions, column, columns),
          matrixOf(write, result, m.length, column, columns)};
      block.matrices[2].offset += row * pitches.psum;
    }
  return "";
}
