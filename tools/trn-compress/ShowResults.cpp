//===- ShowResults.cpp - What trn-compress tells --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShowResults.h"

#include "ModelledTimes.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Page/Html.h"
#include "trn/Support/Escape.h"
#include "trn/Support/OutputFile.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir::trn;
using llvm::StringRef;

void mlir::trn::warn(const std::string &text) {
  llvm::WithColor::warning(llvm::errs(), "trn-compress")
      << escapeUnprintable(text) << "\n";
}

void mlir::trn::warnOfIdlePartitions(llvm::ArrayRef<FactoredMatrix> plan) {
  const int64_t tile = defaultMachine().partitions;
  for (const FactoredMatrix &matrix : plan)
    for (auto [count, kind] :
         {std::pair{matrix.rank, "ranks"},
          {matrix.isOfMlp() ? matrix.neurons : 0, "neurons"}})
      if (matrix.isChanged() && count % tile) {
        warn(llvm::formatv(
            "{0} that are no multiple of {1} leave partitions idle", kind,
            tile));
        return;
      }
}

void mlir::trn::warnOfOtherShare(const RankChoice &choice,
                                 const ModelConfig &config,
                                 llvm::ArrayRef<FactoredMatrix> plan) {
  if (!choice.ratio && !choice.modelRatio)
    return;
  double before = double(countParameters(config)),
         after = double(countParameters(factoredConfig(config, plan)));
  if (choice.ratio) {
    const double others = before;
    before = 0;
    for (const FactoredMatrix &matrix : plan)
      if (matrix.keptDense != notAsked)
        before += double(matrix.out * matrix.in);
    after += before - others;
  }
  const double wanted = choice.ratio ? *choice.ratio : *choice.modelRatio,
               found = 1 - after / before;
  if (found < 0.75 * wanted || found > 1.25 * wanted)
    warn(llvm::formatv(
        "{0:P1} of the parameters of {1} go, not {2:P1}: sizes are multiples "
        "of {3} and weights that would not shrink stay dense; a smaller "
        "--block comes nearer",
        found, choice.ratio ? "these weights" : "the model", wanted,
        choice.block));
}

/// ` rank 128   weight error 0.1234, output error 0.2345`, or what is known of
/// that.
static std::string describeChange(const FactoredMatrix &matrix) {
  std::string text;
  if (matrix.isThin())
    text += llvm::formatv(" {0} of {1} {2}", matrix.neurons,
                          matrix.losesInputs() ? matrix.in : matrix.out,
                          matrix.isOfMlp() ? "neurons" : "elements of heads");
  if (matrix.rank)
    text += llvm::formatv(" rank {0,-5}", matrix.rank);
  const char *separator = matrix.isThin() ? ", " : " ";
  for (auto [key, name] : {std::pair{"weight_error", "weight error"},
                           {"output_error", "output error"}})
    if (std::optional<double> error = matrix.figures.getNumber(key)) {
      text += llvm::formatv("{0}{1} {2:F4}", separator, name, *error);
      separator = ", ";
    }
  // What follows begins with a comma.
  return llvm::StringRef(text).rtrim().str();
}

void mlir::trn::showMatrices(llvm::ArrayRef<FactoredMatrix> plan) {
  int64_t others = 0, refitted = 0;
  for (const FactoredMatrix &matrix : plan) {
    refitted += matrix.isRefitted;
    if (matrix.keptDense == notAsked) {
      ++others;
      continue;
    }
    llvm::outs() << llvm::formatv("{0,-32} {1,6} x {2,-6}", matrix.module,
                                  matrix.in, matrix.out);
    if (!matrix.isChanged())
      llvm::outs() << " kept dense, " << matrix.keptDense << "\n";
    else
      llvm::outs() << describeChange(matrix) << describeTimes(matrix) << "\n";
    if (std::optional<StringRef> reason =
            matrix.figures.getString("svd_reason"))
      llvm::WithColor::remark(llvm::errs(), "trn-compress")
          << llvm::formatv("{0}: --svd={1}, for {2}\n", matrix.module,
                           *matrix.figures.getString("svd"), *reason);
  }
  if (others)
    llvm::outs() << llvm::formatv("{0} weights were not asked for", others);
  if (refitted)
    llvm::outs() << llvm::formatv(", of which {0} are refitted", refitted);
  if (others)
    llvm::outs() << "\n";
}

void mlir::trn::showParameters(const ModelConfig &config,
                               llvm::ArrayRef<FactoredMatrix> plan) {
  if (plan.empty()) {
    llvm::outs() << llvm::formatv("parameters {0:N0}\n",
                                  countParameters(config));
    return;
  }
  int64_t all = countParameters(config),
          left = countParameters(factoredConfig(config, plan)), asked = 0,
          kept = 0;
  for (const FactoredMatrix &matrix : plan)
    if (matrix.keptDense != notAsked) {
      asked += matrix.out * matrix.in;
      kept += matrix.parameters();
    }
  llvm::outs() << llvm::formatv("parameters {0:N0} of {1:N0}: {2:P1} removed, "
                                "of those asked for {3:P1}\n",
                                left, all, 1 - double(left) / double(all),
                                1 - double(kept) / double(asked));
}

void mlir::trn::showSpeedUp(const llvm::json::Value &speedUp) {
  const llvm::json::Object *result = speedUp.getAsObject();
  if (!result)
    return;
  const llvm::json::Array &times = *result->getArray("mlp_ms");
  llvm::outs() << llvm::formatv(
      "MLPs in the model, modelled: {0:F4} -> {1:F4} ms, {2:F3} times as fast; "
      "the loss of a token is estimated to rise by {3:F4}\n",
      *times[0].getAsNumber(), *times[1].getAsNumber(),
      *result->getNumber("modelled"), *result->getNumber("estimated_loss"));
}

void mlir::trn::showEvaluation(const llvm::json::Object &manifest) {
  const llvm::json::Array *results = manifest.getArray("evaluation");
  if (!results)
    return;
  for (const llvm::json::Value &value : *results) {
    const llvm::json::Object &result = *value.getAsObject();
    llvm::outs() << llvm::formatv(
        "perplexity of {0} {1:F4}, of the whole model {2:F4}\n",
        *result.getString("file"), *result.getNumber("perplexity"),
        *result.getNumber("perplexity_dense"));
  }
}

llvm::Error mlir::trn::writePage(StringRef path, StringRef model,
                                 StringRef folder,
                                 llvm::json::Object manifest) {
  HtmlPage page;
  StringRef source = llvm::sys::path::filename(model),
            made = llvm::sys::path::filename(folder);
  page.title = folder.empty() ? ("Plan for " + source).str()
                              : (made + ", made from " + source).str();
  page.compression = std::move(manifest);
  return writeFile(path, [&](llvm::raw_ostream &os) { printHtml(page, os); });
}
