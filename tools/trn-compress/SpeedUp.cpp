//===- SpeedUp.cpp - Sizes of MLPs for a time -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SpeedUp.h"

#include "RecoveryOptions.h"
#include "trn/Run/TimeModel.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
namespace cl = llvm::cl;

static cl::opt<double>
    speedUp("speedup",
            cl::desc("Make MLPs so many times as fast, as modelled at --rows"),
            cl::value_desc("times"), cl::init(0), cl::cat(getCategory()));

std::optional<double> mlir::trn::getSpeedUp() {
  return speedUp.getNumOccurrences() ? std::optional<double>(speedUp)
                                     : std::nullopt;
}

llvm::Error mlir::trn::checkSpeedUp(const CompressionJob &job, bool isDryRun) {
  if (!getSpeedUp())
    return llvm::Error::success();
  if (!(speedUp > 1 && std::isfinite(speedUp)))
    return refuse("--speedup is {0}, but must be above 1", double(speedUp));
  if (isDryRun)
    return refuse("--speedup chooses sizes by what a calibration says, which "
                  "--dry-run does not read; leave one out");
  if (job.exported == Export::Padded ||
      (job.exported == Export::Dense && !job.cutsNeurons))
    return refuse("--export={0} writes weights that take more time than those "
                  "of --speedup; leave one out",
                  stringify(job.exported));
  return llvm::Error::success();
}

llvm::Error mlir::trn::explainNoSizes(llvm::Error error,
                                      const RankChoice &choice) {
  if (!getSpeedUp())
    return error;
  return llvm::handleErrors(
      std::move(error), [&](const NothingToFactor &nothing) -> llvm::Error {
        return createStringError(formatv(
            "--speedup gives MLPs multiples of {0} {1}, and at most {2} would "
            "be fewer parameters; give a smaller --block",
            choice.block, choice.cutsNeurons ? "neurons" : "ranks",
            nothing.largestRank));
      });
}

llvm::json::Object SpeedUpResult::toJSON() const {
  return llvm::json::Object{{"asked", asked},
                            {"modelled", factor()},
                            {"mlp_ms", llvm::json::Array{whole, left}},
                            {"estimated_loss", loss}};
}

namespace {
/// Chooses by the times that MLPs take in the model, where kernels also compute
/// what lies beside them.
class TimeAllocator {
public:
  TimeAllocator(const CompressionJob &job, const Checkpoint &checkpoint,
                const TimedKernels &kernels,
                const std::vector<FactoredMatrix> &plan,
                std::vector<SizeGroup> groups)
      : job(job), checkpoint(checkpoint), config(checkpoint.config()),
        kernels(kernels), plan(plan), groups(std::move(groups)) {
    llvm::SmallString<128> folder;
    if (!llvm::sys::Process::GetEnv("TRN_PLAN_CACHE") &&
        !llvm::sys::fs::createUniqueDirectory("trn-compress", folder))
      planCache = folder.str().str();
  }
  ~TimeAllocator() {
    if (!planCache.empty())
      llvm::sys::fs::remove_directories(planCache);
  }
  TimeAllocator(const TimeAllocator &) = delete;

  llvm::Error measure(HostModel::Progress progress);
  llvm::Expected<SpeedUpResult> choose(std::vector<FactoredMatrix> &result);

private:
  using Choice = std::vector<size_t>;
  llvm::Error timeSizes(HostModel::Progress progress);
  /// Milliseconds of all MLPs of the model.
  llvm::Expected<double> timeModel(const Choice &choice);
  Choice largest() const;
  Choice fastest() const;
  llvm::Error refuse(double factor) const;
  double costOf(const Choice &choice) const {
    double sum = 0;
    for (auto [group, number] : llvm::zip_equal(groups, choice))
      sum += group.costs[number];
    return sum;
  }
  double lossOf(const Choice &choice) const {
    double sum = 0;
    for (auto [group, number] : llvm::zip_equal(groups, choice))
      sum += group.losses[number];
    return sum;
  }

  const CompressionJob &job;
  const Checkpoint &checkpoint;
  const ModelConfig &config;
  const TimedKernels &kernels;
  const std::vector<FactoredMatrix> &plan;
  std::vector<SizeGroup> groups;
  std::map<Choice, double> known; // times in the model
  /// For most kernels of the model, which all choices have; empty if there is
  /// no place for it, or if the environment names one.
  std::string planCache;
};
} // namespace

TimeAllocator::Choice TimeAllocator::largest() const {
  Choice choice;
  for (const SizeGroup &group : groups)
    choice.push_back(group.sizes.size() - 1);
  return choice;
}

/// Costs are what a size takes beyond the fastest one. MLPs of one shape are
/// timed together: what a size saves in all of them, each saves a part of. The
/// last layer is one of its own, as only its last token is needed.
llvm::Error TimeAllocator::timeSizes(HostModel::Progress progress) {
  const size_t lastLayer = plan.size() - plan.size() / config.layers;
  std::map<std::tuple<bool, int64_t, int64_t>, std::vector<size_t>> shapes;
  for (auto [i, group] : llvm::enumerate(groups)) {
    const size_t first = group.members.front();
    shapes[{first >= lastLayer, plan[first].out, plan[first].in}].push_back(i);
  }
  for (const auto &[shape, numbers] : shapes) {
    const size_t count = groups[numbers.front()].sizes.size();
    std::vector<double> costs;
    for (size_t size = 0; size < count; ++size) {
      progress(size, count);
      Choice choice = largest();
      for (size_t number : numbers)
        choice[number] = size;
      llvm::Expected<double> time = timeModel(choice);
      if (!time)
        return time.takeError();
      costs.push_back(*time / double(numbers.size()));
    }
    const double least = *llvm::min_element(costs);
    for (double &cost : costs)
      cost -= least;
    for (size_t number : numbers)
      groups[number].costs = costs;
  }
  return llvm::Error::success();
}

llvm::Error TimeAllocator::measure(HostModel::Progress progress) {
  if (llvm::Error error = timeSizes(progress))
    return error;
  return measureLosses(job, checkpoint, plan, groups, progress);
}

llvm::Expected<double> TimeAllocator::timeModel(const Choice &choice) {
  auto [place, isNew] = known.try_emplace(choice);
  if (!isNew)
    return place->second;
  std::vector<FactoredMatrix> sized = plan;
  placeSizes(groups, choice, sized);
  // Kernels may have more rows than the model has positions.
  const int64_t rows = kernels.rows.front();
  ModelConfig left = factoredConfig(config, sized);
  left.maxPositions = std::max(left.maxPositions, rows);
  ModelTimeOptions options;
  options.machine = kernels.machine;
  options.type = *kernels.type;
  options.planCache = planCache;
  llvm::Expected<StepTime> time = timePrefill(left, options, rows);
  if (!time)
    return time.takeError();
  return place->second = double(time->split[size_t(ModelPart::Mlp)]) / 1e9;
}

TimeAllocator::Choice TimeAllocator::fastest() const {
  Choice choice;
  for (const SizeGroup &group : groups)
    choice.push_back(llvm::min_element(group.costs) - group.costs.begin());
  return choice;
}

llvm::Error TimeAllocator::refuse(double factor) const {
  const int64_t rows = kernels.rows.front();
  const std::string where =
      formatv("at {0} {1} on {2}", rows, rows == 1 ? "row" : "rows",
              kernels.machine.name);
  if (factor < 1.01)
    return createStringError(formatv(
        "--speedup={0} cannot be had: no {1} make MLPs faster {2}; "
        "{3}",
        double(speedUp), job.cutsNeurons ? "fewer neurons" : "factors", where,
        job.cutsNeurons ? "give a smaller --block or other --rows"
                        : "try --method=neurons"));
  return createStringError(formatv(
      "--speedup={0} cannot be had: with the fastest sizes MLPs are modelled "
      "{1} times as fast {2}; ask for at most that",
      double(speedUp), std::floor(100 * factor) / 100, where));
}

/// What the model takes beside the sum of its MLPs' times corrects the budget
/// of the next try.
llvm::Expected<SpeedUpResult>
TimeAllocator::choose(std::vector<FactoredMatrix> &result) {
  Choice best = fastest();
  llvm::Expected<double> whole = timeModel(largest()), least = timeModel(best);
  if (!whole || !least)
    return llvm::joinErrors(whole.takeError(), least.takeError());
  const double wanted = *whole / speedUp;
  if (*least > wanted)
    return refuse(*whole / *least);
  double budget = costOf(largest()) - (*whole - wanted);
  for (int tries = 0; tries < 6; ++tries) {
    std::optional<Choice> choice = chooseSizes(groups, std::max(budget, 0.0));
    if (!choice)
      break;
    const bool isNew = !known.count(*choice);
    llvm::Expected<double> time = timeModel(*choice);
    if (!time)
      return time.takeError();
    const double cost = costOf(*choice);
    if (*time <= wanted && lossOf(*choice) < lossOf(best))
      best = *choice;
    if (*time <= wanted && !isNew)
      break;
    budget = cost + (wanted - *time);
    // The same would be chosen again.
    if (*time > wanted)
      budget = std::min(budget, cost * (1 - 1e-6));
  }
  placeSizes(groups, best, result);
  return SpeedUpResult{speedUp, *whole, known[best], lossOf(best)};
}

llvm::Expected<SpeedUpResult>
mlir::trn::allocateTime(const CompressionJob &job, const Checkpoint &checkpoint,
                        const TimedKernels &kernels, int64_t block,
                        std::vector<FactoredMatrix> &plan,
                        HostModel::Progress progress) {
  const int64_t layers = checkpoint.config().layers;
  std::vector<SizeGroup> groups =
      listGroups(plan, layers, block, /*byMlp=*/true, job.thinRank);
  const int64_t perLayer = plan.size() / layers;
  for (const SizeGroup &group : groups)
    if (group.members.size() != 3)
      return createStringError(formatv(
          "--speedup is of whole MLPs, but of that of layer {0} only some "
          "weights are asked for; choose MLPs by --layers",
          int64_t(group.members.front()) / perLayer));
  std::vector<FactoredMatrix> sized = plan;
  TimeAllocator allocator(job, checkpoint, kernels, plan, std::move(groups));
  if (llvm::Error error = allocator.measure(progress))
    return error;
  auto result = allocator.choose(sized);
  if (result)
    plan = std::move(sized);
  return result;
}
