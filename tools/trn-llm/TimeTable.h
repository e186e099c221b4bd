//===- TimeTable.h - Modelled times side by side ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_TIMETABLE_H
#define TRN_TOOLS_TRN_LLM_TIMETABLE_H

#include "trn/Run/TimeModel.h"

namespace mlir::trn {

/// A model, and how long it takes.
struct TimedVariant {
  /// `dense`, `0.1`.
  std::string name;
  /// The share of the model's parameters to remove, if one was asked for.
  std::optional<double> ratio;
  int64_t cores = 1, batch = 1;
  /// Whole neurons were removed.
  bool isThin = false;
  /// Its MLPs run in the loops of the vendor's blocked product.
  bool hasVendorLoops = false;
  ModelConfig config;
  ModelTime time;
  /// Of weights and caches on a core.
  double hbmGiB = 0;
  /// How factors are split over cores, if there was a choice.
  std::optional<PartitionScheme> scheme = std::nullopt;
  /// Milliseconds of all tokens with each that there was to choose from.
  std::vector<std::pair<PartitionScheme, double>> schemeTimes = {};

  bool isDense() const { return !isThin && config.ranks.empty(); }
};

/// With the cores, the batch and the loops of a variant.
ModelTimeOptions optionsOf(const TimedVariant &variant,
                           ModelTimeOptions options);

/// Milliseconds from the prompt to the last token.
double wholeTime(const ModelTime &time);

/// One table with a column for each variant; of several, the first is what the
/// others are compared with.
void printTimes(llvm::ArrayRef<TimedVariant> variants, llvm::raw_ostream &os);

/// The same numbers: `variants`, each with `prefill`, `first_token` and
/// `last_token`.
llvm::json::Object toJson(llvm::ArrayRef<TimedVariant> variants,
                          const ModelTimeOptions &options);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_TIMETABLE_H
