//===- TimeModel.h - Modelled times of language models ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_TIMEMODEL_H
#define TRN_RUN_TIMEMODEL_H

#include "trn/Model/Config.h"
#include "trn/Report/Keys.h"
#include "trn/Run/ModelParts.h"
#include "trn/Support/FloatTypes.h"
#include "trn/Transforms/Partition/Passes.h"

namespace mlir::trn {

/// Options for timing a model.
struct ModelTimeOptions {
  Machine machine;
  /// The type of weights and intermediates.
  ElementType type = ElementType::BF16;
  /// Logical cores that share the work of each layer.
  int64_t cores = 1;
  PartitionScheme scheme = PartitionScheme::Column;
  /// MLPs run in the loops of the vendor's blocked product, strategy `nki-xw`.
  bool hasVendorLoops = false;
  /// No maxima are subtracted in softmax (`trn-drop-maxima`).
  bool dropMaxima = false;
  /// Tokens of the prompt, and new ones, per sequence.
  int64_t promptTokens = 0, newTokens = 0;
  /// Number of sequences. Their prompts run one after the other; then each step
  /// generates a token of all of them.
  int64_t batch = 1;
  /// Also compute ranges of latencies.
  bool range = false;
  /// Keep a timeline of the last token, or of a single step.
  bool timeline = false;
  /// Most plans that are simulated for a kernel; none: the default.
  std::optional<int64_t> effort = std::nullopt;
  /// Folder of plans, or empty.
  std::string planCache = {};
  /// Called before each function, and at the end.
  std::function<void(size_t done, size_t total)> progress = {};
  /// Receives warnings of the compiler, such as an unreadable plan.
  std::function<void(const std::string &text)> warn = {};
};

/// Fails if the model lacks positions for these tokens.
llvm::Error checkTokens(const ModelConfig &config,
                        const ModelTimeOptions &options);

/// Rows of caches that hold `tokens` tokens: the next power of two, or all
/// positions.
int64_t chooseContext(int64_t tokens, const ModelConfig &config);

/// Least bytes of weights and caches on a core.
double countHbmBytes(const ModelConfig &config,
                     const ModelTimeOptions &options);
/// Fails if they exceed a core's HBM.
llvm::Error checkHbm(const ModelConfig &config,
                     const ModelTimeOptions &options);

/// One call of a function of a model.
struct StepTime {
  /// Rows of `@prefill`, or of the caches of `@decode`.
  int64_t size = 0;
  Report report = {};
  TimeSplit split = {};
  /// From `RecordedTimeline`; null unless requested.
  llvm::json::Value timeline = nullptr;
};

/// Latency of a model. Tokens between the first and the last one are
/// interpolated linearly.
struct ModelTime {
  /// One prompt, up to the logits of its last token.
  StepTime prefill;
  /// First and last new token of all sequences, after the tokens before it,
  /// with caches of `chooseContext`.
  StepTime first, last;
  int64_t promptTokens = 0, newTokens = 0, batch = 1;
};

/// Compile one function of a model from its shape alone, and simulate it: a
/// prompt of `rows` tokens, or a token of each sequence after caches of
/// `context` rows. Fail with the compiler's error.
llvm::Expected<StepTime> timePrefill(const ModelConfig &config,
                                     const ModelTimeOptions &options,
                                     int64_t rows);
llvm::Expected<StepTime> timeDecode(const ModelConfig &config,
                                    const ModelTimeOptions &options,
                                    int64_t context);

/// Compiles the functions of a model from its shape alone, and simulates them.
/// Fails if `checkTokens` or `checkHbm` does, or with the compiler's error.
llvm::Expected<ModelTime> timeModel(const ModelConfig &config,
                                    const ModelTimeOptions &options);

/// `ttft_ms`, `ms_per_token`, `e2e_ms` and so on, with ranges if there are any.
Entries timeEntries(const ModelTime &time);
/// `latency_ms`, `bound_ms`, `launches`, `host_ops`.
Entries stepEntries(const StepTime &step);
/// Milliseconds by part; `unknown` only if there is any.
Entries splitEntries(const TimeSplit &split);

} // namespace mlir::trn

#endif // TRN_RUN_TIMEMODEL_H
