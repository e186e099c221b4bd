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

void LaunchTimer::addLaunches(func::FuncOp entry) {
  ScopedDiagnosticHandler untold(entry.getContext(),
                                 [](Diagnostic &) { return success(); });
  FailureOr<SmallVector<RecordedCall>> calls = traceCalls(entry, kernels);
  if (failed(calls))
    return;
  Calls launch;
  auto finish = [&] {
    if (launch.size() > 1)
      addLaunch(std::exchange(launch, {}));
    launch.clear();
  };
  for (RecordedCall &call : *calls) {
    if (call.followsHost || !programs[call.kernel])
      finish();
    if (programs[call.kernel])
      launch.push_back(std::move(call));
  }
  finish();
}

/// Loops with work of the host make many launches, of which most are equal.
void LaunchTimer::addLaunch(Calls calls) {
  DenseMap<uintptr_t, uintptr_t> memories; // in the order of their use
  std::vector<int64_t> numbers;
  for (RecordedCall &call : calls) {
    numbers.push_back(call.kernel);
    for (uintptr_t &memory : call.arguments) {
      memory = memories.try_emplace(memory, memories.size() + 1).first->second;
      numbers.push_back(memory);
    }
    llvm::append_range(numbers, call.offsets);
  }
  auto [own, isNew] = known.try_emplace(std::move(numbers), launches.size());
  if (isNew) {
    launches.push_back(std::move(calls));
    counts.push_back(0);
  }
  ++counts[own->second];
}

static SmallVector<LaunchCall>
describe(ArrayRef<RecordedCall> calls,
         const std::vector<std::optional<Program>> &programs) {
  return llvm::map_to_vector(calls, [&](const RecordedCall &call) {
    return LaunchCall{&*programs[call.kernel], call.arguments, call.offsets};
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

SmallVector<LaunchTimer::Window> LaunchTimer::findWindows(size_t kernel) const {
  SmallVector<Window> windows;
  for (const auto &[calls, count] : llvm::zip_equal(launches, counts)) {
    ArrayRef<RecordedCall> launch = calls;
    SmallVector<size_t> own;
    for (auto [number, call] : llvm::enumerate(launch))
      if (call.kernel == kernel)
        own.push_back(number);
    if (own.empty())
      continue;
    const size_t middle = own[own.size() / 2];
    size_t reach = mostReach;
    while (reach >= leastReach &&
           countSteps(takeAround(launch, middle, reach)) > maxSteps)
      --reach;
    ArrayRef<RecordedCall> window = takeAround(launch, middle, reach);
    if (reach >= leastReach &&
        countJoinable(describe(window, programs)) == window.size())
      windows.push_back({window, count});
    if (windows.size() == mostWindows)
      break;
  }
  return windows;
}

bool LaunchTimer::hasNeighbours(func::FuncOp kernel) const {
  return !findWindows(find(kernel)).empty();
}

std::optional<int64_t> LaunchTimer::time(func::FuncOp kernel,
                                         const planning::Schedule &schedule) {
  const size_t number = find(kernel);
  std::optional<Program> program = planning::writeProgram(schedule, limited);
  if (!program)
    return std::nullopt;
  std::swap(program, programs[number]);
  int64_t latency = 0;
  for (const Window &window : findWindows(number))
    latency += mlir::trn::simulate(
                   joinCalls(describe(window.calls, programs), machine).program,
                   machine, SimulationOptions())
                   .latency *
               window.launches;
  std::swap(program, programs[number]);
  return latency;
}

void LaunchTimer::setPlan(func::FuncOp kernel,
                          const planning::Schedule &schedule) {
  programs[find(kernel)] = planning::writeProgram(schedule, limited);
}
