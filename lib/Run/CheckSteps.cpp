//===- CheckSteps.cpp - Refuse what would take days -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckSteps.h"

#include "trn/Program/CountSteps.h"
#include "trn/Run/RunOptions.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

/// `, which take about 3 hours`, for people who decide whether to wait.
static std::string describeDuration(int64_t seconds) {
  if (seconds < 5)
    return "";
  std::pair<int64_t, const char *> units[] = {{365 * 86400, "years"},
                                              {86400, "days"},
                                              {3600, "hours"},
                                              {60, "minutes"}};
  for (auto [size, name] : units)
    if (seconds >= 2 * size)
      return llvm::formatv(", which take about {0:N0} {1}", seconds / size,
                           name);
  return llvm::formatv(", which take about {0} seconds", seconds);
}

LogicalResult mlir::trn::checkSteps(func::FuncOp entry,
                                    ArrayRef<DecodedKernel> kernels,
                                    uint64_t maxSteps) {
  for (const DecodedKernel &kernel : kernels) {
    int64_t steps = countSteps(kernel.program);
    if (static_cast<uint64_t>(steps) <= maxSteps)
      continue;
    bool isSaturated = steps == std::numeric_limits<int64_t>::max();
    return entry.emitError()
           << "kernel @" << kernel.program.name << " has "
           << (isSaturated ? "more than " : "")
           << llvm::formatv("{0:N0} steps{1}, but at most "
                            "{2:N0} are simulated; give it fewer rows, or "
                            "raise the limit with --max-steps",
                            steps, describeDuration(steps / stepsPerSecond),
                            maxSteps)
                  .str();
  }
  return success();
}
