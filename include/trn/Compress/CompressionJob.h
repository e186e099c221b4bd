//===- CompressionJob.h - A job of trn-compress -----------------*- C++ -*-===//
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

/// Recovery of accuracy.
enum class Recovery : uint8_t { None, Closed, Block, Lora, Distill };
llvm::StringRef stringify(Recovery recovery);

/// Distribution of parameters: each weight gets the requested size; or more
/// where singular values fall slowly; or as the estimated loss of the model
/// rises least.
enum class Allocation : uint8_t { Uniform, Relative, Loss };
llvm::StringRef stringify(Allocation allocation);

/// The written model: factors as they are; multiplied; or multiplied, with MLPs
/// padded with zeros to the widest.
enum class Export : uint8_t { Factors, Dense, Padded };
llvm::StringRef stringify(Export exported);

/// The final training of all factors together.
struct TrainingJob {
  TrainOptions options;
  /// Stories of the calibration's text.
  int64_t stories = 0;
  /// Folder for the adapters, or empty.
  std::string savedAdapter;
};

/// The request to `trn-compress`. Files and folders are paths.
struct CompressionJob {
  /// `adapter` has been applied to `checkpoint`, or is empty.
  std::string model, output, calibration, tokenizer, adapter;
  int64_t calibrationStories = 0, maxTokens = 0;
  /// Draws stories at random; without it, the first ones are used.
  std::optional<uint64_t> seed = std::nullopt;
  Allocation allocation = Allocation::Uniform;
  Recovery recovery = Recovery::Closed;
  CompressOptions options;
  /// Neurons of MLPs go; ranks then apply to the remaining weights only.
  bool cutsNeurons = false;
  /// Rank of the factors that these may become.
  std::optional<int64_t> thinRank = std::nullopt;
  std::optional<TrainingJob> training = std::nullopt;

  /// Type of the output; default: the type of the model.
  std::optional<ElementType> type = std::nullopt;
  /// Type of projections, i8 or f8E4M3FN; default: the same.
  std::optional<ElementType> weightType = std::nullopt;
  int64_t maxShardBytes = 0;
  Export exported = Export::Factors;

  /// Texts for the report, and the number of their stories (0: all).
  std::vector<std::string> evaluation = {};
  int64_t evaluationStories = 0;

  /// The context of the weights' modelled times, for the manifest; null if
  /// there are none.
  llvm::json::Value modelled = nullptr;

  /// The outcome of a requested speed-up, for the manifest, or null.
  llvm::json::Value speedUp = nullptr;

  /// Continues an interrupted job, or deletes all that a job has made there.
  bool resumes = false, overwrites = false;

  /// Receives warnings about possible mistakes.
  std::function<void(const std::string &)> warn;
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_COMPRESSIONJOB_H
