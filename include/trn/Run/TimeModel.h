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

/// What to ask of a model.
struct ModelTimeOptions {
  Machine machine;
  /// Of weights and intermediates.
  ElementType type = ElementType::BF16;
  /// Logical cores that share the work of each layer.
  int64_t cores = 1;
  PartitionScheme scheme = PartitionScheme::Column;
  /// Tokens that are there before, and that are generated, of each sequence.
  int64_t promptTokens = 0, newTokens = 0;
  /// Sequences. Their prompts follow each other; then each step makes a token
  /// of all of them.
  int64_t batch = 1;
  /// Also the ranges of latencies.
  bool range = false;
  /// Keep a timeline of the last token, or of a single step.
  bool timeline = false;
  /// Plans of a kernel that are simulated at most; none is the default.
  std::optional<int64_t> effort = std::nullopt;
  /// Folder of plans, or empty.
  std::string planCache = {};
  /// Told before each function, and at the end.
  std::function<void(size_t done, size_t total)> progress = {};
  /// Told of warnings of the compiler, as of a plan that cannot be read.
  std::function<void(const std::string &text)> warn = {};
};

/// Fails if a model has no positions for these tokens.
llvm::Error checkTokens(const ModelConfig &config,
                        const ModelTimeOptions &options);

/// Rows of caches that hold `tokens` tokens: the next power of two, or all
/// positions.
int64_t chooseContext(int64_t tokens, const ModelConfig &config);

/// Bytes of weights and caches that a core holds, at least.
double countHbmBytes(const ModelConfig &config,
                     const ModelTimeOptions &options);
/// Fails if these are more than a core has of HBM.
llvm::Error checkHbm(const ModelConfig &config,
                     const ModelTimeOptions &options);

/// One call of a function of a model.
struct StepTime {
  /// Rows of `@prefill`, or of the caches of `@decode`.
  int64_t size = 0;
  Report report = {};
  TimeSplit split = {};
  /// As `RecordedTimeline` has it; null if nobody asked.
  llvm::json::Value timeline = nullptr;
};

/// How long a model takes. Tokens in between the first and the last one are
/// taken to lie on a line between them.
struct ModelTime {
  /// Of one prompt: logits of its last token.
  StepTime prefill;
  /// Of the first and of the last new token of all sequences, behind as many
  /// tokens as there are by then, with caches of `chooseContext`.
  StepTime first, last;
  int64_t promptTokens = 0, newTokens = 0, batch = 1;
};

/// Compile one function of a model from its shape alone, and simulate it: of a
/// prompt of `rows` tokens, and of a token of each sequence behind caches of
/// `context` rows. Fail with what the compiler says.
llvm::Expected<StepTime> timePrefill(const ModelConfig &config,
                                     const ModelTimeOptions &options,
                                     int64_t rows);
llvm::Expected<StepTime> timeDecode(const ModelConfig &config,
                                    const ModelTimeOptions &options,
                                    int64_t context);

/// Compiles the functions of a model from its shape alone, and simulates them.
/// Fails where `checkTokens` and `checkHbm` do, or with what the compiler says.
llvm::Expected<ModelTime> timeModel(const ModelConfig &config,
                                    const ModelTimeOptions &options);

/// `ttft_ms`, `ms_per_token`, `e2e_ms` and so on, with ranges if there are any.
Entries timeEntries(const ModelTime &time);
/// `latency_ms`, `bound_ms`, `launches`, `host_ops`.
Entries stepEntries(const StepTime &step);
/// Milliseconds by part; `unknown` only where there is any.
Entries splitEntries(const TimeSplit &split);

} // namespace mlir::trn

#endif // TRN_RUN_TIMEMODEL_H
