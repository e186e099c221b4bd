//===- ShareWork.cpp - Work that a logical core shares --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each dimension of each argument is tried on a copy of the function. What a
// core then has says how long it takes at least: its FLOPs, or the bytes of its
// arguments and results. These are no plans, which are found later.
//
//===----------------------------------------------------------------------===//

#include "ShareWork.h"

#include "Collectives.h"
#include "WritePieces.h"
#include "trn/Machine/Bounds.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

using namespace mlir;
using namespace mlir::trn;

/// More are not tried: a copy of the function takes time for each.
static constexpr int64_t mostTries = 64;

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || tensor.hasStaticShape();
}

static int64_t countBytes(TypeRange types) {
  int64_t bytes = 0;
  for (Type type : types)
    bytes += countBytes(type);
  return bytes;
}

static FlopsByType countFlops(func::FuncOp func) {
  FlopsByType flops;
  func.walk([&](linalg::LinalgOp op) {
    if (!linalg::isaContractionOpInterface(op))
      return;
    int64_t count = 2;
    for (int64_t size : op.getStaticLoopRanges())
      count *= size;
    Type type = getElementTypeOrSelf(op->getOperand(0));
    (type.isF32() ? flops.f32 : flops.narrow) += count;
  });
  return flops;
}

/// Least time and traffic. Traffic decides where the time is that of FLOPs.
using Estimate = std::pair<double, double>;

/// What is exchanged is written, read by the others, and what becomes of it is
/// read again; two transfers and two barriers pass before that.
static Estimate estimate(func::FuncOp func, const Machine &machine) {
  int64_t bytes =
      countBytes(func.getArgumentTypes()) + countBytes(func.getResultTypes());
  int64_t meetings = 0;
  for (Operation &op : func.front())
    if (isa<shard::AllReduceOp, shard::AllGatherOp, shard::ReduceScatterOp>(
            op)) {
      ++meetings;
      bytes += countBytes(op.getOperandTypes()) +
               2 * countBytes(op.getResultTypes());
    }
  double traffic = trafficBoundNs(bytes, machine);
  double latency = 2 * machine.dmaLatencyNs + 4 * machine.semaphoreNs;
  return {std::max(tensorBoundNs(countFlops(func), machine), traffic) +
              double(meetings) * latency,
          traffic};
}

void mlir::trn::setSeed(Seeds &seeds, const SharedWork &work) {
  for (BlockArgument argument : work.argument.getOwner()->getArguments())
    seeds.dims.erase(argument);
  auto type = cast<RankedTensorType>(work.argument.getType());
  SmallVector<Axes, 4> &dims = seeds.dims[work.argument];
  dims.assign(type.getRank(), 0);
  dims[work.dim] = seeds.grid.all();
  seeds.requested.insert(work.argument);
}

/// What a core takes of `copy`, which is split here.
static Estimate estimateSplit(func::FuncOp copy, const Seeds &seeds,
                              const Machine &machine) {
  Propagation propagation(copy, seeds);
  propagation.run();
  writePieces(copy, propagation);
  return estimate(copy, machine);
}

/// What it takes as `seeds` split it.
static Estimate estimateGiven(func::FuncOp func, const Seeds &seeds,
                              const Machine &machine) {
  OwningOpRef<func::FuncOp> copy = func.clone();
  Seeds own;
  own.grid = seeds.grid;
  for (const auto &[value, dims] : seeds.dims)
    if (auto argument = cast<BlockArgument>(value);
        argument.getOwner() == &func.front())
      own.dims[copy->getArgument(argument.getArgNumber())] = dims;
  return estimateSplit(*copy, own, machine);
}

std::optional<SharedWork> mlir::trn::shareWork(func::FuncOp func, int64_t cores,
                                               const Machine &machine,
                                               const Seeds &seeds) {
  if (!llvm::all_of(func.getArgumentTypes(), isStatic) ||
      !llvm::all_of(func.getResultTypes(), isStatic))
    return std::nullopt;
  const Machine own = machine.ofCores(cores);
  const Estimate alone = estimate(func, own);
  Estimate best = seeds.split(func) ? estimateGiven(func, seeds, own) : alone;
  std::optional<SharedWork> chosen;
  int64_t tries = 0;
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || argument.use_empty())
      continue;
    for (auto [dim, size] : llvm::enumerate(type.getShape())) {
      if (size < cores || ++tries > mostTries)
        continue;
      OwningOpRef<func::FuncOp> copy = func.clone();
      Seeds tried;
      tried.grid.sizes = {cores};
      setSeed(tried,
              {copy->getArgument(argument.getArgNumber()), unsigned(dim)});
      Estimate shared = estimateSplit(*copy, tried, own);
      if (shared >= best)
        continue;
      best = shared;
      chosen = {argument, unsigned(dim), alone.first, shared.first};
    }
  }
  return chosen;
}
