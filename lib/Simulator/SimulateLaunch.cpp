//===- SimulateLaunch.cpp - How long the kernels of a launch take ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitParts.h"
#include "Summary.h"
#include "trn/Program/Launch.h"
#include "trn/Simulator/Simulator.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

/// What the instructions of a part have of the path.
static CriticalPath takePath(const CriticalPath &path, const LaunchPart &part) {
  CriticalPath own;
  auto begin = path.instructions.begin() + part.firstInstruction;
  own.instructions.assign(begin, begin + part.program->instructions.size());
  return own;
}

LaunchResult mlir::trn::splitParts(const Launch &launch, const Machine &machine,
                                   SimulationResult simulated) {
  LaunchResult result{std::move(simulated), {}};
  const SimulationResult &whole = result.whole;
  // The kernel of a logical core is a launch of its own.
  if (!whole.others.empty()) {
    result.calls.push_back(whole);
    return result;
  }
  PartEnd before{0, std::vector<int64_t>(whole.dmaBusy.size(), 0)};
  for (auto [part, end] : llvm::zip_equal(launch.parts, whole.parts)) {
    SimulationResult &own = result.calls.emplace_back();
    auto totals = whole.totals.begin() + part.firstInstruction;
    own.totals.assign(totals, totals + part.program->instructions.size());
    own.latency = end.time - before.time;
    for (auto [until, from] : llvm::zip_equal(end.dmaBusy, before.dmaBusy))
      own.dmaBusy.push_back(until - from);
    if (whole.criticalPath)
      own.criticalPath = takePath(*whole.criticalPath, part);
    summarize(*part.program, machine, own);
    before = end;
  }
  if (whole.criticalPath) {
    CriticalPath &first = *result.calls.front().criticalPath;
    first.kernelOverhead = whole.criticalPath->kernelOverhead;
    first.notFollowed = whole.criticalPath->notFollowed;
  }
  return result;
}

LaunchResult mlir::trn::simulateLaunch(const Launch &launch,
                                       const Machine &machine,
                                       const SimulationOptions &options) {
  SimulationOptions withParts = options;
  std::vector<int32_t> begins = launch.begins();
  withParts.parts = begins;
  return splitParts(launch, machine,
                    simulate(launch.program, machine, withParts));
}
