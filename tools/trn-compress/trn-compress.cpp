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
#include "ShowResults.h"
#include "SizeOptions.h"
#include "SpeedUp.h"
#include "trn/Support/Progress.h"
#include "trn/Support/Version.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir::trn;
using llvm::StringRef;

namespace {
llvm::Error timeWeights(std::vector<FactoredMatrix> &plan,
                        const TimedKernels &kernels, Team &team) {
  ProgressBar bar(llvm::errs());
  auto problems = modelTimes(plan, kernels, [&](size_t done, size_t total) {
    if (team.isFirst())
      bar.show(done, total);
  });
  for (const std::string &problem : problems)
    if (team.isFirst())
      warn(problem);
  return requiresFaster() ? requireFaster(plan) : llvm::Error::success();
}

llvm::Error allocate(const CompressionJob &job, const Checkpoint &checkpoint,
                     int64_t block, std::vector<FactoredMatrix> &plan,
                     Team &team) {
  if (isDryRun()) {
    job.warn("sizes are shown as they are before --allocate, which needs the "
             "calibration, shares them out");
    return llvm::Error::success();
  }
  ProgressBar bar(llvm::errs());
  return allocatePlan(job, checkpoint, block, plan,
                      [&](size_t done, size_t total) {
                        if (team.isFirst())
                          bar.show(done, total);
                      });
}

llvm::Error speedUp(CompressionJob &job, const Checkpoint &checkpoint,
                    const TimedKernels &kernels, int64_t block,
                    std::vector<FactoredMatrix> &plan, Team &team) {
  ProgressBar bar(llvm::errs());
  auto result = allocateTime(job, checkpoint, kernels, block, plan,
                             [&](size_t done, size_t total) {
                               if (team.isFirst())
                                 bar.show(done, total);
                             });
  if (!result)
    return result.takeError();
  job.speedUp = result->toJSON();
  return llvm::Error::success();
}

/// The manifest of what is done, or, in a dry run, of what there would be.
llvm::Expected<llvm::json::Object> compress(const CompressionJob &job,
                                            const Checkpoint &checkpoint,
                                            std::vector<FactoredMatrix> &plan,
                                            Team &team) {
  if (isDryRun())
    return describePlan(job, checkpoint.config(), plan);
  std::optional<ProgressBar> bar;
  return compressToFolder(
      job, checkpoint, plan, team,
      [&](StringRef) { bar.emplace(llvm::errs()); },
      [&](size_t done, size_t total) {
        if (team.isFirst())
          bar->show(done, total);
      });
}

llvm::Error show(const CompressionJob &job, const Checkpoint &checkpoint,
                 std::vector<FactoredMatrix> &plan, const TimedKernels &kernels,
                 const llvm::json::Object &manifest) {
  showMatrices(plan);
  llvm::outs() << summarizeTimes(plan, kernels);
  showSpeedUp(job.speedUp);
  showParameters(checkpoint.config(), plan);
  showEvaluation(manifest);
  if (!isDryRun())
    return llvm::Error::success();
  llvm::Expected<Needs> needs = estimateNeeds(job, checkpoint, plan);
  if (!needs)
    return needs.takeError();
  llvm::outs() << describe(*needs, job.options.factoring.threads) << "\n";
  return llvm::Error::success();
}

llvm::Error run(Team &team) {
  RankChoice choice;
  if (!onlyWrites())
    if (llvm::Error error = readRankChoice().moveInto(choice))
      return error;
  llvm::Expected<CompressionJob> job = readJob();
  if (!job)
    return job.takeError();
  job->warn = [&](const std::string &text) {
    if (team.isFirst())
      warn(text);
  };
  if (llvm::Error error = checkSpeedUp(*job, isDryRun()))
    return error;
  llvm::Expected<TimedKernels> kernels = readTimedKernels();
  if (!kernels)
    return kernels.takeError();
  llvm::Expected<StringRef> page = readPagePath();
  if (!page)
    return page.takeError();
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
  std::vector<FactoredMatrix> plan;
  if (!onlyWrites())
    if (llvm::Error error =
            planRanks(checkpoint->config(), choice).moveInto(plan))
      return explainNoSizes(std::move(error), choice);
  kernels->chooseType(*checkpoint);
  if (getSpeedUp()) {
    if (llvm::Error error =
            speedUp(*job, *checkpoint, *kernels, choice.block, plan, team))
      return error;
  } else if (job->allocation != Allocation::Uniform && !plan.empty()) {
    if (llvm::Error error =
            allocate(*job, *checkpoint, choice.block, plan, team))
      return error;
  }
  if (team.isFirst()) {
    warnOfIdlePartitions(plan);
    warnOfOtherShare(choice, checkpoint->config(), plan);
  }
  if (!kernels->rows.empty() && !plan.empty()) {
    if (llvm::Error error = timeWeights(plan, *kernels, team))
      return error;
    job->modelled = kernels->toJSON();
  }
  auto manifest = compress(*job, *checkpoint, plan, team);
  if (!manifest)
    return manifest.takeError();
  if (!team.isFirst())
    return llvm::Error::success();
  if (llvm::Error error = show(*job, *checkpoint, plan, *kernels, *manifest))
    return error;
  return writePage(*page, job->model, job->output, std::move(*manifest));
}

int report(llvm::Error error) {
  if (!error)
    return 0;
  printError("trn-compress", llvm::toString(std::move(error)));
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
  llvm::cl::SetVersionPrinter(printVersion);
  parseOptions(argc, argv);
  Team alone;
  return finishStreams("trn-compress",
                       isForTeam() ? runOnTeam() : report(run(alone)));
}
