//===- RowsMoved.cpp - Rows that a tile chooses ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowsMoved.h"

#include "Integers.h"
#include "Kernels.h"
#include "LayoutParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <tuple>

using namespace mlir::trn;
using llvm::formatv;

/// Whether one index chooses what all partitions of the tile are.
static bool isBlock(const PreparedInstruction &prepared) {
  const OperandLayout &tile = prepared.operands[2 - tableOf(prepared)];
  return prepared.operands[tableOf(prepared)].access->dims.size() ==
         tile.access->dims.size() + 1;
}

static std::string checkOperands(const PreparedInstruction &prepared) {
  const OperandLayout &table = prepared.operands[tableOf(prepared)];
  const OperandLayout &tile = prepared.operands[2 - tableOf(prepared)];
  const OperandLayout &indices = prepared.operands[1];
  if (isOnChip(table) || table.access->dims.empty())
    return "has no rows in HBM";
  if ((tile.buffer->space != Space::Sbuf &&
       (isOnChip(tile) || !isBlock(prepared))) ||
      indices.buffer->space != Space::Sbuf)
    return "has an operand outside of SBUF";
  if (!isInteger(indices.access->type))
    return "has indices of " + stringify(indices.access->type).str();
  int64_t count = isBlock(prepared) ? 1 : tile.partitions;
  if (indices.partitions != count || freeElements(indices) != 1)
    return "has " + describeSizes(*indices.access) + " indices for " +
           std::to_string(tile.partitions) + " partitions";
  return "";
}

std::string mlir::trn::prepareRows(PreparedInstruction &prepared,
                                   const Pitches &pitches) {
  if (std::string error = checkOperands(prepared); !error.empty())
    return error;
  const OperandLayout &table = prepared.operands[tableOf(prepared)];
  const OperandLayout &tile = prepared.operands[2 - tableOf(prepared)];
  Dims row;
  for (const Access::Dim &dim : llvm::ArrayRef(table.access->dims).drop_front())
    if (dim.size != 1)
      row.push_back({dim.size, dim.stride * byteSize(table.access->type)});
  Dims own = isBlock(prepared) ? byteDims(tile, pitches) : freeDims(tile);
  // The source comes first.
  llvm::SmallVector<Dims, 4> both = {row, own};
  if (prepared.source->semantics == Semantics::Scatter)
    std::swap(both[0], both[1]);
  if (!buildNest(both, prepared.nest))
    return "moves rows of " + describeSizes(*table.access) + " to or from " +
           describeSizes(*tile.access);
  prepared.row.access = table.access;
  prepared.row.buffer = table.buffer;
  layOutRuns(std::move(row), prepared.row);
  return "";
}

Memory::Located RowsMoved::locateRow(int64_t row) const {
  Memory::Located found = located[tableOf(instruction)];
  int64_t bytes = row * table().access->dims.front().stride *
                  byteSize(table().access->type);
  found.start += bytes;
  found.pointer += bytes;
  return found;
}

Memory::Located RowsMoved::locateTile(int64_t partition) const {
  size_t operand = 2 - tableOf(instruction);
  return isBlock(instruction) ? located[operand]
                              : locatePartition(operand, partition);
}

Memory::Located RowsMoved::locatePartition(size_t operand,
                                           int64_t partition) const {
  Memory::Located found = located[operand];
  found.region.p0 += partition;
  found.region.p1 = found.region.p0 + 1;
  found.pointer += partition * memory.pitches().sbuf;
  return found;
}

std::optional<Fault> RowsMoved::choose() {
  int64_t rows = table().access->dims.front().size;
  int64_t count = instruction.operands[1].partitions;
  for (int64_t partition = 0; partition < count; ++partition) {
    int64_t row = loadInteger(instruction.operands[1].access->type,
                              locatePartition(1, partition).pointer);
    if (row >= 0 && row < rows)
      pairs.push_back({partition, row});
    else if (!instruction.source->skipsMissing)
      return Fault{
          "indirect_c1",
          -1,
          formatv("has index {0} for partition {1}, but there are {2} rows, 0 "
                  "to {3}; correct it, or let the transfer skip what is not "
                  "there",
                  row, partition, rows, rows - 1),
          {{table().buffer->op, "this buffer"}}};
  }
  bool isScatter = instruction.source->semantics == Semantics::Scatter;
  return isScatter ? checkOnce() : std::nullopt;
}

std::optional<Fault> RowsMoved::checkOnce() const {
  struct Run {
    int64_t lo, hi;
    Pair pair;
  };
  std::vector<Run> runs;
  for (const Pair &pair : pairs) {
    int64_t start = locateRow(pair.row).start;
    instruction.row.forEachRun([&](int64_t lo, int64_t hi) {
      runs.push_back({start + lo, start + hi, pair});
      return false;
    });
  }
  llvm::sort(runs, [](const Run &a, const Run &b) {
    return std::tie(a.lo, a.pair.partition) < std::tie(b.lo, b.pair.partition);
  });
  for (size_t i = 1; i < runs.size(); ++i) {
    auto [first, second] =
        std::minmax({runs[i - 1].pair, runs[i].pair},
                    [](Pair a, Pair b) { return a.partition < b.partition; });
    if (runs[i].lo < runs[i - 1].hi)
      return Fault{
          "indirect_c2",
          -1,
          formatv("writes an element of rows {0} and {1} from both partition "
                  "{2} and {3}, in an undefined order; give each row "
                  "to one partition",
                  first.row, second.row, first.partition, second.partition),
          {{table().buffer->op, "this buffer"}}};
  }
  return std::nullopt;
}

std::optional<WrittenMap::Position> RowsMoved::findHole() const {
  if (instruction.source->semantics == Semantics::Gather)
    for (const Pair &pair : pairs)
      if (auto hole = memory.findHole(instruction.row, locateRow(pair.row)))
        return hole;
  return std::nullopt;
}

std::optional<Fault> RowsMoved::move() {
  bool isGather = instruction.source->semantics == Semantics::Gather;
  bool converts = table().access->type != tile().access->type;
  for (const Pair &pair : pairs) {
    Memory::Located row = locateRow(pair.row), own = locateTile(pair.partition);
    const OperandLayout *from = &instruction.row, *to = &tile();
    const Memory::Located *fromAt = &row, *toAt = &own;
    if (!isGather) {
      std::swap(from, to);
      std::swap(fromAt, toAt);
    }
    if (converts)
      if (auto fault = checkIntegers(*from, *fromAt, memory.pitches(), "reads"))
        return fault;
    memory.shared.read(*from, fromAt->start);
    memory.markWritten(*to, *toAt);
    runElementwise(instruction, {fromAt->pointer, toAt->pointer}, 0,
                   instruction.nest.levels.front().size);
    if (converts)
      if (auto fault = checkIntegers(*to, *toAt, memory.pitches(), "leaves"))
        return fault;
  }
  return std::nullopt;
}
