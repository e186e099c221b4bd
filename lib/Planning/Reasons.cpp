//===- Reasons.cpp - Plans in sentences -----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reasons.h"
#include "trn/Machine/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using llvm::formatv;

static double milliseconds(double ns) { return ns * 1e-6; }

static std::string times(const BlockPlan &plan) {
  return formatv("about {0:F3} ms, tensor engine {1:F3}, DMA {2:F3}",
                 milliseconds(plan.latencyNs), milliseconds(plan.tensorNs),
                 milliseconds(plan.dmaNs));
}

void mlir::trn::explainBlockM(const PlanningTask &task,
                              llvm::MutableArrayRef<BlockPlan> plans,
                              size_t chosen) {
  BlockPlan &plan = plans[chosen];
  std::string text = formatv("block-m {0}: {1}", plan.blockM, times(plan));
  if (task.isRecompute())
    text = formatv("block-m {0}: the naive fusion uses blocks of one moving "
                   "tile; {1}",
                   plan.blockM, times(plan));
  else if (chosen > 0)
    text += formatv("; {0} rows would take {1}", plans[chosen - 1].blockM,
                    times(plans[chosen - 1]));
  if (chosen + 1 == plans.size() && plan.blockM < task.shape.m &&
      !task.isRecompute())
    text += "; more rows do not fit SBUF without spills";
  plan.reasons.push_back(std::move(text));
}

static std::string contraction(const PlanningTask &task,
                               const BlockRequest &request,
                               const BlockPlan &plan) {
  const ChainShape &shape = task.shape;
  if (!plan.partials)
    return formatv("block-k {0}: the X^T strip fits SBUF, so PSUM accumulates "
                   "over all of k",
                   plan.blockK);
  llvm::StringRef why = request.blockK ? "as asked"
                        : plan.rereadX ? "the X^T strip does not fit SBUF"
                        : plan.spills(shape)
                            ? "smaller blocks leave room for Y^T"
                            : "the X^T strip does not fit SBUF beside Y^T";
  return formatv("block-k {0}: {1}; {2} blocks, partial sums of {3} in {4}",
                 plan.blockK, why, llvm::divideCeilSigned(shape.k, plan.blockK),
                 shape.isSingle() ? "O" : "Y", stringify(*plan.partials));
}

void mlir::trn::explainPlan(const PlanningTask &task,
                            const BlockRequest &request, BlockPlan &plan) {
  const ChainShape &shape = task.shape;
  int64_t bytes = byteSize(shape.type);
  if (request.blockM)
    plan.reasons.push_back(
        formatv("block-m {0} as asked: {1}", plan.blockM, times(plan)));
  plan.reasons.push_back(contraction(task, request, plan));
  if (!shape.isSingle())
    plan.reasons.push_back(formatv("block-r {0}: rows of U of {1} bytes",
                                   plan.blockR, plan.blockR * bytes));
  plan.reasons.push_back(formatv("block-n {0}: rows of {1} of {2} bytes",
                                 plan.blockN, shape.isSingle() ? "W" : "V",
                                 plan.blockN * bytes));
  if (plan.prefetchX)
    plan.reasons.push_back("the second stage of a strip brings in X^T for the "
                           "next one");
  if (plan.rereadX)
    plan.reasons.push_back(
        formatv("X is read {0} times, once for each block column",
                llvm::divideCeilSigned(shape.n, plan.blockN)));
  if (plan.spills(shape))
    plan.reasons.push_back(formatv(
        "spills: {0} of {1} rows of Y^T stay in SBUF; the rest is saved ({2} "
        "bytes) and reloaded ({3} bytes)",
        plan.residentRank, shape.r, plan.spillSaveBytes,
        plan.spillReloadBytes));
  if (!shape.isSingle()) {
    double flops = 2.0 * shape.m * shape.r * (double(shape.k) + shape.n);
    plan.reasons.push_back(
        formatv("arithmetic intensity {0:F0} FLOP/B against a ridge of {1:F0}",
                flops / double(plan.hbmBytes()), task.machine.ridge()));
  }
  plan.reasons.push_back(formatv("SBUF: {0} of {1} bytes a partition",
                                 plan.sbufPartitionBytes,
                                 task.machine.sbufPartitionBytes));
}

std::string mlir::trn::describeOverflow(const PlanningTask &task,
                                        const BlockPlan &plan) {
  PlannedBuffers buffers = plannedBuffers(task, plan);
  auto need = [&](const PlannedBuffer &buffer) {
    return buffer.bytes(task.machine) * buffer.slots;
  };
  int64_t most = -1;
  PlannedBuffers live;
  for (Phase phase :
       {Phase::LoadX, Phase::StageOne, Phase::FinishY, Phase::StageTwo}) {
    PlannedBuffers now(
        llvm::make_filter_range(buffers, [&](const PlannedBuffer &buffer) {
          return buffer.first <= phase && phase <= buffer.last &&
                 need(buffer) > 0;
        }));
    int64_t sum = 0;
    for (const PlannedBuffer &buffer : now)
      sum += need(buffer);
    if (sum > most) {
      most = sum;
      live = now;
    }
  }
  llvm::sort(live, [&](const PlannedBuffer &a, const PlannedBuffer &b) {
    return std::pair(need(b), a.name) < std::pair(need(a), b.name);
  });
  int64_t usable = task.machine.sbufPartitionBytes;
  const char *rule =
      most > usable ? "{0} bytes a partition are needed, but {1} are usable ("
                    : "{0} of {1} usable bytes a partition are needed at once, "
                      "but there is no address for each buffer that is free "
                      "for all of its life (";
  std::string text = formatv(rule, most, usable);
  text += llvm::join(
      llvm::map_range(live,
                      [&](const PlannedBuffer &buffer) -> std::string {
                        return formatv("{0} [{1} x {2}] {3}", buffer.name,
                                       buffer.rows, buffer.columns,
                                       need(buffer));
                      }),
      ", ");
  return text + ")";
}
