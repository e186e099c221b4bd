//===- LongRows.cpp - Plans whose rows of DMA are long --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A row of a head has 64 or 128 elements, and an engine of the DMA takes as
// long for it as for more. Rows are longer if each partition takes neighbouring
// ones (an interleaved dim), or those of all heads at once (a whole home).
//
//===----------------------------------------------------------------------===//

#include "LongRows.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/Legalize.h"
#include "trn/Search/Edits.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;
using Kind = Edit::Kind;

/// Whether the DMA is a tenth slower with rows of `matrix` than with rows that
/// are eight times as long.
static bool hasShortRows(const Graph &graph, const Matrix &matrix,
                         const Machine &machine) {
  double bytes = double(graph.columnsOf(matrix) * byteSize(matrix.type));
  return machine.dmaEngineNs(8 * bytes, 8) >
         1.1 * machine.dmaEngineNs(8 * bytes, 1);
}

/// Whether rows of HBM have `dim` in their columns, and the DMA moves more of
/// these than weights with `dim` in their rows.
static bool isInManyRows(const Graph &graph, unsigned dim,
                         const Machine &machine) {
  return graph.sizeOf(stripOf(graph)) > machine.partitions &&
         llvm::any_of(graph.matrices, [&](const Matrix &matrix) {
           return matrix.columns == dim &&
                  (matrix.role == Role::Input || matrix.role == Role::Result);
         });
}

llvm::SmallVector<unsigned, 2> search::dimsOfShortRows(const Graph &graph,
                                                       const Plan &plan,
                                                       const Machine &machine) {
  llvm::SmallVector<unsigned, 2> dims;
  for (const Matrix &matrix : graph.matrices) {
    unsigned dim = matrix.rows;
    bool isMoved = matrix.role == Role::Input || matrix.role == Role::Result;
    if (isMoved && !plan.isInterleaved(dim) && !matrix.window &&
        graph.sizeOf(dim) > machine.partitions &&
        hasShortRows(graph, matrix, machine) &&
        !isInManyRows(graph, dim, machine) && !llvm::is_contained(dims, dim))
      dims.push_back(dim);
  }
  return dims;
}

bool search::mayBeWhole(const Graph &graph, const Home &home,
                        const Machine &machine) {
  const Matrix &matrix = graph.matrices[home.matrix];
  return matrix.role == Role::Input && matrix.rowBatches.empty() &&
         !matrix.columnBatches.empty() && !home.packed && !matrix.window &&
         hasShortRows(graph, matrix, machine);
}

std::optional<Schedule> search::withLongRows(const Schedule &schedule,
                                             const Machine &machine) {
  Schedule longer = schedule;
  auto keep = [&](llvm::ArrayRef<Edit> edits) {
    Schedule changed = longer;
    for (const Edit &edit : edits)
      if (!apply(edit, changed))
        return;
    if (llvm::Error error = changed.plan.check(changed.graph, machine))
      return llvm::consumeError(std::move(error));
    longer = std::move(changed);
  };
  for (unsigned home = 0; home < schedule.plan.homes.size(); ++home)
    if (mayBeWhole(longer.graph, longer.plan.homes[home], machine))
      keep({{Kind::Level, 0, home}, {Kind::Whole, 0, home}});
  for (unsigned dim : dimsOfShortRows(longer.graph, longer.plan, machine))
    keep({{Kind::Number, 0, 0, 0, dim}});
  if (longer == schedule)
    return std::nullopt;
  return longer;
}
