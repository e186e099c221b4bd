//===- Allocate.cpp - Ranks from singular values --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Allocate.h"

#include "JobTexts.h"
#include "trn/Compress/Rank.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;

namespace {
/// A weight while ranks are shared out.
class Share {
public:
  Share(const Spectrum &weight, int64_t block)
      : weight(weight), block(block),
        useful(getLargestUsefulRank(weight.in, weight.out)), rank(block) {
    // What is lost at each rank, over all.
    lost.assign(weight.sigmas.size() + 1, 0);
    for (size_t i = weight.sigmas.size(); i-- > 0;)
      lost[i] = lost[i + 1] + weight.sigmas[i] * weight.sigmas[i];
    for (size_t i = lost.size(); i-- > 0;)
      lost[i] = lost[0] > 0 ? lost[i] / lost[0] : 0;
  }

  bool canGrow() const {
    return block <= useful && rank + block <= std::min(weight.in, weight.out);
  }
  void grow() { rank += block; }
  /// Of its first block, and of each that comes to it.
  int64_t parameters() const {
    return block <= useful ? block * (weight.in + weight.out)
                           : weight.in * weight.out;
  }
  double gain() const {
    const size_t last = lost.size() - 1;
    return (lost[std::min<size_t>(rank, last)] -
            lost[std::min<size_t>(rank + block, last)]) /
           double(parameters());
  }
  int64_t result() const { return rank <= useful ? rank : 0; }

private:
  const Spectrum &weight;
  int64_t block, useful, rank;
  std::vector<double> lost;
};
} // namespace

std::vector<int64_t> mlir::trn::allocateRanks(llvm::ArrayRef<Spectrum> weights,
                                              int64_t block,
                                              int64_t parameters) {
  std::vector<Share> shares;
  for (const Spectrum &weight : weights) {
    shares.emplace_back(weight, block);
    parameters -= shares.back().parameters();
  }
  while (true) {
    Share *best = nullptr;
    for (Share &share : shares)
      if (share.canGrow() && share.parameters() <= parameters &&
          (!best || share.gain() > best->gain()))
        best = &share;
    if (!best)
      break;
    parameters -= best->parameters();
    best->grow();
  }
  std::vector<int64_t> ranks;
  for (const Share &share : shares)
    ranks.push_back(share.result());
  return ranks;
}

static llvm::Error allocateRelatively(const CompressionJob &job,
                                      const Checkpoint &checkpoint,
                                      int64_t block,
                                      std::vector<FactoredMatrix> &plan,
                                      HostModel::Progress progress) {
  auto calibration = readCalibration(job, checkpoint.config());
  if (!calibration)
    return calibration.takeError();
  auto spectra = measureSpectra(checkpoint, *calibration, job.options.method,
                                job.options.factoring.threads, plan,
                                /*curvature=*/nullptr, progress);
  if (!spectra)
    return spectra.takeError();
  int64_t parameters = 0;
  for (const FactoredMatrix &matrix : plan)
    if (matrix.isFactored())
      parameters += matrix.parameters();
  std::vector<int64_t> ranks = allocateRanks(*spectra, block, parameters);
  const int64_t *rank = ranks.data();
  for (FactoredMatrix &matrix : plan) {
    if (!matrix.isFactored())
      continue;
    matrix.rank = *rank++;
    if (!matrix.rank)
      matrix.keptDense = keepsAll.str();
  }
  return llvm::Error::success();
}

/// What the members of a group have at each of its sizes.
static void countParameters(llvm::ArrayRef<FactoredMatrix> plan,
                            SizeGroup &group) {
  for (size_t number = 0; number < group.sizes.size(); ++number) {
    int64_t count = 0;
    for (size_t member : group.members) {
      FactoredMatrix own = plan[member];
      setSize(own, group, number);
      count += own.parameters();
    }
    group.costs.push_back(double(count));
  }
}

static llvm::Error allocateByLoss(const CompressionJob &job,
                                  const Checkpoint &checkpoint, int64_t block,
                                  std::vector<FactoredMatrix> &plan,
                                  HostModel::Progress progress) {
  std::vector<SizeGroup> groups = listGroups(
      plan, checkpoint.config().layers, block, /*byMlp=*/false, job.thinRank);
  double budget = 0;
  for (SizeGroup &group : groups) {
    countParameters(plan, group);
    for (size_t member : group.members)
      budget += double(plan[member].parameters());
  }
  if (llvm::Error error =
          measureLosses(job, checkpoint, plan, groups, progress))
    return error;
  auto chosen = chooseSizes(groups, budget);
  if (!chosen)
    return llvm::createStringError(llvm::formatv(
        "the parameters that are to stay are fewer than {0} {1} take "
        "everywhere; give a smaller --block",
        block, job.cutsNeurons ? "neurons" : "ranks"));
  placeSizes(groups, *chosen, plan);
  return llvm::Error::success();
}

llvm::Error mlir::trn::allocatePlan(const CompressionJob &job,
                                    const Checkpoint &checkpoint, int64_t block,
                                    std::vector<FactoredMatrix> &plan,
                                    HostModel::Progress progress) {
  return job.allocation == Allocation::Loss
             ? allocateByLoss(job, checkpoint, block, plan, progress)
             : allocateRelatively(job, checkpoint, block, plan, progress);
}
