//===- BlockPlan.cpp - Which blocks a chain is cut into -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/BlockPlan.h"
#include "BlockSearch.h"
#include "Reasons.h"
#include "trn/Machine/Machine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using llvm::formatv;

/// Matrices are bounded so that sums of a few footprints stay in 64 bits.
static constexpr int64_t maxMatrixBytes = int64_t(1) << 56;

/// Candidates for block-m beyond this many tiles are not tried. (A strip of
/// 131072 rows fits no SBUF; the limit is for imaginary machines.)
static constexpr int64_t maxTilesOfM = 1024;

/// Plans whose times differ by less are equally fast: the smaller one wins.
static constexpr double tie = 1.005;

/// Plans with short rows or short blocks of K must be faster by this factor:
/// the model knows their costs less well. Single buffers are for when nothing
/// else fits.
static constexpr double comfort = 1.1;

llvm::StringRef mlir::trn::stringify(Strategy strategy) {
  switch (strategy) {
  case Strategy::StripCache:
    return "strip-cache";
  case Strategy::Sequential:
    return "sequential";
  case Strategy::Recompute:
    return "recompute";
  }
  llvm_unreachable("unknown strategy");
}

llvm::StringRef mlir::trn::stringify(TransposeMode transpose) {
  return transpose == TransposeMode::Implicit ? "implicit" : "explicit";
}

std::pair<ChainShape, ChainShape>
mlir::trn::splitSequential(const ChainShape &shape, TransposeMode transpose) {
  bool implicit = transpose == TransposeMode::Implicit;
  ChainShape first = shape, second = shape;
  first.r = second.r = 0;
  first.n = second.k = shape.r;
  first.outputTransposed = second.inputTransposed = implicit;
  return {first, second};
}

std::pair<BlockRequest, BlockRequest>
mlir::trn::splitSequential(const BlockRequest &request) {
  return {{request.blockM, request.blockK, 0, request.blockR, 'r'},
          {request.blockM, 0, 0, request.blockN}};
}

//===----------------------------------------------------------------------===//
// What can be asked for
//===----------------------------------------------------------------------===//

static llvm::Error failure(std::string message) {
  return llvm::createStringError(std::move(message));
}

static llvm::Error checkShape(const ChainShape &shape) {
  if (shape.r < 0)
    return failure(
        formatv("dimension r is {0}, but cannot be negative", shape.r));
  for (auto [name, size] : {std::pair{'m', shape.m}, std::pair{'k', shape.k},
                            std::pair{'n', shape.n}})
    if (size < 1)
      return failure(
          formatv("dimension {0} is {1}, but must be at least 1", name, size));

  // Y is counted too: its strip can be all of it.
  int64_t inner = shape.isSingle() ? shape.k : shape.r;
  for (auto [name, rows, columns] :
       {std::tuple{"X", shape.m, shape.k}, std::tuple{"U", shape.k, inner},
        std::tuple{"Y", shape.m, inner}, std::tuple{"V", inner, shape.n},
        std::tuple{"O", shape.m, shape.n}}) {
    // A single product has no U and no Y; its W stands in V's place.
    bool absent = shape.isSingle() && (*name == 'U' || *name == 'Y');
    if (!absent && columns > maxMatrixBytes / 4 / rows)
      return failure(formatv("{0} has {1} x {2} elements, but a matrix of more "
                             "than 2^54 elements cannot be planned",
                             shape.isSingle() && *name == 'V' ? "W" : name,
                             rows, columns));
  }
  return llvm::Error::success();
}

static llvm::Error checkBlock(char name, int64_t block, int64_t dimension,
                              int64_t tile) {
  if (block < 0)
    return failure(formatv("block-{0} is {1}, but cannot be negative; 0 lets "
                           "the compiler choose",
                           name, block));
  if (block % tile == 0 || block >= dimension)
    return llvm::Error::success();
  int64_t next = llvm::divideCeilSigned(block, tile) * tile;
  return failure(formatv("block-{0} is {1}, but must be a multiple of {2} or "
                         "cover the whole dimension of {3}; the next one is "
                         "{4}",
                         name, block, tile, dimension,
                         std::min(next, dimension)));
}

static llvm::Error checkRequest(const PlanningTask &task,
                                const BlockRequest &request) {
  const ChainShape &shape = task.shape;
  int64_t tile = task.machine.partitions;
  for (auto [name, block, dimension] :
       {std::tuple{'m', request.blockM, shape.m},
        std::tuple{'k', request.blockK, shape.k},
        std::tuple{'r', request.blockR, shape.r},
        std::tuple{request.nameOfN, request.blockN, shape.n}})
    if (llvm::Error error = checkBlock(name, block, dimension, tile))
      return error;
  return llvm::Error::success();
}

/// A block of the plan covers its dimension, or is a whole number of tiles.
static llvm::Error checkSize(llvm::StringRef name, int64_t size,
                             int64_t dimension, int64_t tile) {
  if (size == dimension || (size > 0 && size < dimension && size % tile == 0))
    return llvm::Error::success();
  return failure(formatv("{0} is {1}, but must be {2} or a multiple of {3} "
                         "below that",
                         name, size, dimension, tile));
}

llvm::Error mlir::trn::checkPlan(const ChainShape &shape, Strategy strategy,
                                 TransposeMode transpose, const BlockPlan &plan,
                                 const Machine &machine) {
  if (llvm::Error error = checkShape(shape))
    return error;
  int64_t tile = machine.partitions;
  for (auto [name, size, dimension] :
       {std::tuple{"block_m", plan.blockM, shape.m},
        std::tuple{"block_k", plan.blockK, shape.k},
        std::tuple{"block_r", plan.blockR, shape.r},
        std::tuple{"block_n", plan.blockN, shape.n},
        std::tuple{"block_x", plan.blockX,
                   shape.inputTransposed ? 0 : plan.blockK}})
    if (llvm::Error error = checkSize(name, size, dimension, tile))
      return error;
  if (plan.residentRank != 0)
    if (llvm::Error error =
            checkSize("resident_rank", plan.residentRank, shape.r, tile))
      return error;
  if (plan.spills(shape) && (strategy != Strategy::StripCache ||
                             transpose != TransposeMode::Implicit))
    return failure(
        formatv("resident_rank is {0} of {1}, but only a strip-cache "
                "with implicit transposition spills",
                plan.residentRank, shape.r));
  if (plan.rereadX && !shape.isSingle())
    return failure("reread_x is set, but only a single product reads X again");
  if (plan.blockK == shape.k)
    return llvm::Error::success();
  if (!plan.partials)
    return failure(formatv("partials is missing, but block_k of {0} makes "
                           "partial sums of {1}",
                           plan.blockK, shape.k));
  if (*plan.partials != ElementType::F32 && *plan.partials != shape.type)
    return failure(formatv("partials is {0}, but sums are f32 or {1}",
                           stringify(*plan.partials), stringify(shape.type)));
  if (shape.isSingle() && !plan.rereadX)
    return failure(formatv("reread_x is missing, but a single product with a "
                           "block_k of {0} of {1} reads X again",
                           plan.blockK, shape.k));
  return llvm::Error::success();
}

static BlockRequest clamp(const BlockRequest &request,
                          const ChainShape &shape) {
  return {std::min(request.blockM, shape.m), std::min(request.blockK, shape.k),
          std::min(request.blockR, shape.r), std::min(request.blockN, shape.n),
          request.nameOfN};
}

//===----------------------------------------------------------------------===//
// Choosing block-m
//===----------------------------------------------------------------------===//

/// The judgement of placement itself, which may need more than the peak.
static bool place(const PlanningTask &task, BlockPlan &plan) {
  std::optional<int64_t> bytes =
      placedPartitionBytes(plannedBuffers(task, plan), task.machine);
  plan.sbufPartitionBytes = bytes.value_or(0);
  return bytes.has_value();
}

/// All plans without spills, by growing block-m.
static std::vector<BlockPlan> enumerate(const PlanningTask &task,
                                        const BlockSearch &search,
                                        const Effort &effort) {
  int64_t tile = task.machine.partitions, m = task.shape.m;
  std::vector<BlockPlan> plans;
  for (int64_t count = 1; count <= maxTilesOfM; ++count) {
    int64_t blockM = std::min(count * tile, m);
    std::optional<BlockPlan> plan = search.resident(blockM, effort);
    if (!plan)
      break; // larger ones need more
    plans.push_back(std::move(*plan));
    // The naive fusion uses square blocks of one moving tile.
    if (blockM == m ||
        (task.isRecompute() && blockM >= task.machine.movingFreeMax))
      break;
  }
  return plans;
}

/// The fastest of `plans`, or the smallest of those that are as fast.
static std::optional<BlockPlan> pick(const PlanningTask &task,
                                     std::vector<BlockPlan> plans) {
  while (!plans.empty()) {
    auto chosen = plans.end() - 1;
    if (!task.isRecompute()) {
      double best = std::numeric_limits<double>::infinity();
      for (const BlockPlan &plan : plans)
        best = std::min(best, plan.weighedNs());
      chosen = llvm::find_if(plans, [&](const BlockPlan &plan) {
        return plan.weighedNs() <= best * tie;
      });
    }
    if (place(task, *chosen)) {
      explainBlockM(task, plans, chosen - plans.begin());
      return *chosen;
    }
    plans.erase(chosen);
  }
  return std::nullopt;
}

static std::optional<BlockPlan> search(const PlanningTask &task,
                                       const BlockRequest &request) {
  BlockSearch search(task, request);
  auto placed = [&](std::optional<BlockPlan> plan) {
    return plan && place(task, *plan) ? plan : std::nullopt;
  };
  auto anyLeast = [&]() -> std::optional<BlockPlan> {
    for (const BlockPlan &plan : search.leastPlans())
      if (auto found = placed(plan))
        return found;
    return std::nullopt;
  };
  if (request.blockM) {
    for (const Effort &effort : efforts(task)) {
      if (auto plan = placed(search.resident(request.blockM, effort)))
        return plan;
      if (auto plan = placed(search.spilled(request.blockM, effort)))
        return plan;
    }
    return anyLeast();
  }
  std::optional<BlockPlan> best;
  for (const Effort &effort : efforts(task)) {
    if (best && effort.slots == 1)
      break;
    auto plan = pick(task, enumerate(task, search, effort));
    if (plan && (!best || plan->weighedNs() * comfort < best->weighedNs()))
      best = std::move(plan);
  }
  if (best)
    return best;
  int64_t smallest = std::min(task.machine.partitions, task.shape.m);
  for (const Effort &effort : efforts(task))
    if (auto plan = placed(search.spilled(smallest, effort)))
      return plan;
  return anyLeast();
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

/// Another way to compile the chain that does fit.
static llvm::StringRef hint(const PlanningTask &task,
                            const BlockRequest &request) {
  if (task.shape.isSingle())
    return "";
  if ((task.isExplicit() || task.isRecompute()) &&
      search({task.shape, Strategy::StripCache, TransposeMode::Implicit,
              task.machine},
             request))
    return "; strip-cache with implicit transposition needs less";
  auto [first, second] = splitSequential(task.shape, task.transpose);
  auto [requestFirst, requestSecond] = splitSequential(request);
  auto fits = [&](const ChainShape &shape, const BlockRequest &part) {
    return search({shape, Strategy::Sequential, task.transpose, task.machine},
                  clamp(part, shape))
        .has_value();
  };
  return fits(first, requestFirst) && fits(second, requestSecond)
             ? "; the sequential strategy needs less"
             : "";
}

/// Says which forced block is in the way, with the sizes at the tightest point.
static llvm::Error overflow(const PlanningTask &task,
                            const BlockRequest &request) {
  std::string sizes =
      describeOverflow(task, BlockSearch(task, request).leastPlans().front());

  struct Field {
    char name;
    int64_t BlockRequest::*requested;
    int64_t BlockPlan::*chosen;
  };
  const Field fields[] = {
      {request.nameOfN, &BlockRequest::blockN, &BlockPlan::blockN},
      {'r', &BlockRequest::blockR, &BlockPlan::blockR},
      {'k', &BlockRequest::blockK, &BlockPlan::blockK},
      {'m', &BlockRequest::blockM, &BlockPlan::blockM}};
  for (const Field &field : fields) {
    if (!(request.*field.requested))
      continue;
    BlockRequest without = request;
    without.*field.requested = 0;
    if (std::optional<BlockPlan> plan = search(task, without))
      return failure(formatv("block-{0} of {1} is too large for SBUF: {2}; "
                             "without it, {3} would be chosen",
                             field.name, request.*field.requested, sizes,
                             (*plan).*field.chosen));
  }
  return failure(
      formatv("no blocks fit SBUF: {0}{1}", sizes, hint(task, request)));
}

llvm::Expected<BlockPlan> mlir::trn::planBlocks(const ChainShape &shape,
                                                Strategy strategy,
                                                TransposeMode transpose,
                                                const BlockRequest &request,
                                                const Machine &machine) {
  if (!shape.isSingle() && strategy == Strategy::Sequential)
    return failure("a sequential chain is planned as two single products");
  if (llvm::Error error = checkShape(shape))
    return error;
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return limited.takeError();
  PlanningTask task{shape, strategy, transpose, *limited};
  if (llvm::Error error = checkRequest(task, request))
    return error;

  BlockRequest clamped = clamp(request, shape);
  std::optional<BlockPlan> plan = search(task, clamped);
  if (!plan)
    return overflow(task, clamped);
  explainPlan(task, clamped, *plan);
  return std::move(*plan);
}
