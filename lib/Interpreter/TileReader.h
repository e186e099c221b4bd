//===- TileReader.h - Where products read their tiles -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_TILEREADER_H
#define TRN_LIB_INTERPRETER_TILEREADER_H

#include "LateLoads.h"
#include "RecentTiles.h"
#include "TaskGraph.h"
#include "TileMath.h"
#include "WidenedSbuf.h"

namespace mlir::trn {

/// What an instruction touches.
struct LocatedOperands {
  std::array<Memory::Located, ElementNest::maxOperands> located;
  /// What other instructions may write; arguments that nobody writes are not
  /// worth following.
  llvm::SmallVector<Region, 4> reads;
  llvm::SmallVector<Region, 4> writes;
};

/// Multiplies tiles: in SBUF, in its image in f32, or where a load found them.
class TileReader {
public:
  TileReader(const Program &program, const Machine &machine,
             const Memory &memory, unsigned threads)
      : program(program), machine(machine), memory(memory), math(threads),
        recent(threads) {}

  void planProduct(PreparedInstruction &prepared);
  /// Loads that products alone read wait for these from now on.
  void delayLoads(llvm::ArrayRef<PreparedInstruction> prepared) {
    lateLoads.prepare(program, prepared, memory, TileMath::prefersNearRows());
  }
  /// Whether `item`, a load, waits.
  bool delay(const WorkItem &item, const LocatedOperands &operands);

  /// A buffer is allocated there, which has no values.
  void allocate(const Region &region, Space space);
  /// Something is written there in SBUF.
  void invalidate(const Region &region) {
    if (widened)
      widened->invalidate(region);
  }
  /// Executes the late loads of what an instruction touches. Products take care
  /// of what they read.
  void loadOperands(const PreparedInstruction &prepared,
                    const LocatedOperands &operands, TaskGraph &graph);
  /// Lets a product read its tiles where late loads found them, or in f32: the
  /// first one after a tile was written widens it.
  void locate(PreparedInstruction &prepared, LocatedOperands &operands,
              WorkItem &item, TaskGraph &graph);
  void multiply(const WorkItem &item, unsigned thread);

private:
  TileProduct describe(const PreparedInstruction &prepared,
                       const TileBlock &block) const;
  void load(const Region &region, TaskGraph &graph);
  std::optional<LateLoads::Rows> findLate(const PreparedInstruction &prepared,
                                          size_t index, const Region &tile,
                                          TaskGraph &graph);
  int32_t planLate(PreparedInstruction &prepared, std::array<int64_t, 2> rows,
                   TaskGraph &graph);

  const Program &program;
  const Machine &machine;
  const Memory &memory;
  TileMath math;
  /// If something has to be widened.
  std::optional<WidenedSbuf> widened;
  LateLoads lateLoads;
  /// By thread.
  std::vector<RecentTiles> recent;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_TILEREADER_H
