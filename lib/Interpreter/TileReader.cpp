//===- TileReader.cpp - Where products read their tiles -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//===----------------------------------------------------------------------===//

#include "TileReader.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

TileProduct TileReader::describe(const PreparedInstruction &prepared,
                                 const TileBlock &block) const {
  const auto &[stationary, moving, result] = block.matrices;
  auto layOut = [&](size_t index) {
    if (prepared.isWidened[index])
      return widened->layout();
    ElementType type = prepared.operands[index].access->type;
    return TileLayout{type, memory.pitches().sbuf / byteSize(type),
                      block.matrices[index].columnStride};
  };
  return {stationary.rows, stationary.columns,
          moving.columns,  layOut(0),
          layOut(1),       memory.pitches().psum / byteSize(ElementType::F32)};
}

void TileReader::planProduct(PreparedInstruction &prepared) {
  for (TileBlock &block : prepared.blocks)
    block.plan = math.plan(describe(prepared, block));
  // Tiles with gaps are widened for each product.
  if (prepared.blocks.size() != 1 ||
      math.isDirect(prepared.blocks.front().plan))
    return;
  TileBlock &block = prepared.blocks.front();
  TileProduct product = describe(prepared, block);
  if (!widened)
    widened.emplace(machine);
  prepared.isWidened = {widened->keeps(product.stationary),
                        widened->keeps(product.moving)};
  block.plan = math.plan(describe(prepared, block));
}

/// Executes the late loads that wrote some of `region`.
void TileReader::load(const Region &region, TaskGraph &graph) {
  while (std::optional<LateLoads::Load> load = lateLoads.take(region))
    graph.add(load->item, {}, load->written);
}

void TileReader::loadOperands(const PreparedInstruction &prepared,
                              const LocatedOperands &operands,
                              TaskGraph &graph) {
  size_t reads = prepared.reads().size();
  bool isCopy = prepared.source->semantics == Semantics::Copy;
  for (size_t i = prepared.isProduct() ? reads : 0;
       i < prepared.operands.size(); ++i) {
    const Region &region = operands.located[i].region;
    if (i >= reads && isCopy && prepared.operands[i].isDense())
      lateLoads.drop(region);
    load(region, graph);
  }
}

/// The rows of operand `index` of a product, if a late load wrote them and
/// they can be multiplied where they are. Otherwise the load is executed.
std::optional<LateLoads::Rows>
TileReader::findLate(const PreparedInstruction &prepared, size_t index,
                     const Region &tile, TaskGraph &graph) {
  const TileBlock &block = prepared.blocks.front();
  const MatrixLayout &matrix = block.matrices[index];
  int64_t size = byteSize(prepared.operands[index].access->type);
  if (prepared.blocks.size() == 1 && prepared.operands[index].isDense() &&
      matrix.columnStride == 1)
    if (std::optional<LateLoads::Rows> rows = lateLoads.find(tile))
      if (rows->stride % size == 0 && rows->stride >= matrix.columns * size)
        return rows;
  load(tile, graph);
  return std::nullopt;
}

int32_t TileReader::planLate(PreparedInstruction &prepared,
                             std::array<int64_t, 2> rows, TaskGraph &graph) {
  for (const PreparedInstruction::LatePlan &known : prepared.latePlans)
    if (known.rows == rows)
      return known.plan;
  TileProduct product = describe(prepared, prepared.blocks.front());
  for (auto [index, operand] :
       llvm::enumerate(std::array{&product.stationary, &product.moving}))
    if (rows[index])
      operand->row = rows[index];
  // Nobody executes while something is planned.
  graph.finish();
  prepared.latePlans.push_back({rows, math.plan(product)});
  return prepared.latePlans.back().plan;
}

void TileReader::locate(PreparedInstruction &prepared,
                        LocatedOperands &operands, WorkItem &item,
                        TaskGraph &graph) {
  std::array<int64_t, 2> rows{};
  for (auto [index, isWidened] : llvm::enumerate(prepared.isWidened)) {
    Region tile = operands.located[index].region;
    Region image = tile;
    image.buffer += int32_t(program.buffers.size());
    if (isWidened && !widened->refresh(tile)) {
      item.operands[index] = widened->locate(tile);
      operands.reads.push_back(image);
      continue;
    }
    int64_t stride = memory.pitches().sbuf;
    if (std::optional<LateLoads::Rows> late =
            findLate(prepared, index, tile, graph)) {
      item.operands[index] = const_cast<char *>(late->first);
      stride = late->stride;
      if (late->isReadAgain && !isWidened) {
        item.copiedStride[index] = stride;
        stride = RecentTiles::pitchOf(prepared.operands[index].runBytes);
      }
      rows[index] = stride / byteSize(prepared.operands[index].access->type);
    }
    if (!isWidened)
      continue;
    item.narrow[index] = item.operands[index];
    item.narrowStride[index] = stride;
    item.operands[index] = widened->locate(tile);
    rows[index] = 0;
    operands.writes.push_back(image);
  }
  if (rows[0] || rows[1])
    item.plan = planLate(prepared, rows, graph);
}

bool TileReader::delay(const WorkItem &item, const LocatedOperands &operands) {
  bool isLate = lateLoads.isLate(*item.instruction);
  if (isLate)
    lateLoads.add(item, operands.located[1].region);
  return isLate;
}

void TileReader::allocate(const Region &region, Space space) {
  if (space == Space::Sbuf)
    invalidate(region);
  lateLoads.drop(region);
}

void TileReader::multiply(const WorkItem &item, unsigned thread) {
  for (auto [index, narrow] : llvm::enumerate(item.narrow))
    if (narrow)
      widened->widen(item.instruction->operands[index],
                     item.narrowStride[index], narrow, item.operands[index]);
  std::array<const char *, 2> reads = {item.operands[0], item.operands[1]};
  for (auto [index, stride] : llvm::enumerate(item.copiedStride))
    if (stride) {
      const OperandLayout &tile = item.instruction->operands[index];
      reads[index] = recent[thread].take(reads[index], stride, tile.partitions,
                                         tile.runBytes);
    }
  for (const TileBlock &block : item.instruction->blocks) {
    const auto &[stationary, moving, result] = block.matrices;
    char *to = item.operands[2] + result.offset;
    int32_t plan = item.plan < 0 ? block.plan : item.plan;
    math.execute(plan, thread, reads[0] + stationary.offset,
                 reads[1] + moving.offset, reinterpret_cast<float *>(to),
                 item.accumulate);
  }
}
