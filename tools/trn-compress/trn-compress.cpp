//===- trn-compress.cpp - Factor the weights of a language model ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ToolStreams.h"
#include "MPITeam.h"
#include "Options.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Support/Progress.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir::trn;
using llvm::StringRef;

namespace {
void warn(const std::string &text) {
  llvm::WithColor::warning(llvm::errs(), "trn-compress") << text << "\n";
}

//===----------------------------------------------------------------------===//
// What is told
//===----------------------------------------------------------------------===//

/// Ranks that are no multiple of the partitions are taken, with a word.
void warnOfIdlePartitions(llvm::ArrayRef<FactoredMatrix> plan) {
  const int64_t tile = defaultMachine().partitions;
  for (const FactoredMatrix &matrix : plan)
    if (matrix.isFactored() && matrix.rank % tile) {
      warn(llvm::formatv(
          "ranks that are no multiple of {0} leave partitions idle", tile));
      return;
    }
}

void showMatrices(llvm::ArrayRef<FactoredMatrix> plan) {
  int64_t others = 0;
  for (const FactoredMatrix &matrix : plan) {
    if (matrix.keptDense == notAsked) {
      ++others;
      continue;
    }
    llvm::outs() << llvm::formatv("{0,-32} {1,6} x {2,-6}", matrix.module,
                                  matrix.in, matrix.out);
    std::optional<double> weight = matrix.figures.getNumber("weight_error"),
                          outputs = matrix.figures.getNumber("output_error");
    if (!matrix.isFactored())
      llvm::outs() << " kept dense, " << matrix.keptDense << "\n";
    else if (!weight || !outputs)
      llvm::outs() << llvm::formatv(" rank {0}\n", matrix.rank);
    else
      llvm::outs() << llvm::formatv(
          " rank {0,-5} weight error {1:F4}, output error {2:F4}\n",
          matrix.rank, *weight, *outputs);
  }
  if (others)
    llvm::outs() << llvm::formatv("{0} weights were not asked for\n", others);
}

void showParameters(const ModelConfig &config,
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

void showEvaluation(const llvm::json::Object &manifest) {
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

llvm::Error compress(const Checkpoint &checkpoint,
                     std::vector<FactoredMatrix> &plan, Team &team) {
  llvm::Expected<CompressionJob> job = readJob();
  if (!job)
    return job.takeError();
  job->warn = [&](const std::string &text) {
    if (team.isFirst())
      warn(text);
  };
  std::optional<ProgressBar> bar;
  auto manifest = compressToFolder(
      *job, checkpoint, plan, team,
      [&](StringRef) { bar.emplace(llvm::errs()); },
      [&](size_t done, size_t total) {
        if (team.isFirst())
          bar->show(done, total);
      });
  if (!manifest)
    return manifest.takeError();
  if (!team.isFirst())
    return llvm::Error::success();
  showMatrices(plan);
  showParameters(checkpoint.config(), plan);
  showEvaluation(*manifest);
  return llvm::Error::success();
}

llvm::Error run(Team &team) {
  RankChoice choice;
  if (!onlyWrites())
    if (llvm::Error error = readRankChoice().moveInto(choice))
      return error;
  llvm::Expected<Checkpoint> checkpoint = Checkpoint::open(getModel());
  if (!checkpoint)
    return checkpoint.takeError();
  if (!getAdapter().empty())
    if (llvm::Error error = checkpoint->adapt(getAdapter()))
      return error;
  if (size_t count = checkpoint->adaptedModules().size();
      count && team.isFirst())
    llvm::outs() << llvm::formatv("{0} weights have updates of '{1}'\n", count,
                                  getAdapter());
  std::vector<FactoredMatrix> none;
  if (onlyWrites())
    return isDryRun() ? llvm::Error::success()
                      : compress(*checkpoint, none, team);
  auto plan = planRanks(checkpoint->config(), choice);
  if (!plan)
    return plan.takeError();
  if (team.isFirst())
    warnOfIdlePartitions(*plan);
  if (!isDryRun())
    return compress(*checkpoint, *plan, team);
  if (!team.isFirst())
    return llvm::Error::success();
  showMatrices(*plan);
  showParameters(checkpoint->config(), *plan);
  return llvm::Error::success();
}

int report(llvm::Error error) {
  if (!error)
    return 0;
  llvm::WithColor::error(llvm::errs(), "trn-compress")
      << llvm::toString(std::move(error)) << "\n";
  return 1;
}

/// The exit status.
int runOnTeam() {
#ifdef TRN_ENABLE_MPI
  MPITeam team;
  int status = report(run(team));
  if (status)
    team.abort(status);
  return status;
#else
  return report(
      llvm::createStringError("this trn-compress was built without MPI"));
#endif
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  surviveWriteErrors();
  parseOptions(argc, argv);
  Team alone;
  return finishStreams("trn-compress",
                       isForTeam() ? runOnTeam() : report(run(alone)));
}
