//===- WholePartitions.cpp - Partitions as a whole ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "LayoutParts.h"
#include "PartitionFunctions.h"
#include "Rows.h"

#include <algorithm>

using namespace mlir::trn;

/// Visits the elements of one partition in rows of at most a chunk: where each
/// begins, its stride, and its size.
template <typename Visit>
static void forEachRow(llvm::ArrayRef<Access::Dim> dims, char *at,
                       Visit &visit) {
  if (dims.size() > 1) {
    for (int64_t i = 0; i < dims.front().size; ++i)
      forEachRow(dims.drop_front(), at + i * dims.front().stride, visit);
    return;
  }
  Access::Dim row = dims.empty() ? Access::Dim{1, 0} : dims.front();
  for (int64_t begin = 0; begin < row.size; begin += chunk)
    visit(at + begin * row.stride, row.stride,
          std::min(chunk, row.size - begin));
}

static void gather(const OperandLayout &operand, char *at,
                   std::vector<float> &values) {
  values.resize(freeElements(operand));
  float *to = values.data();
  auto load = [&](const char *from, int64_t stride, int64_t count) {
    loadRow(operand.access->type, from, stride, to, count);
    to += count;
  };
  forEachRow(freeDims(operand), at, load);
}

static void scatter(const OperandLayout &operand, char *at,
                    const std::vector<float> &values) {
  const float *from = values.data();
  auto store = [&](char *to, int64_t stride, int64_t count) {
    storeRow(operand.access->type, from, to, stride, count);
    from += count;
  };
  forEachRow(freeDims(operand), at, store);
}

void mlir::trn::runPartitionFunction(const PreparedInstruction &instruction,
                                     const OperandPointers &operands,
                                     int64_t begin, int64_t end) {
  const Instruction &source = *instruction.source;
  const ElementNest::Level &partitions = instruction.nest.levels[0];
  size_t reads = source.reads.size();
  PartitionValues values(reads), results(source.writes.size());
  for (int64_t i = begin; i < end; ++i) {
    auto at = [&](size_t operand) {
      return operands[operand] + i * partitions.strides[operand];
    };
    for (size_t read = 0; read < reads; ++read)
      gather(instruction.operands[read], at(read), values[read]);
    for (size_t write = 0; write < results.size(); ++write)
      results[write].resize(freeElements(instruction.writes()[write]));
    compute(*source.partitionFunction, values, source.parameters, results);
    for (size_t write = 0; write < results.size(); ++write)
      scatter(instruction.writes()[write], at(reads + write), results[write]);
  }
}

void mlir::trn::runShuffle(const PreparedInstruction &instruction,
                           const OperandPointers &operands) {
  const ElementNest::Level &partitions = instruction.nest.levels[0];
  llvm::ArrayRef<float> sources = instruction.source->parameters;
  size_t write = instruction.source->reads.size();
  // All of it first: a tile may be exchanged in place.
  std::vector<std::vector<float>> rows(instruction.operands[0].partitions);
  for (int64_t i = 0, e = int64_t(rows.size()); i < e; ++i)
    gather(instruction.operands[0], operands[0] + i * partitions.strides[0],
           rows[i]);
  int64_t quadrant = int64_t(sources.size());
  for (int64_t i = 0; i < partitions.size; ++i) {
    int64_t from = int64_t(sources[i % quadrant]);
    if (from >= 0)
      scatter(instruction.write(),
              operands[write] + i * partitions.strides[write],
              rows[i / quadrant * quadrant + from]);
  }
}
