//===- Simulation.cpp - Models on the simulated core ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Simulation.h"

#include "Commands.h"
#include "CoreOptions.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::formatv;
using llvm::StringRef;
namespace cl = llvm::cl;

namespace {
#define SIMULATING                                                             \
  cl::sub(getGenerateCommand()), cl::sub(getPerplexityCommand()),              \
      cl::cat(getCategory())
cl::opt<bool> onCore("simulate",
                     cl::desc("Run compiled kernels on the simulated core"),
                     SIMULATING);
CoreOptions &core = getCoreOptions();
cl::opt<int64_t>
    parallel("tp", cl::init(1), cl::value_desc("count"), SIMULATING,
             cl::desc("Logical cores that share each layer (tensor "
                      "parallelism)"));
} // namespace

bool mlir::trn::isSimulated() { return onCore; }

llvm::Error mlir::trn::checkSimulation() {
  for (const cl::Option *option : std::initializer_list<const cl::Option *>{
           &core.machine, &core.type, &core.effort, &core.planCache, &core.lnc,
           &core.dropMaxima, &parallel})
    if (!onCore && option->getNumOccurrences())
      return llvm::createStringError("--" + option->ArgStr +
                                     " is of the simulated core, but the model "
                                     "runs on the host; add --simulate");
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<SimulatedModel>>
compile(const ModelPlace &place, const LlamaSpec &spec) {
  llvm::Expected<Machine> machine = core.load();
  if (!machine)
    return machine.takeError();
  llvm::Expected<WeightSource> weights = WeightSource::open(place.path);
  if (!weights)
    return weights.takeError();
  SimulatedModel::Options simulated;
  simulated.machine = std::move(*machine);
  simulated.threads = place.threads;
  simulated.effort = core.getEffort();
  simulated.planCache = core.planCache;
  simulated.dropMaxima = core.dropMaxima;
  if (parallel < 1 || parallel > 64)
    return llvm::createStringError(
        "--tp is " + llvm::Twine(parallel) +
        ", but takes a number of cores from 1 to 64");
  simulated.cores = parallel;
  return SimulatedModel::create(spec, *weights, simulated);
}

llvm::Expected<std::unique_ptr<SimulatedModel>>
mlir::trn::simulateGeneration(const ModelPlace &place,
                              const ModelConfig &config, int64_t rows,
                              int64_t positions) {
  LlamaSpec spec;
  spec.config = config;
  spec.type = core.type;
  spec.rows = rows;
  if (positions > rows)
    spec.context =
        std::min<int64_t>(config.maxPositions, llvm::PowerOf2Ceil(positions));
  return compile(place, spec);
}

llvm::Expected<Perplexity> mlir::trn::simulatePerplexity(
    const ModelPlace &place, const ModelConfig &config,
    llvm::ArrayRef<HostModel::Tokens> stories, HostModel::Progress progress,
    llvm::json::Object &figures) {
  if (llvm::Error error = checkTokens(config, stories))
    return error;
  LlamaSpec spec;
  spec.config = config;
  spec.type = core.type;
  spec.allLogits = true;
  for (const HostModel::Tokens &tokens : stories)
    spec.rows = std::max<int64_t>(spec.rows.value_or(1), tokens.size());
  auto model = compile(place, spec);
  if (!model)
    return model.takeError();
  llvm::Expected<Perplexity> result = measurePerplexity(
      [&](llvm::ArrayRef<int32_t> tokens) {
        (*model)->reset();
        return (*model)->feed(tokens);
      },
      stories, progress);
  if (result)
    reportSimulation(**model, figures);
  return result;
}

void mlir::trn::reportSimulation(const SimulatedModel &model,
                                 llvm::json::Object &figures) {
  llvm::json::Object modelled, host;
  std::string text;
  for (auto &[name, report] : model.time()) {
    // What this host took to simulate it says nothing of the core.
    report.host.clear();
    modelled[name] = toJson(report);
    const std::string first =
        model.getRows() == 1
            ? "the first token"
            : formatv("the first {0} tokens", model.getRows()).str();
    text += formatv("{0}{1:f4} ms for {2}",
                    text.empty() ? "modelled on " + report.machine.name + ": "
                                 : ", ",
                    double(report.total.sum.latency) / 1e9,
                    name == "decode" ? "each one after" : first);
  }
  for (auto &[name, seconds] : model.getHostSeconds())
    host[name] = seconds;
  figures["dtype"] = stringify(core.type);
  figures["modelled"] = std::move(modelled);
  figures["host"] = std::move(host);
  if (llvm::errs().is_displayed())
    llvm::errs() << text << "\n";
}
