//===- WalkTiles.cpp - The tiles inside the loops of a plan ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Walker.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

void Walker::emitTiles(unsigned nest, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  visitor->enterStage(nest);
  if (stage.isTransposition())
    return emitTransposition(nest, extents);
  const Home &home = *plan.homeOf(stage.result, nest);
  if (addsUpPrevious(nest))
    return;
  if (stage.reducesAll())
    return emitReduction(nest, home, extents);
  if (stage.reduction)
    return emitGroups(nest, home, extents);
  if (home.sumsInPsum())
    return emitProductInBanks(nest, home, extents);
  emitProduct(nest, home, extents);
}

/// The part of a block that a tile of the result of `nest` stands for.
Extents Walker::within(const Tile &tile, unsigned nest,
                       const Extents &extents) const {
  const Matrix &result = graph.matrices[stageOf(nest).result];
  return cut(cut(extents, result.rows, tile.row, tile.rows), result.columns,
             tile.column, tile.columns);
}

/// A copy by the engine that the nest asks for.
void Walker::convert(unsigned nest, const BlockView &from,
                     const BlockView &to) {
  switch (plan.nests[nest].engine) {
  case RowEngine::Any:
    if (isStorage(graph.matrices[from.matrix].type))
      return widen(from, to);
    return visitor->convert(from, to, std::nullopt);
  case RowEngine::Vector:
    return visitor->convert(from, to, Engine::Vector);
  case RowEngine::Scalar:
    return copyOnScalar(from, to);
  }
}

void Walker::copyOnScalar(const BlockView &from, const BlockView &to) {
  visitor->activate(Function::Copy, from, {std::nullopt, 1}, {std::nullopt, 0},
                    to);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

void Walker::overContraction(unsigned nest, const Extents &extents,
                             const Extents &sumExtents, TermBody body) {
  llvm::SmallVector<bool, 2> begun(stageOf(nest).numProducts(), false);
  for (const Term &term : stageOf(nest).terms) {
    if (graph.isBeside(stageOf(nest), term.right) || isBelow(nest, term))
      continue;
    bool first = !std::exchange(begun[term.sum], true);
    overPieces(extents[term.over].size, machine.partitions,
               [&](const LinearExpr &start, int64_t size) {
                 Extents part = cut(extents, term.over, start, size);
                 body(term, part,
                      first
                          ? part[term.over].start - sumExtents[term.over].start
                          : LinearExpr(1));
               });
  }
}

/// One product for each bank of the sums in `tile`.
void Walker::multiply(unsigned nest, const Term &term, const Extents &extents,
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

void Walker::multiplyInBank(unsigned nest, const Term &term,
                            const Extents &extents, const BlockView &bank,
                            const LinearExpr &index) {
  if (leavesOut && term.over == band->columns &&
      graph.matrices[stageOf(nest).result].columns == band->rows)
    return multiplyLive(nest, term, extents, bank,
                        /*hasBegun=*/index == LinearExpr(1));
  BlockView stationary = operand(term.left, nest, extents, term.over);
  BlockView moving = operand(term.right, nest, extents, term.over);
  for (const RowsBelow &each : rowsBelow)
    if (each.nest == nest && each.above == &term) {
      stationary.rows += graph.sizeOf(each.below->over);
      moving.rows += graph.sizeOf(each.below->over);
    }
  moving.columns += graph.findBeside(stageOf(nest), term.right) != nullptr;
  visitor->multiply(stationary, moving,
                    partOf(bank, {0, bank.rows, 0, moving.columns}), index);
}

/// Whether another term of `nest` has the rows of this one below its own.
bool Walker::isBelow(unsigned nest, const Term &term) const {
  return llvm::any_of(rowsBelow, [&](const RowsBelow &each) {
    return each.nest == nest && each.below == &term;
  });
}

void Walker::emitProduct(unsigned nest, const Home &home,
                         const Extents &extents) {
  BlockView whole = inHome(home, nest, extents);
  BlockView hbm = inHbm(home.matrix, nest, extents);
  bool adds = addsToPrevious(nest, extents), stores = isStoredByTile(home);
  unsigned count = stageOf(nest).numProducts();
  auto emitTile = [&](const Tile &tile) {
    Extents part = liveIn(nest, within(tile, nest, extents));
    bool isHidden =
        llvm::any_of(graph.dimsOf(stageOf(nest)),
                     [&](unsigned dim) { return part[dim].size == 0; });
    if (isHidden && adds)
      return;
    if (isHidden) {
      for (unsigned sum = 0; sum < count; ++sum)
        visitor->fill(0, partOf(inSums(home, sum, extents), tile));
      return;
    }
    llvm::SmallVector<BlockView, 2> banks =
        openBanks(nest, tile.rows, tile.columns);
    overContraction(
        nest, part, part,
        [&](const Term &term, const Extents &piece, const LinearExpr &index) {
          multiply(nest, term, piece, banks[term.sum], index);
        });
    addMask(nest, part, banks.front());
    if (!home.sums && !adds)
      return evaluate(nest, part, banks, partOf(whole, tile));
    for (unsigned sum = 0; sum < count; ++sum) {
      BlockView to = partOf(inSums(home, sum, extents), tile);
      to.columns = banks[sum].columns;
      if (adds)
        visitor->add(banks[sum], to);
      else
        convert(nest, banks[sum], to);
    }
  };
  // What engines read of SBUF alone they read of all columns at once.
  int64_t width = count ? widthOf(nest) : elementWidthOf(nest);
  // For each group there is one column.
  width = graph.groupIn(stageOf(nest)).value_or(width);
  llvm::SmallVector<Engine> engines = shareTiles(nest, whole);
  // What a mask hides nothing of is known of single tiles.
  bool isUnrolled = findMask(nest, extents).has_value() || !engines.empty();
  const Engine *engine = engines.begin();
  auto emitRow = [&](const LinearExpr &row, int64_t rows) {
    tileEngine = engines.empty() ? std::nullopt : std::optional(*engine++);
    unsigned dim = graph.matrices[home.matrix].columns;
    Extents live =
        liveIn(nest, within({row, rows, 0, whole.columns}, nest, extents));
    LinearExpr first = live[dim].start - extents[dim].start;
    overPieces(
        live[dim].size, width,
        [&](const LinearExpr &column, int64_t columns) {
          emitTile({row, rows, first + column, columns});
        },
        isUnrolled);
    Tile done{row, rows, 0, whole.columns};
    if (stores)
      transfer(partOf(whole, done), partOf(hbm, done));
  };
  overPieces(whole.rows, machine.partitions, emitRow, isUnrolled);
  tileEngine.reset();
}

/// The products of a block whose sums are open, one row of tiles after the
/// other: what is complete first is evicted while the rest is computed.
void Walker::emitProductInBanks(unsigned nest, const Home &home,
                                const Extents &extents) {
  const Live &at = liveOf(home);
  BlockView block = inHbm(home.matrix, nest, extents);
  unsigned count = stageOf(nest).numProducts();
  int64_t height = machine.partitions, width = machine.movingFreeMax;
  llvm::ArrayRef<BlockView> banks = at.sums;
  for (int64_t row = 0; row < block.rows; row += height) {
    Tile line{row, std::min(height, block.rows - row), 0, block.columns};
    overContraction(
        nest, liveIn(nest, within(line, nest, extents)),
        liveIn(nest, within(line, nest, at.sumExtents)),
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

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Reduces the columns of `extents` to some of `columns`, from number `first`
/// on: one, or one for each run. Returns how many.
int64_t Walker::reducePiece(unsigned nest, const Extents &extents,
                            const BlockView &columns, const LinearExpr &first) {
  const Stage &stage = stageOf(nest);
  int64_t size = extents[stage.reduction->over].size;
  llvm::SmallVector<BlockView, 2> banks;
  if (!stage.terms.empty()) {
    banks = openBanks(nest, columns.rows, size);
    overContraction(
        nest, extents, extents,
        [&](const Term &term, const Extents &part, const LinearExpr &index) {
          multiply(nest, term, part, banks[term.sum], index);
        });
    addMask(nest, extents, banks.front());
  }
  llvm::SmallVector<MaskedRun, 4> runs{{0, size}};
  if (leavesOut)
    runs = runsIn(nest, extents);
  for (auto [number, run] : llvm::enumerate(runs))
    evaluateRun(nest, extents, run, banks,
                partOf(columns, {0, columns.rows, first + number, 1}));
  return runs.size();
}

/// Each piece of the columns becomes a column, and these become one.
void Walker::emitReduction(unsigned nest, const Home &home,
                           const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Reduction &reduction = *stage.reduction;
  BlockView whole = inHome(home, nest, extents);
  BlockView hbm = inHbm(home.matrix, nest, extents);
  bool adds = addsToPrevious(nest, extents), stores = isStoredByTile(home);
  int64_t width = stage.terms.empty() ? elementWidthOf(nest) : widthOf(nest);
  auto openColumns = [&](int64_t rows, int64_t count) {
    return openBuffer(
        {home.matrix, Space::Sbuf, ElementType::F32, rows, count, 2});
  };
  overPieces(
      whole.rows, machine.partitions, [&](const LinearExpr &row, int64_t rows) {
        Tile done{row, rows, 0, 1};
        Extents all = liveIn(nest, within(done, nest, extents));
        int64_t size = all[reduction.over].size;
        if (!size && adds)
          return;
        auto pieceOf = [&](const LinearExpr &start, int64_t count) {
          return cut(all, reduction.over, start, count);
        };
        // Masks cut some pieces into several.
        int64_t pieces = 0;
        for (int64_t start = 0; start < size; start += width)
          pieces +=
              leavesOut
                  ? runsIn(nest, pieceOf(start, std::min(width, size - start)))
                        .size()
                  : 1;
        BlockView to = partOf(whole, done);
        BlockView own = adds ? openColumns(rows, 1) : to;
        BlockView parts = pieces > 1 ? openColumns(rows, pieces) : own;
        int64_t next = 0;
        overPieces(size, width, [&](const LinearExpr &start, int64_t count) {
          next += reducePiece(nest, pieceOf(start, count), parts,
                              isWrittenOut ? next : start / width);
        });
        if (pieces > 1)
          visitor->reduce(reduction.function, parts, own);
        if (adds)
          visitor->combine(reduction.function, {own}, {to}, to);
        if (stores)
          visitor->copy(to, partOf(hbm, done));
      });
}

/// Each group of the columns becomes a column.
void Walker::emitGroups(unsigned nest, const Home &home,
                        const Extents &extents) {
  const Stage &stage = stageOf(nest);
  unsigned rowsDim = graph.matrices[stage.result].rows;
  unsigned over = stage.reduction->over;
  BlockView whole = inHome(home, nest, extents);
  BlockView hbm = inHbm(home.matrix, nest, extents);
  int64_t width = *graph.groupIn(stage);
  auto emitRow = [&](const LinearExpr &row, int64_t rows) {
    Extents all = cut(extents, rowsDim, row, rows);
    overPieces(extents[over].size, width,
               [&](const LinearExpr &start, int64_t columns) {
                 evaluateRun(nest, cut(all, over, start, columns), {0, columns},
                             {}, partOf(whole, {row, rows, start / width, 1}));
               });
    Tile done{row, rows, 0, whole.columns};
    if (isStoredByTile(home))
      transfer(partOf(whole, done), partOf(hbm, done));
  };
  overPieces(whole.rows, machine.partitions, emitRow);
}

//===----------------------------------------------------------------------===//
// Transpositions
//===----------------------------------------------------------------------===//

/// Tiles of `from` that have the same columns, transposed side by side into one
/// bank, so that one copy takes them out. Each partition has so many
/// neighbouring rows.
BlockView Walker::transposeIntoBank(unsigned matrix, const BlockView &from,
                                    int64_t neighbours) {
  BlockView bank = openBank(matrix, from.columns, from.rows);
  int64_t side = machine.partitions;
  for (int64_t at = 0; at < from.rows; at += side) {
    int64_t count = std::min(side, from.rows - at),
            own = at / side % neighbours;
    BlockView tile = partOf(from, {at, count, 0, from.columns});
    BlockView to = partOf(bank, {0, bank.rows, at - own * (side - 1), count});
    to.columnStep = neighbours;
    if (neighbours > 1) {
      tile.column +=
          tile.row / side * graph.columnsOf(graph.matrices[from.matrix]);
      tile.row = 0;
    }
    visitor->transpose(tile, to);
  }
  return bank;
}

void Walker::emitTransposition(unsigned nest, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Home &home = *plan.homeOf(stage.result, nest);
  if (home.packed && plan.isInterleaved(graph.matrices[stage.result].rows))
    return emitInterleavedRows(nest, extents);
  if (home.packed)
    return emitPackedTransposition(nest, extents);
  BlockView from = operand(*stage.source, nest, extents);
  BlockView to = inHome(home, nest, extents);
  // Tile t has the t-th column of each partition.
  unsigned dim = graph.matrices[*stage.source].columns;
  bool isInOrder = columnsInOrder[*stage.source];
  auto turned = [&](const Tile &tile) {
    Tile part{tile.column, tile.columns, tile.row, tile.rows};
    if (!isInOrder)
      return partOf(from, part);
    BlockView apart = from;
    const LinearExpr &start = extents[dim].start;
    apart.column += (start + tile.row) / machine.partitions - start;
    apart.columnStep = graph.sizeOf(dim) / machine.partitions;
    part.column = 0;
    return partOf(apart, part);
  };
  if (!from.buffer)
    return overTiles(to, machine.partitions, [&](const Tile &tile) {
      visitor->transposeByDma(turned(tile), partOf(to, tile));
    });
  int64_t neighbours = neighboursIn(*plan.homeOf(*stage.source, nest));
  overTiles(to, widthOf(nest), [&](const Tile &tile) {
    BlockView bank = transposeIntoBank(home.matrix, turned(tile), neighbours);
    evaluate(nest, within(tile, nest, extents), bank, partOf(to, tile));
  });
}

/// A row of X is a column of each tile, of which a partition has the elements
/// that lie beside each other in HBM.
void Walker::emitInterleavedRows(unsigned nest, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Matrix &source = graph.matrices[*stage.source];
  BlockView to = liveOf(*plan.homeOf(stage.result, nest)).block;
  int64_t side = machine.partitions, tiles = graph.columnsOf(source) / side;
  LinearExpr first = inHbm(*stage.source, nest, extents).row;
  overPieces(graph.rowsOf(source), 1, [&](const LinearExpr &row, int64_t) {
    BlockView hbm{*stage.source, std::nullopt, (first + row) * side, 0,
                  side,          tiles};
    hbm.rowOf = tiles;
    visitor->copy(hbm, {to.matrix, to.buffer, 0, row * tiles, side, tiles});
  });
}

/// Rows of one tile's width come from HBM to all partitions, as many as one
/// bank takes transposed at a time.
void Walker::emitPackedTransposition(unsigned nest, const Extents &extents) {
  const Stage &stage = stageOf(nest);
  const Home &home = *plan.homeOf(stage.result, nest);
  const Home &raw = *plan.homeOf(*stage.source, nest);
  int64_t side = machine.partitions;
  const Matrix &source = graph.matrices[*stage.source];
  int64_t pieces = graph.columnsOf(source) / side;
  int64_t rows = graph.rowsOf(source) * pieces;
  LinearExpr first = inHbm(*stage.source, nest, extents).row * pieces;
  overPieces(rows, widthOf(nest), [&](const LinearExpr &start, int64_t count) {
    BlockView hbm{*stage.source, std::nullopt, first + start, 0, count, side};
    hbm.rowOf = side;
    BlockView from = openBuffer(
        {*stage.source, Space::Sbuf, source.type, count, side, raw.slots});
    visitor->copy(hbm, from);
    BlockView bank = transposeIntoBank(home.matrix, from), to = bank;
    to.buffer = liveOf(home).block.buffer;
    to.column = start;
    convert(nest, bank, to);
  });
}
