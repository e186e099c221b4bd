//===- Allocate.cpp - Ranks from singular values --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Allocate.h"

#include "trn/Compress/Rank.h"
#include "trn/Model/Texts.h"
#include "llvm/ADT/STLExtras.h"

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

llvm::Error mlir::trn::allocatePlan(const CompressionJob &job,
                                    const Checkpoint &checkpoint, int64_t block,
                                    std::vector<FactoredMatrix> &plan,
                                    HostModel::Progress progress) {
  const ModelConfig &config = checkpoint.config();
  SequenceReader reader(job.model, job.tokenizer, config.vocabulary);
  auto calibration =
      reader.read(job.calibration,
                  {job.calibrationStories,
                   std::min(job.maxTokens, config.maxPositions), job.seed});
  if (!calibration)
    return calibration.takeError();
  if (llvm::Error error = checkTokens(config, *calibration))
    return llvm::createFileError(job.calibration, std::move(error));
  auto spectra = measureSpectra(checkpoint, *calibration, job.options.method,
                                job.options.factoring.threads, plan, progress);
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
      matrix.keptDense = "its share of the parameters is all that it has";
  }
  return llvm::Error::success();
}
