//===- JobTexts.cpp - What a compression is fitted to ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JobTexts.h"

#include "trn/Model/HostModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

static llvm::Expected<JobTexts::Stories>
readCalibration(const CompressionJob &job, const ModelConfig &config,
                SequenceReader &reader) {
  auto found =
      reader.read(job.calibration,
                  {job.calibrationStories,
                   std::min(job.maxTokens, config.maxPositions), job.seed});
  if (!found)
    return found.takeError();
  if (llvm::Error error = checkTokens(config, *found))
    return llvm::createFileError(job.calibration, std::move(error));
  return found;
}

llvm::Expected<JobTexts::Stories>
mlir::trn::readCalibration(const CompressionJob &job,
                           const ModelConfig &config) {
  SequenceReader reader(job.model, job.tokenizer, config.vocabulary);
  return ::readCalibration(job, config, reader);
}

llvm::Error JobTexts::read(const CompressionJob &job, const ModelConfig &config,
                           bool isFitted) {
  SequenceReader reader(job.model, job.tokenizer, config.vocabulary);
  const int64_t most = std::min(job.maxTokens, config.maxPositions);
  if (isFitted)
    if (llvm::Error error =
            ::readCalibration(job, config, reader).moveInto(calibration))
      return error;
  if (job.training) {
    auto found =
        reader.read(job.calibration, {job.training->stories, most, job.seed});
    if (!found)
      return found.takeError();
    training = std::move(*found);
  }
  if (isFitted)
    if (llvm::Error error = readHeldOut(job, reader, most))
      return error;
  for (const std::string &text : job.evaluation) {
    auto stories = reader.read(text, {job.evaluationStories, most});
    if (!stories)
      return stories.takeError();
    evaluation.push_back(std::move(*stories));
  }
  return refuseFitted(job);
}

/// The next stories of the text that nothing was fitted to; where there are
/// none, those of the calibration.
llvm::Error JobTexts::readHeldOut(const CompressionJob &job,
                                  SequenceReader &reader, int64_t most) {
  const int64_t count = 16;
  const std::set<HostModel::Tokens> fitted = fittedStories();
  auto found = reader.read(
      job.calibration,
      {int64_t(calibration.size() + training.size()) + count, most});
  if (!found)
    return found.takeError();
  for (HostModel::Tokens &story : *found)
    if (!fitted.count(story) && int64_t(measured.size()) < count)
      measured.push_back(std::move(story));
  isHeldOut = !measured.empty();
  if (measured.empty())
    measured = calibration;
  return llvm::Error::success();
}

std::set<HostModel::Tokens> JobTexts::fittedStories() const {
  std::set<HostModel::Tokens> fitted(calibration.begin(), calibration.end());
  fitted.insert(training.begin(), training.end());
  return fitted;
}

/// A figure for a text that was fitted says nothing.
llvm::Error JobTexts::refuseFitted(const CompressionJob &job) const {
  const std::set<HostModel::Tokens> fitted = fittedStories();
  for (auto [text, stories] : llvm::zip_equal(job.evaluation, evaluation))
    for (auto [number, story] : llvm::enumerate(stories))
      if (fitted.count(story))
        return createStringError(
            formatv("story {0} of '{1}' is one that factors are fitted to; "
                    "evaluate on another text than '{2}'",
                    number + 1, text, job.calibration));
  return llvm::Error::success();
}
