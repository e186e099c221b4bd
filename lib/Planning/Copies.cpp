//===- Copies.cpp - Copies that change the type, and their engines --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Copies.h"

#include "trn/Machine/Work.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// An engine that widens: columns a nanosecond, and what an instruction takes
/// beside them.
struct Copies::Widener {
  Engine engine;
  double perNs, fixedNs;

  double ns(int64_t columns) const { return columns / perNs + fixedNs; }
};

llvm::SmallVector<Copies::Widener, 3> Copies::widenersOf(unsigned from,
                                                         unsigned to) const {
  OperandInfo source{graph.matrices[from].type},
      target{graph.matrices[to].type};
  const int64_t columns = machine.sbufFreeMax;
  double cycles =
      double(tensorCopyCycles(machine, source, target, columns)) / columns;
  auto widener = [](Engine engine, double ghz, double cycles, int64_t access) {
    return Widener{engine, ghz / cycles, double(access) / ghz};
  };
  llvm::SmallVector<Widener, 3> wideners = {widener(
      Engine::Scalar, machine.scalarGHz, 1, machine.scalarAccessCycles)};
  // Where the two share a port, GpSimd only takes time from VectorE.
  if (!machine.portLocks)
    wideners.push_back(widener(Engine::GpSimd, machine.gpsimdGHz, cycles,
                               machine.gpsimdAccessCycles));
  wideners.push_back(widener(Engine::Vector, machine.vectorGHz, cycles,
                             machine.vectorAccessCycles));
  return wideners;
}

/// The columns of a tile that keep each engine busy for the same time; none if
/// some are too few, as fewer take as long.
template <typename Widener>
static llvm::SmallVector<int64_t, 3>
splitColumns(llvm::ArrayRef<Widener> wideners, int64_t columns,
             const Machine &machine) {
  double work = double(columns), rate = 0;
  for (const Widener &each : wideners) {
    work += each.perNs * each.fixedNs;
    rate += each.perNs;
  }
  llvm::SmallVector<int64_t, 3> sizes;
  int64_t left = columns;
  for (const Widener &each : wideners.drop_back()) {
    sizes.push_back(std::llround(each.perNs * (work / rate - each.fixedNs)));
    left -= sizes.back();
  }
  sizes.push_back(left);
  if (llvm::any_of(sizes,
                   [&](int64_t size) { return size < machine.minCycles; }))
    sizes.clear();
  return sizes;
}

llvm::SmallVector<Engine> Copies::shareTiles(unsigned nest,
                                             const BlockView &block) const {
  const Stage &stage = stageOf(nest);
  const int64_t most = 64; // of those written out
  const int64_t count = llvm::divideCeil(block.rows, machine.partitions);
  if (!graph.widens(stage) || plan.nests[nest].engine != RowEngine::Any ||
      count > most || block.columns > machine.sbufFreeMax)
    return {};
  const auto wideners = widenersOf(stage.operands().front(), stage.result);
  llvm::SmallVector<double, 3> busy(wideners.size());
  llvm::SmallVector<Engine> engines;
  for (int64_t tile = 0; tile < count; ++tile) {
    auto end = [&](size_t i) {
      return busy[i] + wideners[i].ns(block.columns);
    };
    size_t first = 0;
    for (size_t i = 1; i < wideners.size(); ++i)
      if (end(i) < end(first))
        first = i;
    busy[first] = end(first);
    engines.push_back(wideners[first].engine);
  }
  const auto sizes =
      splitColumns(llvm::ArrayRef(wideners), block.columns, machine);
  if (!sizes.empty() && *llvm::max_element(busy) >=
                            double(count) * wideners.back().ns(sizes.back()))
    engines.clear();
  return engines;
}

/// A tile of a weight that is stored in 8 bits, of which all elements of a
/// model pass by: by the engine that it is for, or shared out.
void Copies::widen(const BlockView &from, const BlockView &to) {
  auto copy = [&](const Tile &part, Engine engine) {
    if (engine == Engine::Scalar)
      copyOnScalar(partOf(from, part), partOf(to, part));
    else
      emit->convert(partOf(from, part), partOf(to, part), engine);
  };
  if (tileEngine)
    return copy({0, to.rows, 0, to.columns}, *tileEngine);
  const auto wideners = widenersOf(from.matrix, to.matrix);
  const auto sizes =
      splitColumns(llvm::ArrayRef(wideners), to.columns, machine);
  if (sizes.empty())
    return emit->convert(from, to, std::nullopt);
  int64_t begin = 0;
  for (auto [each, size] : llvm::zip_equal(wideners, sizes)) {
    copy({0, to.rows, begin, size}, each.engine);
    begin += size;
  }
}

void Copies::convert(unsigned nest, const BlockView &from,
                     const BlockView &to) {
  switch (plan.nests[nest].engine) {
  case RowEngine::Any:
    if (isStorage(graph.matrices[from.matrix].type))
      return widen(from, to);
    return emit->convert(from, to, std::nullopt);
  case RowEngine::Vector:
    return emit->convert(from, to, Engine::Vector);
  case RowEngine::Scalar:
    return copyOnScalar(from, to);
  }
}

void Copies::copyOnScalar(const BlockView &from, const BlockView &to) {
  emit->activate(Function::Copy, from, {std::nullopt, 1}, {std::nullopt, 0},
                 to);
}
