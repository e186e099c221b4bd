//===- TryAdvice.cpp - Is a run faster if one does it? --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TryAdvice.h"

#include "Run.h"
#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Findings/Findings.h"
#include "trn/Pipelines/CompileFlags.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Search/Edits.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

/// A compilation each, of a second or so.
static constexpr int maxTrials = 4;

/// The options that demand something of a plan. Low effort is no demand: who
/// asks for a short search does not wait for a long one.
static constexpr llvm::StringLiteral demands[] = {
    "strategy", "strategy-for", "transpose", "block-m", "block-k",
    "block-r",  "block-n",      "blocks",    "keep"};

/// Those of them that may be why `cause` is there.
static ArrayRef<llvm::StringLiteral> demandsBehind(StringRef cause) {
  ArrayRef<llvm::StringLiteral> all(demands);
  if (cause == "transposes")
    return all.slice(2, 1);
  if (cause == "recomputation" || cause == "spills" || cause == "launches")
    return all.take_front(2);
  return all.drop_front(3);
}

namespace {
/// How `source` runs with something changed.
struct Variant {
  std::string compile;
  Report report;
  int64_t latency() const { return report.total.sum.latency; }
};

class Advisor {
public:
  Advisor(Report &report, ArrayRef<DecodedKernel> kernels, ModuleOp source,
          const RunOptions &options)
      : report(report), findings(*report.findings), kernels(kernels),
        source(source), options(options), compile(options.compile.value_or("")),
        flags(splitCompileFlags(compile)) {}

  void advise();

private:
  using Change = function_ref<LogicalResult(ModuleOp)>;

  std::optional<Variant> time(std::string compile, Change change);
  std::optional<Variant> timeWithout(ArrayRef<llvm::StringLiteral> keys);
  /// The options that are given and are among `keys`, or are not, as they were
  /// written.
  std::string describeGiven(ArrayRef<llvm::StringLiteral> keys) const;
  std::string describeOthers(ArrayRef<llvm::StringLiteral> keys) const;
  /// Each says whether it was tried, and is faster.
  bool tryOptions(Finding &finding, ArrayRef<llvm::StringLiteral> keys);
  bool tryPlan(Finding &finding);
  bool tryTransposed(Finding &finding);
  void tryFree();
  bool accept(Finding &finding, const std::optional<Variant> &variant,
              std::string advice);

  bool isGiven(StringRef key) const {
    return llvm::any_of(
        flags, [&](const CompileFlag &flag) { return flag.key == key; });
  }
  /// The plan that the kernel came with; null if the compiler made it.
  ScheduleAttr givenPlan(ModuleOp module, StringRef kernel) const;
  /// Whether the compiler has weighed already what costs this.
  bool isCompilersChoice(const Finding &finding) const;

  const Report &report;
  std::vector<Finding> &findings;
  ArrayRef<DecodedKernel> kernels;
  ModuleOp source;
  const RunOptions &options;
  std::string compile;
  /// Views of it.
  SmallVector<CompileFlag> flags;
  int trials = 0;
  /// What was tried, by the options.
  std::map<std::string, std::optional<Variant>> known;
};
} // namespace

static void setPlan(func::FuncOp kernel, ScheduleAttr attr) {
  StringRef name = TrnDialect::ScheduleAttrHelper::getNameStr();
  if (attr)
    kernel->setAttr(name, attr);
  else
    kernel->removeAttr(name);
}

ScheduleAttr Advisor::givenPlan(ModuleOp module, StringRef kernel) const {
  auto function = module.lookupSymbol<func::FuncOp>(kernel);
  if (!function)
    return nullptr;
  auto attr = function->getAttrOfType<ScheduleAttr>(
      TrnDialect::ScheduleAttrHelper::getNameStr());
  return attr && attr.getPlan() ? attr : nullptr;
}

std::optional<Variant> Advisor::time(std::string compile, Change change) {
  if (++trials > maxTrials)
    return std::nullopt;
  ScopedDiagnosticHandler silence(source.getContext(),
                                  [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> copy(source.clone());
  if (failed(change(*copy)))
    return std::nullopt;
  RunOptions variant;
  variant.entry = options.entry;
  variant.machine = options.machine;
  variant.machineConstants = options.machineConstants;
  variant.timingOnly = true;
  variant.maxSteps = std::min<uint64_t>(options.maxSteps, maxFindingSteps);
  variant.compile = compile;
  variant.planCache = options.planCache;
  Run trial(*copy, variant);
  if (failed(trial.execute()))
    return std::nullopt;
  FailureOr<Report> timed = trial.summarize();
  if (failed(timed))
    return std::nullopt;
  return Variant{std::move(compile), std::move(*timed)};
}

std::optional<Variant>
Advisor::timeWithout(ArrayRef<llvm::StringLiteral> keys) {
  if (llvm::none_of(keys, [&](StringRef key) { return isGiven(key); }))
    return std::nullopt;
  std::string compile = describeOthers(keys);
  auto it = known.find(compile);
  if (it == known.end())
    it =
        known
            .emplace(compile, time(compile, [](ModuleOp) { return success(); }))
            .first;
  return it->second;
}

/// Whether one is faster by as much as is worth a word.
static bool isFaster(int64_t latency, const Report &than) {
  return than.total.sum.latency - latency >= than.total.sum.latency / 100;
}

bool Advisor::accept(Finding &finding, const std::optional<Variant> &variant,
                     std::string advice) {
  if (!variant || !isFaster(variant->latency(), report))
    return false;
  finding.latencyWithout = variant->latency();
  finding.isTried = true;
  finding.advice = std::move(advice);
  return true;
}

std::string Advisor::describeGiven(ArrayRef<llvm::StringLiteral> keys) const {
  SmallVector<StringRef> given;
  for (const CompileFlag &flag : flags)
    if (llvm::is_contained(keys, flag.key))
      given.push_back(flag.text);
  return llvm::join(given, " ");
}

std::string Advisor::describeOthers(ArrayRef<llvm::StringLiteral> keys) const {
  SmallVector<StringRef> others;
  for (const CompileFlag &flag : flags)
    if (!llvm::is_contained(keys, flag.key))
      others.push_back(flag.text);
  return llvm::join(others, " ");
}

bool Advisor::tryOptions(Finding &finding, ArrayRef<llvm::StringLiteral> keys) {
  std::optional<Variant> variant = timeWithout(keys);
  if (!variant || !accept(finding, variant,
                          formatv("--compile=\"{0}\", without {1}",
                                  variant->compile, describeGiven(keys))))
    return false;
  finding.compile = variant->compile;
  return true;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

using planning::Home;
using planning::Schedule;

/// Edits of what has to do with the matrix of that name.
using MakeEdits = SmallVector<search::Edit> (*)(const Schedule &, StringRef);
using Kind = search::Edit::Kind;

/// Its buffers get twice as many slots.
static SmallVector<search::Edit> addSlots(const Schedule &schedule,
                                          StringRef matrix) {
  SmallVector<search::Edit> edits;
  for (auto [number, home] : llvm::enumerate(schedule.plan.homes))
    if (schedule.graph.matrices[home.matrix].name == matrix && home.level > 0 &&
        home.slots < Home::maxSlots / 2)
      edits.push_back({Kind::Slots, 0, unsigned(number), 0, 0, home.slots * 2});
  return edits;
}

/// It is packed, and its transpose.
static SmallVector<search::Edit> pack(const Schedule &schedule,
                                      StringRef matrix) {
  SmallVector<search::Edit> edits;
  for (auto [nest, stage] : llvm::enumerate(schedule.graph.stages))
    if (stage.isTransposition() &&
        schedule.graph.matrices[*stage.source].name == matrix)
      edits.push_back({Kind::Pack, unsigned(nest)});
  return edits;
}

/// It no longer goes through HBM.
static SmallVector<search::Edit> keepOnChip(const Schedule &schedule,
                                            StringRef matrix) {
  for (auto [number, home] : llvm::enumerate(schedule.plan.homes))
    if (schedule.graph.matrices[home.matrix].name == matrix)
      return {{Kind::Keep, 0, unsigned(number)}};
  return {};
}

/// The homes that a plan has and another one has not: `v at n slots 2`.
static std::string findChange(StringRef before, StringRef after) {
  auto homesOf = [](StringRef plan) {
    SmallVector<StringRef> homes;
    plan.split("homes = [").second.drop_back().split(homes, ", ");
    return homes;
  };
  SmallVector<StringRef> was = homesOf(before), is = homesOf(after);
  llvm::erase_if(is,
                 [&](StringRef home) { return llvm::is_contained(was, home); });
  return llvm::join(is, ", ");
}

bool Advisor::tryPlan(Finding &finding) {
  ScheduleAttr given = givenPlan(source, finding.kernel);
  if (!given)
    return false;
  Schedule schedule{given.getGraph(), *given.getPlan()};
  auto makeEdits = llvm::StringSwitch<MakeEdits>(finding.cause)
                       .Case("few_slots", addSlots)
                       .Case("idle_dma_engines", pack)
                       .Case("spills", keepOnChip)
                       .Default(nullptr);
  if (!makeEdits)
    return false;
  SmallVector<search::Edit> edits = makeEdits(schedule, finding.subject);
  if (edits.empty() || !llvm::all_of(edits, [&](const search::Edit &edit) {
        return apply(edit, schedule);
      }))
    return false;
  if (llvm::Error problem =
          schedule.plan.check(schedule.graph, report.machine)) {
    llvm::consumeError(std::move(problem));
    return false;
  }
  auto attr =
      ScheduleAttr::get(source.getContext(), schedule.graph, schedule.plan);
  auto replace = [&](ModuleOp copy) {
    setPlan(copy.lookupSymbol<func::FuncOp>(finding.kernel), attr);
    return success();
  };
  std::string text = planning::printPlan(schedule.graph, schedule.plan);
  std::string was = planning::printPlan(given.getGraph(), *given.getPlan());
  if (!accept(finding, time(compile, replace),
              "in trn.schedule, " + findChange(was, text)))
    return false;
  finding.schedule = std::move(text);
  return true;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Where the argument is declared that `finding`, about transposes, is about.
static std::string findTurned(const Finding &finding,
                              ArrayRef<DecodedKernel> kernels) {
  for (const DecodedKernel &kernel : kernels) {
    const Program &program = kernel.program;
    if (program.name != finding.kernel)
      continue;
    for (const Instruction &load : program.instructions)
      if (load.engine == Engine::Load &&
          program.buffers[load.writes.front().buffer].matrix == finding.subject)
        return program.buffers[load.reads.front().buffer].location;
  }
  return "";
}

/// Has `argument` come transposed, and transposed back where it is used.
static void turn(func::FuncOp function, BlockArgument argument) {
  auto type = cast<RankedTensorType>(argument.getType());
  auto transposed =
      type.clone(ArrayRef{type.getDimSize(1), type.getDimSize(0)});
  OpBuilder builder(function.getBody());
  Location loc = argument.getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto back = linalg::TransposeOp::create(builder, loc, argument, empty,
                                          ArrayRef<int64_t>{1, 0});
  argument.replaceAllUsesExcept(back->getResult(0), back);
  argument.setType(transposed);
  function.setType(FunctionType::get(function.getContext(),
                                     function.getBody().getArgumentTypes(),
                                     function.getResultTypes()));
}

bool Advisor::tryTransposed(Finding &finding) {
  if (finding.cause != "transposes")
    return false;
  std::string location = findTurned(finding, kernels);
  std::string type;
  auto change = [&](ModuleOp copy) -> LogicalResult {
    FailureOr<func::FuncOp> entry = findEntry(copy, options.entry);
    if (failed(entry) || entry->isExternal())
      return failure();
    for (BlockArgument argument : entry->getArguments()) {
      auto matrix = dyn_cast<RankedTensorType>(argument.getType());
      if (describeLocation(argument.getLoc()) != location || !matrix ||
          matrix.getRank() != 2)
        continue;
      turn(*entry, argument);
      llvm::raw_string_ostream(type) << argument.getType();
      return success();
    }
    return failure();
  };
  std::optional<Variant> variant = time(compile, change);
  return accept(finding, variant, finding.advice + ", as " + type);
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

/// What plans and options demand together.
void Advisor::tryFree() {
  std::string given = describeGiven(demands);
  auto hasPlan = [&](func::FuncOp kernel) {
    return givenPlan(source, kernel.getName()) != nullptr;
  };
  if (llvm::any_of(source.getOps<func::FuncOp>(), hasPlan))
    given += given.empty() ? "trn.schedule" : " and trn.schedule";
  if (given.empty())
    return;
  std::string rest = describeOthers(demands);
  std::optional<Variant> variant = time(rest, [&](ModuleOp copy) {
    for (auto kernel : copy.getOps<func::FuncOp>())
      if (hasPlan(kernel))
        setPlan(kernel, nullptr);
    return success();
  });
  Finding finding{"demands"};
  finding.evidence =
      formatv("{0} keeps the compiler from a faster plan", given);
  if (!accept(finding, variant,
              formatv("--compile=\"{0}\", without {1}", rest, given)))
    return;
  finding.compile = rest;
  findings.push_back(std::move(finding));
}

bool Advisor::isCompilersChoice(const Finding &finding) const {
  if (!options.compile)
    return false;
  // Of all launches the compiler decides about those of the halves of a cut.
  if (finding.cause == "launches")
    return llvm::all_of(report.kernels, [](const KernelReport &kernel) {
      StringRef name = kernel.name;
      return name.ends_with("_first") || name.ends_with("_second");
    });
  return isDecidedByPlan(finding.cause) && !givenPlan(source, finding.kernel);
}

void Advisor::advise() {
  bool isHelped = false;
  llvm::StringSet<> taken;
  for (Finding &finding : findings) {
    Finding tried = finding;
    bool isDemanded =
        options.compile &&
        (tryPlan(tried) || tryOptions(tried, demandsBehind(tried.cause)));
    isHelped |= isDemanded;
    if (isDemanded || (options.compile && tryTransposed(tried))) {
      // What helps against several things is said once.
      if (taken.insert(tried.advice).second)
        finding = std::move(tried);
      else
        finding.advice.clear();
    } else if (isCompilersChoice(finding)) {
      finding.advice.clear();
    }
  }
  if (options.compile && !isHelped)
    tryFree();
  rankFindings(findings, report.total.sum.latency);
}

void mlir::trn::tryAdvice(Report &report, ArrayRef<DecodedKernel> kernels,
                          ModuleOp source, const RunOptions &options) {
  Advisor(report, kernels, source, options).advise();
}
