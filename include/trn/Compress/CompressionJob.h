//===- CompressionJob.h - What trn-compress is asked to do ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_COMPRESSIONJOB_H
#define TRN_COMPRESS_COMPRESSIONJOB_H

#include "trn/Compress/CompressOptions.h"
#include "trn/Support/FloatTypes.h"
#include "trn/Train/TrainFactors.h"
#include "llvm/Support/JSON.h"
#include <functional>

namespace mlir::trn {

/// How accuracy is won back.
enum class Recovery : uint8_t { None, Closed, Block, Lora, Distill };
llvm::StringRef stringify(Recovery recovery);

/// How weights share parameters: each gets the size that is asked for; more
/// where singular values fall slowly; or as the loss of the model is estimated
/// to rise least.
enum class Allocation : uint8_t { Uniform, Relative, Loss };
llvm::StringRef stringify(Allocation allocation);

/// How the model is written: factors as they are; multiplied; or that, and MLPs
/// filled up with zeros to the widest.
enum class Export : uint8_t { Factors, Dense, Padded };
llvm::StringRef stringify(Export exported);

/// How factors are trained at last, all of them together.
struct TrainingJob {
  TrainOptions options;
  /// Stories of the calibration's text.
  int64_t stories = 0;
  /// Gets the adapters, or empty.
  std::string savedAdapter;
};

/// What `trn-compress` was asked to do. Files and folders are named by paths.
struct CompressionJob {
  /// The adapter is one that `checkpoint` has been changed by, or empty.
  std::string model, output, calibration, tokenizer, adapter;
  int64_t calibrationStories = 0, maxTokens = 0;
  /// Draws the stories; without it, they are the first ones.
  std::optional<uint64_t> seed = std::nullopt;
  Allocation allocation = Allocation::Uniform;
  Recovery recovery = Recovery::Closed;
  CompressOptions options;
  /// Neurons of MLPs go; ranks of weights only from what these leave.
  bool cutsNeurons = false;
  /// Of the factors that these may become.
  std::optional<int64_t> thinRank = std::nullopt;
  std::optional<TrainingJob> training = std::nullopt;

  /// Of what is written; the type of the model if none is given.
  std::optional<ElementType> type = std::nullopt;
  /// Of the weights of projections, i8 or f8E4M3FN; the same if none is given.
  std::optional<ElementType> weightType = std::nullopt;
  int64_t maxShardBytes = 0;
  Export exported = Export::Factors;

  /// Texts to report on, and how many of their stories (0: all).
  std::vector<std::string> evaluation = {};
  int64_t evaluationStories = 0;

  /// What the modelled times of weights are of, for the manifest; null if there
  /// are none.
  llvm::json::Value modelled = nullptr;

  /// What a speed-up that was asked for came to, for the manifest, or null.
  llvm::json::Value speedUp = nullptr;

  /// Goes on with what an interrupted job left, or throws it away with all
  /// that a job has made there.
  bool resumes = false, overwrites = false;

  /// Gets a word on what may not be meant.
  std::function<void(const std::string &)> warn;
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESSIONJOB_H
