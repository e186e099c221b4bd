//===- LaunchTimer.cpp - Kernels in their launches ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchTimer.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Planning/WriteProgram.h"
#include "trn/Program/CountSteps.h"
#include "trn/Program/Launch.h"
#include "trn/Simulator/Simulator.h"

using namespace mlir;
using namespace mlir::trn;

/// So many calls before a kernel, and behind it, are simulated with it: two
/// layers of a model at best. Of fewer the ends would matter more.
static constexpr size_t mostReach = 10, leastReach = 4;
/// Fewer calls if these take more steps, some hundredths of a second.
static constexpr int64_t maxSteps = 1 << 17;
/// Of so many different launches at most.
static constexpr size_t mostWindows = 16;

static std::optional<Program> writeProgram(func::FuncOp kernel,
                                           const Machine &limited) {
  auto attr = kernel->getAttrOfType<ScheduleAttr>(
      TrnDialect::ScheduleAttrHelper::getNameStr());
  if (!attr || !attr.getPlan())
    return std::nullopt;
  return planning::writeProgram({attr.getGraph(), *attr.getPlan()}, limited);
}

LaunchTimer::LaunchTimer(ModuleOp module, const Machine &machine)
    : machine(machine), limited(llvm::cantFail(limitTiles(machine))) {
  for (auto func : module.getOps<func::FuncOp>())
    if (isKernel(func)) {
      kernels.push_back(func);
      programs.push_back(writeProgram(func, limited));
    }
  for (auto func : module.getOps<func::FuncOp>())
    if (func.isPublic() && !func.isExternal() && !isKernel(func))
      addLaunches(func);
}

/// Loops with work of the host make many launches, of which most are equal.
void LaunchTimer::addLaunches(func::FuncOp entry) {
  ScopedDiagnosticHandler untold(entry.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<SmallVector<RecordedCall>> traced = traceCalls(entry, kernels);
  if (failed(traced))
    return;
  SmallVector<const Program *> pointers = getPrograms();
  for (ArrayRef<RecordedCall> calls = *traced; !calls.empty();) {
    ArrayRef<RecordedCall> launch = takeLaunch(calls, pointers);
    calls = calls.drop_front(launch.size());
    if (launch.size() == 1)
      continue;
    auto [own, isNew] =
        known.try_emplace(describeLaunch(launch), launches.size());
    if (isNew)
      launches.push_back({llvm::to_vector(launch)});
    ++launches[own->second].count;
  }
}

SmallVector<const Program *> LaunchTimer::getPrograms() const {
  return llvm::map_to_vector(programs, [](const std::optional<Program> &known) {
    return known ? &*known : nullptr;
  });
}

size_t LaunchTimer::find(func::FuncOp kernel) const {
  return llvm::find(kernels, kernel) - kernels.begin();
}

/// The calls around number `middle`, at most `reach` to each side.
static ArrayRef<RecordedCall> takeAround(ArrayRef<RecordedCall> calls,
                                         size_t middle, size_t reach) {
  size_t begin = middle - std::min(middle, reach);
  return calls.take_front(middle + reach + 1).drop_front(begin);
}

int64_t LaunchTimer::countSteps(ArrayRef<RecordedCall> calls) const {
  int64_t steps = 0;
  for (const RecordedCall &call : calls)
    steps += std::min(mlir::trn::countSteps(*programs[call.kernel]), maxSteps);
  return steps;
}

SmallVector<LaunchTimer::Window>
LaunchTimer::findWindows(func::FuncOp kernel) const {
  SmallVector<Window> windows;
  const size_t wanted = find(kernel);
  for (const KnownLaunch &launch : launches) {
    SmallVector<size_t> own;
    for (auto [number, call] : llvm::enumerate(launch.calls))
      if (call.kernel == wanted)
        own.push_back(number);
    if (own.empty())
      continue;
    const size_t middle = own[own.size() / 2];
    size_t reach = mostReach;
    while (reach >= leastReach &&
           countSteps(takeAround(launch.calls, middle, reach)) > maxSteps)
      --reach;
    if (reach >= leastReach)
      windows.push_back(
          {takeAround(launch.calls, middle, reach), launch.count});
    if (windows.size() == mostWindows)
      break;
  }
  return windows;
}

std::optional<int64_t>
LaunchTimer::time(ArrayRef<Window> windows, func::FuncOp kernel,
                  const planning::Schedule &schedule) const {
  std::optional<Program> own = planning::writeProgram(schedule, limited);
  if (!own)
    return std::nullopt;
  SmallVector<const Program *> tried = getPrograms();
  tried[find(kernel)] = &*own;
  int64_t latency = 0;
  for (const Window &window : windows) {
    Launch launch = joinCalls(toLaunchCalls(window.calls, tried), machine);
    latency += simulate(launch.program, machine, SimulationOptions()).latency *
               window.launches;
  }
  return latency;
}

void LaunchTimer::setPlan(func::FuncOp kernel,
                          const planning::Schedule &schedule) {
  programs[find(kernel)] = planning::writeProgram(schedule, limited);
}
