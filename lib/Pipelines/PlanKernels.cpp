//===- PlanKernels.cpp - Choose how the loops of kernels run --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChooseCut.h"
#include "ExplainPlan.h"
#include "FitLaunch.h"
#include "PlanCache.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Pipelines/Passes.h"
#include "trn/Planning/Legalize.h"
#include "trn/Transforms/Lower/KernelGraph.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"

namespace mlir::trn {
#define GEN_PASS_DEF_PLANKERNELS
#include "trn/Pipelines/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;
using search::Demands;
using search::FoundPlan;

/// Splits "a=1,b=2"; fails at an entry of another form.
static llvm::Expected<std::vector<std::pair<std::string, std::string>>>
splitEntries(StringRef option, StringRef text) {
  std::vector<std::pair<std::string, std::string>> entries;
  SmallVector<StringRef> parts;
  text.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    auto [key, value] = part.trim().split('=');
    if (key.empty() || value.empty())
      return llvm::createStringError(
          llvm::formatv("'{0}' in {1} must be a name, '=' and a value", part,
                        option)
              .str());
    entries.emplace_back(key.str(), value.str());
  }
  return entries;
}

static bool hasPlan(func::FuncOp kernel) {
  auto attr = kernel->getAttrOfType<ScheduleAttr>(
      TrnDialect::ScheduleAttrHelper::getNameStr());
  return attr && attr.getPlan();
}

namespace {
struct PlanKernelsPass final : trn::impl::PlanKernelsBase<PlanKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<Machine> machine = getMachine(getOperation());
    llvm::Expected<Demands> demands = readDemands();
    if (!demands) {
      emitOptionError() << llvm::toString(demands.takeError());
      return signalPassFailure();
    }
    if (failed(machine))
      return signalPassFailure();
    std::optional<PlanCache> cache;
    if (failed(openCache(cache)))
      return signalPassFailure();
    plans.setStore(cache ? &*cache : nullptr);
    llvm::scope_exit forget([&] { plans.setStore(nullptr); });
    SymbolTable table(getOperation());
    symbols = &table;
    unplanned.clear();
    SmallVector<std::pair<func::FuncOp, planning::Graph>> kernels;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel) || !hasTensorBody(kernel))
        continue;
      FailureOr<KernelGraph> source = buildKernelGraph(kernel);
      if (failed(source))
        return signalPassFailure();
      kernels.emplace_back(kernel, std::move(source->graph));
      if (!hasPlan(kernel))
        unplanned.push_back(kernel);
    }
    if (failed(checkNames(*demands,
                          llvm::to_vector(llvm::make_second_range(kernels)))))
      return signalPassFailure();
    planned.clear();
    for (const auto &[kernel, graph] : kernels)
      if (failed(plan(kernel, graph, *demands, *machine)))
        return signalPassFailure();
    fitLaunches(*machine);
  }

private:
  /// No place in the module is at fault.
  InFlightDiagnostic emitOptionError() {
    return emitError(UnknownLoc::get(&getContext()));
  }
  llvm::Expected<Demands> readDemands();
  /// Adds `blocks` and what says the same, `block-m` and its kin.
  llvm::Error readBlocks(Demands &demands);
  /// None if none is asked for.
  LogicalResult openCache(std::optional<PlanCache> &cache);
  LogicalResult checkNames(const Demands &demands,
                           ArrayRef<planning::Graph> graphs);
  LogicalResult plan(func::FuncOp kernel, const planning::Graph &graph,
                     const Demands &demands, const Machine &machine);
  /// Plans both halves of `kernel` in its place.
  LogicalResult cut(func::FuncOp kernel, const FoundPlan &whole,
                    const ChosenCut &chosen, const Machine &machine);

  void setPlan(func::FuncOp kernel, const planning::Schedule &schedule);
  void fitLaunches(const Machine &machine);

  /// Those that were found, in earlier modules too.
  search::KnownPlans plans;
  SymbolTable *symbols = nullptr;
  /// The kernels that came without a plan, and those that have got one.
  std::vector<func::FuncOp> unplanned, planned;
};
} // namespace

llvm::Expected<Demands> PlanKernelsPass::readDemands() {
  Demands demands;
  if (effort < 1)
    return llvm::createStringError(llvm::formatv(
        "effort is {0}, but at least 1 plan must be simulated", effort));
  if (transpose != TransposeRequest::Auto)
    demands.transpose = transpose == TransposeRequest::Implicit
                            ? planning::TransposeMode::Implicit
                            : planning::TransposeMode::Explicit;
  demands.recompute = strategy == StrategyRequest::Recompute;
  demands.keepIntermediates = strategy == StrategyRequest::StripCache;
  auto levels = splitEntries("keep", keep);
  if (!levels)
    return levels.takeError();
  demands.keep = *levels;
  if (llvm::Error error = readBlocks(demands))
    return error;
  if (strategy == StrategyRequest::NkiXw && !(demands == Demands()))
    return llvm::createStringError(
        "strategy=nki-xw has loops of its own; leave out transpose, blocks and "
        "keep");
  return demands;
}

llvm::Error PlanKernelsPass::readBlocks(Demands &demands) {
  std::pair<const char *, int64_t> named[] = {
      {"m", blockM}, {"k", blockK}, {"r", blockR}, {"n", blockN}};
  for (auto [name, size] : named)
    if (size)
      demands.blocks.emplace_back(name, size);
  auto entries = splitEntries("blocks", blocks);
  if (!entries)
    return entries.takeError();
  for (const auto &[name, text] : *entries) {
    int64_t size = 0;
    if (StringRef(text).getAsInteger(10, size) || size < 1)
      return llvm::createStringError(
          llvm::formatv("block-{0} is '{1}' in blocks, but must be a whole "
                        "number of at least 1",
                        name, text)
              .str());
    demands.blocks.emplace_back(name, size);
  }
  return llvm::Error::success();
}

LogicalResult PlanKernelsPass::openCache(std::optional<PlanCache> &cache) {
  std::string folder = planCache;
  if (folder.empty())
    folder = llvm::sys::Process::GetEnv("TRN_PLAN_CACHE").value_or("");
  if (folder.empty())
    return success();
  llvm::Expected<PlanCache> opened = PlanCache::open(folder, &getContext());
  if (!opened)
    return emitOptionError() << llvm::toString(opened.takeError());
  cache.emplace(std::move(*opened));
  return success();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

using Names = SmallVector<std::string>;

template <typename Range>
static void addNames(Names &names, const Range &entries) {
  for (const auto &entry : entries)
    if (!llvm::is_contained(names, entry.name))
      names.push_back(entry.name);
}

static Names namesOfDims(ArrayRef<planning::Graph> graphs) {
  Names names;
  for (const planning::Graph &graph : graphs)
    addNames(names, graph.dims);
  return names;
}

/// Of those, too, that only plans have.
static Names namesOfMatrices(ArrayRef<planning::Graph> graphs) {
  Names names;
  for (const planning::Graph &graph : graphs)
    for (auto mode :
         {planning::TransposeMode::Implicit, planning::TransposeMode::Explicit})
      addNames(names, planning::legalize(graph, mode).matrices);
  return names;
}

/// What is demanded of no kernel of the module is a mistake.
LogicalResult PlanKernelsPass::checkNames(const Demands &demands,
                                          ArrayRef<planning::Graph> graphs) {
  if (graphs.empty())
    return success();
  auto check = [&](StringRef what, const std::string &name,
                   ArrayRef<std::string> known) -> LogicalResult {
    if (llvm::is_contained(known, name))
      return success();
    return emitOptionError()
           << what << " '" << name << "', but no kernel has it; there are "
           << llvm::join(known, ", ");
  };
  Names dims = namesOfDims(graphs), matrices = namesOfMatrices(graphs);
  for (const auto &[name, size] : demands.blocks)
    if (failed(check("blocks names the dim", name, dims)))
      return failure();
  for (const auto &[name, level] : demands.keep)
    if (failed(check("keep names the matrix", name, matrices)) ||
        (level != "kernel" && failed(check("keep names the dim", level, dims))))
      return failure();
  return success();
}

/// What is demanded of the kernel of `graph`, which may lack some names.
static Demands restrictTo(const planning::Graph &graph, Demands demands) {
  auto erase = [](auto &entries, const Names &known) {
    llvm::erase_if(entries, [&](const auto &entry) {
      return !llvm::is_contained(known, entry.first);
    });
  };
  erase(demands.blocks, namesOfDims(graph));
  erase(demands.keep, namesOfMatrices(graph));
  return demands;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

LogicalResult PlanKernelsPass::plan(func::FuncOp kernel,
                                    const planning::Graph &graph,
                                    const Demands &common,
                                    const Machine &machine) {
  if (hasPlan(kernel))
    return success();
  // People write kernels, too.
  planning::Graph legal =
      planning::legalize(graph, planning::TransposeMode::Implicit);
  if (llvm::Error error = legal.check())
    return kernel.emitError("kernel cannot be planned: ")
           << llvm::toString(std::move(error));
  Demands demands = restrictTo(graph, common);
  llvm::Expected<FoundPlan> found = plans.find(graph, demands, machine, effort);
  if (!found)
    return emitError(kernel.getLoc(), llvm::toString(found.takeError()));
  if (isAutomatic(strategy) && common == Demands())
    if (auto chosen = chooseCut(kernel, *found, machine, effort, plans))
      return cut(kernel, *found, *chosen, machine);
  explainPlan(kernel, *found, machine);
  setPlan(kernel, found->schedule);
  planned.push_back(kernel);
  return success();
}

void PlanKernelsPass::setPlan(func::FuncOp kernel,
                              const planning::Schedule &schedule) {
  TrnDialect *dialect = getContext().getLoadedDialect<TrnDialect>();
  dialect->getScheduleAttrHelper().setAttr(
      kernel, ScheduleAttr::get(&getContext(), schedule.graph, schedule.plan));
}

/// Plans that were best for each kernel alone are made better for launches.
void PlanKernelsPass::fitLaunches(const Machine &machine) {
  if (planned.empty())
    return;
  LaunchTimer timer(getOperation(), machine);
  for (func::FuncOp kernel : planned) {
    auto attr = kernel->getAttrOfType<ScheduleAttr>(
        TrnDialect::ScheduleAttrHelper::getNameStr());
    planning::Schedule schedule{attr.getGraph(), *attr.getPlan()};
    if (!fitLaunch(kernel, schedule, timer, machine))
      continue;
    setPlan(kernel, schedule);
    explainFit(kernel, schedule);
  }
}

LogicalResult PlanKernelsPass::cut(func::FuncOp kernel, const FoundPlan &whole,
                                   const ChosenCut &chosen,
                                   const Machine &machine) {
  auto [first, second] = cutKernel(kernel, chosen.cut);
  SmallVector<func::FuncOp> created;
  for (auto [half, suffix] :
       {std::pair(&first, "_first"), {&second, "_second"}}) {
    auto isEqual = [&, &half = half](func::FuncOp other) {
      return areEqual(half->kernel, other);
    };
    auto equal = llvm::find_if(unplanned, isEqual);
    if (equal != unplanned.end()) {
      half->kernel.erase();
      half->kernel = *equal;
      continue;
    }
    half->kernel.setName((kernel.getName() + suffix).str());
    symbols->insert(half->kernel, Block::iterator(kernel));
    created.push_back(half->kernel);
    unplanned.push_back(half->kernel);
  }
  explainCut(kernel, whole, chosen, first.kernel, second.kernel);
  replaceCalls(kernel, {first, second});
  llvm::erase(unplanned, kernel);
  symbols->erase(kernel);
  for (func::FuncOp half : created) {
    FailureOr<KernelGraph> source = buildKernelGraph(half);
    if (failed(source) || failed(plan(half, source->graph, {}, machine)))
      return failure();
  }
  return success();
}
