//===- StageNeeds.cpp - What a stage takes of a core ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/StageNeeds.h"

#include "trn/Machine/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir::trn;
using namespace mlir::trn::planning;

int64_t planning::wholeColumnsOf(const Graph &graph, const Stage &stage) {
  int64_t head = graph.matrices[stage.result].headColumns;
  return std::lcm(graph.periodOf(stage), std::max<int64_t>(head, 1));
}

int64_t planning::unitOf(const Graph &graph, unsigned dim,
                         const Machine &machine) {
  int64_t unit = machine.partitions;
  for (const Stage &stage : graph.stages)
    if (graph.columnsIn(stage) == dim)
      unit = std::lcm(unit, wholeColumnsOf(graph, stage));
  return unit;
}

int64_t planning::banksOf(const Graph &graph, const Stage &stage) {
  return stage.numProducts() - graph.numBeside(stage);
}

int64_t planning::tilesInBank(const Graph &graph, const Stage &stage,
                              int64_t columns, const Machine &machine) {
  auto isColumn = [&](unsigned sum) { return graph.isColumn(stage, sum); };
  bool isFew =
      graph.columnsOf(graph.matrices[stage.result]) <= machine.partitions;
  if (!isFew || graph.numBeside(stage) ||
      llvm::any_of(llvm::seq(stage.numProducts()), isColumn))
    return 1;
  int64_t width =
      std::min<int64_t>(machine.movingFreeMax,
                        machine.psumBankBytes / byteSize(ElementType::F32));
  return std::max<int64_t>(1, width / columns);
}

uint64_t planning::sumBanksOf(const Graph &graph, const Stage &stage,
                              int64_t rows, int64_t columns,
                              const Machine &machine) {
  int64_t height =
      tilesInBank(graph, stage, columns, machine) * machine.partitions;
  return llvm::SaturatingMultiply<uint64_t>(
      banksOf(graph, stage),
      llvm::SaturatingMultiply<uint64_t>(
          llvm::divideCeilSigned(rows, height),
          llvm::divideCeilSigned(columns, machine.movingFreeMax)));
}

int64_t planning::mostBanksOf(const Graph &graph, const Stage &stage,
                              const Machine &machine) {
  int64_t columns = machine.movingFreeMax;
  bool isProduct = !stage.terms.empty() && !graph.numBeside(stage);
  if (!(isProduct || stage.isTransposition()) ||
      columns * byteSize(ElementType::F32) != machine.psumBankBytes)
    return 1;
  return std::min(machine.psumBanks /
                      std::max<int64_t>(1, banksOf(graph, stage)),
                  std::min(machine.psumFreeMax, machine.sbufFreeMax) / columns);
}
