//===- TimeTargets.cpp - The least that reaches a target ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeTargets.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

namespace {
/// The figures of a variant that targets are about.
struct Speed {
  double msPerToken, tokensPerSecond;
};

/// Where in the ranges of a machine's constants.
enum class End { Middle, Fast, Slow };
} // namespace

static double numberOf(const llvm::json::Value &value, End end) {
  if (const llvm::json::Array *range = value.getAsArray())
    return *(*range)[end == End::Slow].getAsNumber();
  return *value.getAsNumber();
}

static Speed speedOf(const TimedVariant &variant, End end) {
  double perToken = 0, whole = 0;
  for (const auto &[key, value] : timeEntries(variant.time)) {
    bool isMiddle = end == End::Middle;
    if (key == (isMiddle ? "ms_per_token" : "ms_per_token_range"))
      perToken = numberOf(value, end);
    if (key == (isMiddle ? "e2e_ms" : "e2e_range_ms"))
      whole = numberOf(value, end);
  }
  auto tokens = double(variant.batch * variant.time.newTokens);
  return {perToken, 1e3 * tokens / whole};
}

static const TimedVariant *findLeast(ArrayRef<TimedVariant> variants,
                                     const TimeTargets &targets, End end) {
  const TimedVariant *least = nullptr;
  for (const TimedVariant &variant : variants) {
    Speed speed = speedOf(variant, end);
    if (variant.hasVendorLoops || // nobody would choose a baseline
        speed.msPerToken > targets.maxMsPerToken.value_or(HUGE_VAL) ||
        speed.tokensPerSecond < targets.minTokensPerSecond.value_or(0))
      continue;
    if (!least || variant.cores < least->cores ||
        (variant.cores == least->cores &&
         speed.msPerToken < speedOf(*least, end).msPerToken))
      least = &variant;
  }
  return least;
}

static std::string describe(const TimedVariant *variant, End end) {
  if (!variant)
    return "no variant";
  Speed speed = speedOf(*variant, end);
  return formatv("{0} core{1}, batch {2}, {3}: {4:F2} ms a token, {5:F1} new "
                 "tokens a second",
                 variant->cores, variant->cores > 1 ? "s" : "", variant->batch,
                 variant->name, speed.msPerToken, speed.tokensPerSecond);
}

static std::string describe(const TimeTargets &targets) {
  SmallVector<std::string> texts;
  if (targets.maxMsPerToken)
    texts.push_back(
        formatv("at most {0} ms a token", formatValue(*targets.maxMsPerToken)));
  if (targets.minTokensPerSecond)
    texts.push_back(formatv("at least {0} new tokens a second",
                            formatValue(*targets.minTokensPerSecond)));
  return llvm::join(texts, " and ");
}

static llvm::json::Value name(const TimedVariant *variant) {
  if (!variant)
    return nullptr;
  return llvm::json::Object{{"cores", variant->cores},
                            {"batch", variant->batch},
                            {"name", variant->name}};
}

llvm::json::Value mlir::trn::printTargets(ArrayRef<TimedVariant> variants,
                                          const TimeTargets &targets,
                                          llvm::raw_ostream &os) {
  if (!targets.maxMsPerToken && !targets.minTokensPerSecond)
    return nullptr;
  const TimedVariant *least = findLeast(variants, targets, End::Middle);
  os << "fewest cores with " << describe(targets) << ": "
     << describe(least, End::Middle) << '\n';
  llvm::json::Object answer{{"least", name(least)}};
  if (!variants.front().time.prefill.report.total.latencyRange)
    return std::move(answer);
  for (auto [where, end] :
       {std::pair("slow", End::Slow), std::pair("fast", End::Fast)}) {
    const TimedVariant *other = findLeast(variants, targets, end);
    answer[where] = name(other);
    if (other == least)
      continue;
    os << "  with the machine's constants at their " << where
       << " ends: " << describe(other, end) << '\n';
  }
  return std::move(answer);
}
