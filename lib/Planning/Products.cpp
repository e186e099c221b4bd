//===- Products.cpp - Products of tiles, in banks of PSUM -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Products.h"

#include "trn/Machine/Machine.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::SmallVector<BlockView, 2> Products::sumUp(unsigned nest,
                                                const Extents &tile,
                                                int64_t rows, int64_t columns) {
  llvm::SmallVector<BlockView, 2> banks = homes.openBanks(nest, rows, columns);
  sumUpIn(nest, tile, banks);
  return banks;
}

void Products::sumUpIn(unsigned nest, const Extents &tile,
                       llvm::ArrayRef<BlockView> banks) {
  overContraction(
      nest, tile, tile,
      [&](const Term &term, const Extents &piece, const LinearExpr &index) {
        multiply(nest, term, piece, banks[term.sum], index);
      });
  addMask(nest, tile, banks);
}

void Products::sumUpRows(unsigned nest, const Extents &block, int64_t first,
                         int64_t step, llvm::ArrayRef<BlockView> banks) {
  overContraction(
      nest, block, block,
      [&](const Term &term, const Extents &piece, const LinearExpr &index) {
        BlockView stationary = homes.operand(term.left, nest, piece, term.over);
        BlockView moving = homes.operand(term.right, nest, piece, term.over);
        moving.columns +=
            graph.findBeside(stageOf(nest), term.right) != nullptr;
        auto multiplyPart = [&](int64_t begin, int64_t size,
                                const LinearExpr &from) {
          BlockView part = partOf(
              stationary, {0, stationary.rows, begin + first, size / step});
          part.columnStep *= step;
          emit->multiply(part, moving,
                         partOf(banks[term.sum],
                                {begin / step, size / step, 0, moving.columns}),
                         from);
        };
        if (!masks.leavesOut)
          return multiplyPart(0, stationary.columns, index);
        // Rows of a window do not begin at once: each part of a tile has sums
        // of its own.
        for (const LiveRun &run : masks.runsOfProduct(piece, false)) {
          int64_t size = masks.isWindow() ? machine.partitions : run.size;
          for (int64_t begin = 0; begin < run.size; begin += size)
            multiplyPart(run.begin + begin, std::min(size, run.size - begin),
                         run.isFirst ? 0 : 1);
        }
      });
}

void Products::addTo(const Home &home, const Extents &extents) {
  unsigned nest = home.nests.front();
  const Live &at = homes.liveOf(home);
  BlockView block = homes.blocks.inHbm(home.matrix, nest, extents);
  unsigned count = stageOf(nest).numProducts();
  int64_t height = machine.partitions, width = machine.movingFreeMax;
  llvm::ArrayRef<BlockView> banks = at.sums;
  for (int64_t row = 0; row < block.rows; row += height) {
    Tile line{row, std::min(height, block.rows - row), 0, block.columns};
    overContraction(
        nest, masks.liveIn(nest, within(line, nest, extents)),
        masks.liveIn(nest, within(line, nest, at.sumExtents)),
        [&](const Term &term, const Extents &part, const LinearExpr &index) {
          for (int64_t column = 0; column < block.columns; column += width) {
            const BlockView &bank = banks[column / width * count + term.sum];
            int64_t columns = std::min(width, block.columns - column);
            multiply(
                nest, term,
                cut(part, graph.matrices[home.matrix].columns, column, columns),
                bank, index);
          }
        });
    banks = banks.drop_front(llvm::divideCeil(block.columns, width) * count);
  }
}

void Products::overContraction(unsigned nest, const Extents &extents,
                               const Extents &sumExtents, TermBody body) {
  llvm::SmallVector<bool, 2> begun(stageOf(nest).numProducts(), false);
  for (const Term &term : stageOf(nest).terms) {
    if (graph.isBeside(stageOf(nest), term.right) || isBelow(nest, term))
      continue;
    bool first = !std::exchange(begun[term.sum], true);
    emit.overPieces(extents[term.over].size, machine.partitions,
                    [&](const LinearExpr &start, int64_t size) {
                      Extents part = cut(extents, term.over, start, size);
                      body(term, part,
                           first ? part[term.over].start -
                                       sumExtents[term.over].start
                                 : LinearExpr(1));
                    });
  }
}

/// One product for each bank of the sums in `tile`.
void Products::multiply(unsigned nest, const Term &term, const Extents &extents,
                        const BlockView &tile, const LinearExpr &index) {
  unsigned dim = graph.columnsIn(stageOf(nest));
  int64_t width = machine.movingFreeMax;
  for (int64_t column = 0; column < tile.columns; column += width) {
    int64_t columns = std::min(width, tile.columns - column);
    multiplyInBank(nest, term,
                   columns < tile.columns ? cut(extents, dim, column, columns)
                                          : extents,
                   partOf(tile, {0, tile.rows, column, columns}), index);
  }
}

void Products::multiplyInBank(unsigned nest, const Term &term,
                              const Extents &extents, const BlockView &bank,
                              const LinearExpr &index) {
  if (masks.cutsProduct(nest, term))
    return multiplyLive(nest, term, extents, bank,
                        /*hasBegun=*/index == LinearExpr(1));
  BlockView stationary = homes.operand(term.left, nest, extents, term.over);
  BlockView moving = homes.operand(term.right, nest, extents, term.over);
  for (const RowsBelow &each : homes.allRowsBelow())
    if (each.nest == nest && each.above == &term) {
      stationary.rows += graph.sizeOf(each.below->over);
      moving.rows += graph.sizeOf(each.below->over);
    }
  moving.columns += graph.findBeside(stageOf(nest), term.right) != nullptr;
  emit->multiply(stationary, moving,
                 partOf(bank, {0, bank.rows, 0, moving.columns}), index);
}

/// A product whose columns are the rows of the band, of which those are left
/// out that the mask hides.
void Products::multiplyLive(unsigned nest, const Term &term,
                            const Extents &extents, const BlockView &bank,
                            bool hasBegun) {
  unsigned dim = graph.columnsIn(stageOf(nest));
  for (const LiveRun &run : masks.runsOfProduct(extents, hasBegun)) {
    Extents part = cut(extents, dim, run.begin, run.size);
    emit->multiply(homes.operand(term.left, nest, part, term.over),
                   homes.operand(term.right, nest, part, term.over),
                   partOf(bank, {0, bank.rows, run.begin, run.size}),
                   run.isFirst ? 0 : 1);
  }
}

/// Whether another term of `nest` has the rows of this one below its own.
bool Products::isBelow(unsigned nest, const Term &term) const {
  return llvm::any_of(homes.allRowsBelow(), [&](const RowsBelow &each) {
    return each.nest == nest && each.below == &term;
  });
}

/// Adds a mask that is made on chip to sums in their bank, where it hides some
/// of a tile: a product with the unit matrix.
void Products::addMask(unsigned nest, const Extents &extents,
                       llvm::ArrayRef<BlockView> banks) {
  int64_t side = machine.partitions;
  unsigned dim = graph.columnsIn(stageOf(nest));
  for (int64_t begin = 0; begin < extents[dim].size; begin += side) {
    int64_t size = std::min(side, extents[dim].size - begin);
    Extents part = cut(extents, dim, begin, size);
    std::optional<unsigned> mask = masks.findCut(nest, part);
    if (!mask)
      continue;
    BlockView unit = homes.liveOf(*plan.homeOf(*mask, nest)).block;
    unit.row = unit.column = 0;
    const BlockView &bank = banks.front(); // of the only sum
    int64_t rows = bank.rows;
    emit->multiply(partOf(unit, {0, rows, 0, rows}),
                   homes.operand(*mask, nest, part),
                   partOf(bank, {0, rows, begin, size}), 1);
  }
}
