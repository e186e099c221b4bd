//===- LateLoads.cpp - Loads that are not executed yet --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LateLoads.h"

#include "RecentTiles.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using llvm::ArrayRef;

/// A load is executed when products read more than so many times what it wrote,
/// and all later ones of its instruction are executed at once. From then on a
/// copy costs less than rows that are a page or more apart.
static constexpr int64_t maxReads = 2;

/// The buffers in SBUF that no instruction but a product reads.
static std::vector<bool> findMultiplied(const Program &program) {
  std::vector<bool> isMultiplied(program.buffers.size(), false),
      isReadElse(program.buffers.size(), false);
  for (const Instruction &instruction : program.instructions)
    for (const Access &read : instruction.reads) {
      bool isProduct = instruction.semantics == Semantics::Matmul;
      (isProduct ? isMultiplied : isReadElse)[read.buffer] = true;
    }
  for (auto [index, buffer] : llvm::enumerate(program.buffers))
    if (buffer.space != Space::Sbuf || isReadElse[index])
      isMultiplied[index] = false;
  return isMultiplied;
}

/// Whether each partition gets runs of neighbours, one behind the other, gaps
/// or none between them.
static bool movesRuns(const PreparedInstruction &load, int64_t pitch) {
  ArrayRef<ElementNest::Level> levels = load.nest.levels;
  if (levels.size() < 2 || levels[0].size != load.write().partitions ||
      levels[0].strides[1] != pitch)
    return false;
  int64_t size = byteSize(load.write().access->type), bytes = size;
  if (levels.back().strides[0] != size || levels.back().strides[1] != size)
    return false;
  for (const ElementNest::Level &level : llvm::reverse(levels.drop_front())) {
    if (level.strides[1] < bytes)
      return false;
    bytes = level.size * level.strides[1];
  }
  return true;
}

void LateLoads::prepare(const Program &program,
                        ArrayRef<PreparedInstruction> prepared,
                        const Memory &memory, bool copiesTiles) {
  this->copiesTiles = copiesTiles;
  std::vector<bool> isMultiplied = findMultiplied(program);
  firstInstruction = prepared.data();
  loads.resize(program.buffers.size());
  late.resize(prepared.size());
  isReadAgain.resize(prepared.size());
  for (auto [index, load] : llvm::enumerate(prepared))
    late[index] = load.error.empty() && !load.isEmpty && !load.hasIntegers &&
                  load.source->semantics == Semantics::Copy &&
                  load.operands[0].access->type == load.write().access->type &&
                  isMultiplied[load.write().access->buffer] &&
                  memory.isConstant(load.operands[0].access->buffer) &&
                  movesRuns(load, memory.pitches().sbuf);
  if (!llvm::is_contained(late, true))
    late.clear();
}

/// Where the rows of a tile are that lies in one run of `load`.
static std::optional<LateLoads::Rows> findRows(const LateLoads::Load &load,
                                               const Region &tile) {
  if (!load.written.contains(tile))
    return std::nullopt;
  ArrayRef<ElementNest::Level> levels = load.item.instruction->nest.levels;
  LateLoads::Rows rows = {load.item.operands[0], levels[0].strides[0]};
  rows.first += (tile.p0 - load.written.p0) * rows.stride;
  int64_t offset = tile.lo - load.written.lo;
  for (const ElementNest::Level &level : levels.drop_front().drop_back()) {
    rows.first += offset / level.strides[1] * level.strides[0];
    offset %= level.strides[1];
  }
  const ElementNest::Level &run = levels.back();
  if (offset + tile.hi - tile.lo > run.size * run.strides[1])
    return std::nullopt;
  rows.first += offset;
  return rows;
}

bool LateLoads::isRecent(const char *first) {
  auto found = llvm::find(recent, first);
  bool isFound = found != recent.end();
  if (isFound)
    recent.erase(found);
  else if (recent.size() == RecentTiles::count)
    recent.pop_back();
  recent.insert(recent.begin(), first);
  return isFound;
}

std::optional<LateLoads::Rows> LateLoads::find(const Region &tile) {
  if (late.empty())
    return std::nullopt;
  for (Load &load : loads[tile.buffer]) {
    std::optional<Rows> rows = findRows(load, tile);
    if (!rows)
      continue;
    size_t index = load.item.instruction - firstInstruction;
    if (copiesTiles && RecentTiles::isWorthCopying(rows->stride) &&
        isRecent(rows->first)) {
      isReadAgain[index] = true;
    } else {
      if (load.bytesRead >= maxReads * (load.written.hi - load.written.lo)) {
        late[index] = false;
        return std::nullopt;
      }
      load.bytesRead += tile.hi - tile.lo;
    }
    rows->isReadAgain = isReadAgain[index];
    return rows;
  }
  return std::nullopt;
}

std::optional<LateLoads::Load> LateLoads::take(const Region &region) {
  if (late.empty())
    return std::nullopt;
  auto &ofBuffer = loads[region.buffer];
  auto found = llvm::find_if(ofBuffer, [&](const Load &load) {
    return load.written.overlaps(region);
  });
  if (found == ofBuffer.end())
    return std::nullopt;
  Load load = *found;
  ofBuffer.erase(found);
  return load;
}
