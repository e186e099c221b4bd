//===- PieceFiller.cpp - Homes that are filled in pieces ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PieceFiller.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/Fillers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// A nest falls into pieces by the blocks of its outermost loop, a load by
/// tiles.
Filling PieceFiller::describe(const Home &home, const Extents &extents,
                              Lives lives) const {
  NestRange fillers{firstFiller(graph, plan, home), home.nests.front()};
  unsigned dim = graph.matrices[home.matrix].rows;
  int64_t unit = 0, most = 8; // a few loads leave room between them for others
  if (isWritten(home)) {
    auto inner = llvm::ArrayRef(plan.nests[fillers.last].loops);
    inner = inner.drop_front(home.level);
    if (!inner.empty() &&
        (emit.isWrittenOut || !startsSums(fillers, home.level, extents))) {
      dim = inner.front().dim;
      unit = inner.front().block;
      most = std::numeric_limits<int64_t>::max();
    }
  } else if (auto dims = graph.dimsIn(home.nests, home.matrix, dim);
             dims.size() == 1) {
    dim = dims.front();
    unit = machine.partitions;
  }
  int64_t size = extents[dim].size, piece = size;
  if (unit) {
    int64_t units = llvm::divideCeilSigned(size, unit);
    most = std::min(units, home.pieces ? home.pieces : most);
    piece = std::min(size, unit * llvm::divideCeilSigned(units, most));
  }
  return {&home, fillers, extents, std::move(lives), dim, piece};
}

/// Opens what the nests alone need: what falls into their pieces with each of
/// these, all else, and what is read when all sums are complete, before them.
void PieceFiller::open(const Filling &fill, const Extents &extents,
                       bool byPiece) {
  const Home &filled = *fill.home;
  bool isEvictedLast = filled.sums && filled.sums->level == filled.level;
  auto readLast = stageOf(fill.nests.last).expression.matrices();
  for (const Home &home : plan.homes) {
    const Matrix &matrix = graph.matrices[home.matrix];
    bool isCut = fill.isServedBy(home) && matrix.has(fill.dim) &&
                 !(isEvictedLast && llvm::is_contained(readLast, home.matrix));
    if (isCut != byPiece || !homes.opensAt(home, fill.nests, filled.level))
      continue;
    emit->enterStage(home.nests.front());
    homes.open(home, extents);
  }
}

void PieceFiller::begin(Filling &fill) {
  const Home &home = *fill.home;
  if (isWritten(home))
    fill.inIteration([&] {
      open(fill, fill.extents, /*byPiece=*/false);
      if (home.sums && home.sums->level == home.level)
        homes.openSums(home, fill.extents);
    });
}

void PieceFiller::fillPiece(Filling &fill, const LinearExpr &start,
                            int64_t size) {
  const Home &home = *fill.home;
  Extents extents = cut(fill.extents, fill.dim, start, size);
  extents[fill.dim].later |= !(start == LinearExpr(0));
  fill.inIteration([&] {
    emit->enterStage(fill.nests.first);
    if (!isWritten(home))
      return homes.load(home, extents);
    open(fill, extents, /*byPiece=*/true);
    nests.emitGroup(fill.nests, home.level, extents, {});
  });
}

void PieceFiller::fillPieces(llvm::ArrayRef<FillShare> shares) {
  for (const FillShare &share : shares)
    emit.repeat(share.count, [&](const LinearExpr &i) {
      Filling &fill = *share.filling;
      fillPiece(fill, (share.first + i) * fill.piece, fill.piece);
    });
}

void PieceFiller::finish(Filling &fill, bool fillsRest) {
  if (int64_t rest = fillsRest ? fill.remainder() : 0)
    fillPiece(fill, fill.fullPieces() * fill.piece, rest);
  if (isWritten(*fill.home))
    fill.inIteration(
        [&] { tiles.complete(fill.nests, fill.home->level, fill.extents); });
}

void PieceFiller::fillAll(Filling &fill) {
  begin(fill);
  fillPieces(FillShare{&fill, 0, fill.fullPieces()});
  finish(fill, /*fillsRest=*/true);
}

//===----------------------------------------------------------------------===//
// Filling on the side
//===----------------------------------------------------------------------===//

int64_t PieceFiller::countPieces(const FillShare &share,
                                 llvm::ArrayRef<NestRange> groups, size_t group,
                                 const Extents &extents) const {
  const Filling &fill = *share.filling;
  auto isBeside = [&](NestRange range) {
    return fill.from <= range.first && range.first < fill.until;
  };
  bool anywhere = llvm::none_of(groups, isBeside);
  llvm::SmallVector<double> work{0}; // in front of each group
  for (NestRange range : groups) {
    double sum = work.back();
    for (unsigned nest = range.first; nest <= range.last; ++nest) {
      double own = anywhere || isBeside(range);
      for (unsigned dim : graph.dimsOf(stageOf(nest)))
        own *= double(extents[dim].size);
      sum += own;
    }
    work.push_back(sum);
  }
  auto before = [&](size_t end) {
    return end == groups.size()
               ? share.count
               : int64_t(double(share.count) * work[end] / work.back());
  };
  return before(group + 1) - before(group);
}

/// After every few iterations one piece or, of many, some in each. Several
/// shares come one after the other.
void PieceFiller::spread(int64_t trips, llvm::ArrayRef<FillShare> shares,
                         SpreadBody body) {
  if (trips == 1)
    return body(0, FillShares(shares));
  if (trips <= 0)
    return fillPieces(shares);
  if (emit.isWrittenOut) {
    for (int64_t i = 0; i < trips; ++i)
      body(i, partsOf(shares, i, i + 1, trips));
    return;
  }
  if (shares.empty())
    return emit.repeat(trips, [&](const LinearExpr &i) { body(i, {}); });
  const FillShare &share = shares.front();
  if (int64_t number = shares.size(); number > 1) {
    int64_t own = llvm::divideCeilSigned(trips, number);
    spread(own, share, body);
    return spread(trips - own, shares.drop_front(),
                  [&](const LinearExpr &i, const FillShares &parts) {
                    body(i + own, parts);
                  });
  }
  if (share.count < trips) {
    int64_t apart = trips / share.count, done = share.count * apart;
    emit.repeat(share.count, [&](const LinearExpr &i) {
      emit.repeat(apart, [&](const LinearExpr &j) { body(i * apart + j, {}); });
      fillPieces(FillShare{share.filling, share.first + i, 1});
    });
    return emit.repeat(trips - done,
                       [&](const LinearExpr &i) { body(i + done, {}); });
  }
  // The first ones take one more.
  int64_t each = share.count / trips, more = share.count % trips;
  emit.repeat(more, [&](const LinearExpr &i) {
    body(i, {{share.filling, share.first + i * (each + 1), each + 1}});
  });
  LinearExpr first = share.first + more * (each + 1);
  emit.repeat(trips - more, [&](const LinearExpr &i) {
    body(i + more, {{share.filling, first + i * each, each}});
  });
}
