//===- PlanCache.cpp - Plans on disk --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A file is what a plan depends on, an empty line, and what was found:
//
//   compiler = trn-mlir 0.2.0, planned by 3b1f...
//   effort = 4000
//   demands =
//   graph = dims = [d0 = 512, ...], ...
//   machine = trn1
//   partitions = 128
//   ...
//
//   latency_ps = 66099670
//   plans = 3178
//   ...
//   schedule = #trn.schedule<dims = [m = 512, ...], ...>
//
//===----------------------------------------------------------------------===//

#include "PlanCache.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/TimeSchedule.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Paths.h"
#include "trn/Support/Version.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::createStringError;
using planning::Graph;
using planning::Schedule;
using search::FoundPlan;
using search::PlanQuestion;

/// Of the sources that decide which plan is found.
static constexpr StringRef sourceHash =
#include "PlanSources.inc"
    ;

//===----------------------------------------------------------------------===//
// What a plan depends on
//===----------------------------------------------------------------------===//

/// Graphs that differ in names only have the same plans.
static Graph withoutNames(Graph graph) {
  for (auto [i, dim] : llvm::enumerate(graph.dims))
    dim.name = "d" + std::to_string(i);
  for (auto [i, matrix] : llvm::enumerate(graph.matrices))
    matrix.name = "m" + std::to_string(i);
  return graph;
}

static void printDemands(llvm::raw_ostream &os,
                         const search::Demands &demands) {
  if (demands.transpose)
    os << (*demands.transpose == planning::TransposeMode::Implicit
               ? " implicit"
               : " explicit");
  if (demands.recompute)
    os << " recompute";
  if (demands.keepIntermediates)
    os << " strip-cache";
  for (const auto &[dim, size] : demands.blocks)
    os << " block " << dim << "=" << size;
  for (const auto &[matrix, level] : demands.keep)
    os << " keep " << matrix << "=" << level;
}

static std::string describe(const PlanQuestion &question) {
  const auto &[graph, demands, machine, effort] = question;
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "compiler = trn-mlir " << getVersion() << ", planned by " << sourceHash
     << "\neffort = " << effort << "\ndemands =";
  printDemands(os, demands);
  os << "\ngraph = ";
  // Demands name dims and matrices.
  bool needsNames = !demands.blocks.empty() || !demands.keep.empty();
  planning::printGraph(os, needsNames ? graph : withoutNames(graph));
  os << "\nmachine = " << machine.name << "\n";
  for (const MachineField &field : machineFields())
    os << field.key << " = " << formatNumber(field.get(machine)) << "\n";
  os << "\n";
  return text;
}

static std::string pathOf(StringRef folder, StringRef key) {
  auto hash = llvm::SHA256::hash(llvm::arrayRefFromStringRef(key));
  return joinPath(folder, llvm::toHex(hash, /*LowerCase=*/true).substr(0, 32) +
                              ".plan");
}

//===----------------------------------------------------------------------===//
// What was found
//===----------------------------------------------------------------------===//

static void print(llvm::raw_ostream &os, const FoundPlan &found) {
  const auto &[graph, plan] = found.schedule;
  os << "latency_ps = " << found.latency << "\nfastest_ps = " << found.fastest
     << "\nplans = " << found.timed << "\nsimulated = " << found.isSimulated
     << "\nof_rows = " << found.fewerRows
     << "\nof_batches = " << found.fewerBatches
     << "\nschedule = #trn.schedule<";
  planning::printGraph(os, graph);
  os << ", ";
  planning::printPlan(os, graph, plan);
  os << ">\n";
}

/// `graph`, if it is a legal form of `source`, with the names that it has then.
static std::optional<Graph> nameLike(const Graph &graph, const Graph &source) {
  for (auto mode :
       {planning::TransposeMode::Implicit, planning::TransposeMode::Explicit})
    if (Graph legal = planning::legalizeLike(graph, source, mode);
        legal == graph)
      return legal;
  return std::nullopt;
}

static llvm::Error check(const Schedule &schedule, const Machine &machine) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return limited.takeError();
  if (llvm::Error error = schedule.plan.check(schedule.graph, *limited))
    return error;
  if (!search::costIfFits(schedule, *limited))
    return createStringError("its buffers do not fit");
  return llvm::Error::success();
}

llvm::Expected<Schedule>
PlanCache::readSchedule(StringRef text, const PlanQuestion &question) const {
  std::string reason;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    reason = diagnostic.str();
    return success();
  });
  auto attr = dyn_cast_if_present<ScheduleAttr>(parseAttribute(text, context));
  if (!attr || !attr.getPlan())
    return createStringError("it has no schedule with a plan" +
                             (reason.empty() ? "" : ": " + reason));
  std::optional<Graph> graph = nameLike(attr.getGraph(), question.graph);
  if (!graph)
    return createStringError("it computes something else");
  Schedule schedule{std::move(*graph), *attr.getPlan()};
  if (llvm::Error error = check(schedule, question.machine))
    return error;
  return schedule;
}

llvm::Expected<FoundPlan> PlanCache::read(StringRef text, StringRef key,
                                          const PlanQuestion &question) const {
  if (!text.consume_front(key))
    return createStringError("it does not begin with what it is for");
  FoundPlan found;
  int64_t isSimulated = 0;
  std::pair<StringRef, int64_t *> numbers[] = {
      {"latency_ps", &found.latency}, {"fastest_ps", &found.fastest},
      {"plans", &found.timed},        {"simulated", &isSimulated},
      {"of_rows", &found.fewerRows},  {"of_batches", &found.fewerBatches}};
  for (auto [name, number] : numbers)
    if (!text.consume_front(name) || !text.consume_front(" = ") ||
        text.consumeInteger(10, *number) || *number < 0 ||
        !text.consume_front("\n"))
      return createStringError("it lacks the number '" + name + "'");
  found.isSimulated = isSimulated;
  if (!text.consume_front("schedule = "))
    return createStringError("it lacks 'schedule'");
  llvm::Expected<Schedule> schedule = readSchedule(text.trim(), question);
  if (!schedule)
    return schedule.takeError();
  found.schedule = std::move(*schedule);
  return found;
}

//===----------------------------------------------------------------------===//
// The folder
//===----------------------------------------------------------------------===//

llvm::Expected<PlanCache> PlanCache::open(StringRef folder,
                                          MLIRContext *context) {
  namespace fs = llvm::sys::fs;
  std::error_code problem = fs::create_directories(folder);
  if (!problem && !fs::is_directory(folder))
    problem = std::make_error_code(std::errc::not_a_directory);
  if (!problem)
    problem = fs::access(folder, fs::AccessMode::Write);
  if (problem)
    return createStringError("plan-cache: no plans can be kept in '" + folder +
                             "': " + problem.message() +
                             "; give a folder that can be written");
  return PlanCache(folder, context);
}

void PlanCache::warn(const Twine &problem) const {
  emitWarning(UnknownLoc::get(context), "plan-cache: ") << problem;
}

std::optional<FoundPlan> PlanCache::load(const PlanQuestion &question) {
  std::string key = describe(question), path = pathOf(folder, key);
  if (!llvm::sys::fs::exists(path))
    return std::nullopt;
  auto file = readInputFile(path, /*isText=*/true);
  llvm::Expected<FoundPlan> found =
      file ? read((*file)->getBuffer(), key, question) : file.takeError();
  if (found)
    return std::move(*found);
  warn("'" + path + "' is ignored, and the plan is searched again: " +
       llvm::toString(found.takeError()));
  return std::nullopt;
}

void PlanCache::keep(const PlanQuestion &question, const FoundPlan &found) {
  std::string key = describe(question);
  if (llvm::Error error =
          writeFile(pathOf(folder, key), [&](llvm::raw_ostream &os) {
            os << key;
            print(os, found);
          }))
    warn(llvm::toString(std::move(error)));
}
