//===- ScheduleChecker.h - Compiles, times and runs schedules ---*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PIPELINES_SCHEDULECHECKER_H
#define TRN_TEST_UNIT_PIPELINES_SCHEDULECHECKER_H

#include "Batches.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/PlanCost.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::trn::planning {

/// Whole numbers, few and small, so that sums and roundings are exact, at least
/// if the graph is not too deep.
class Values {
public:
  /// Those of the inputs of `graph`, and of what it makes of them.
  explicit Values(const Graph &graph);

  std::vector<std::vector<float>> matrices;
  bool areExact = true;

private:
  void computeBatch(const Graph &graph, const Batch &batch);
  void compute(const Graph &graph, std::vector<std::vector<float>> &matrices);
};

class ScheduleChecker {
public:
  ScheduleChecker();

  /// What differs between the plan, which fits, and its placed program, or
  /// what is wrong with the results of a run on the inputs of `values`, whose
  /// graph has the same inputs and results; empty if nothing is.
  std::string check(const Schedule &schedule, const Machine &machine,
                    const Values &values);

private:
  std::string compare(const PlanCost &cost, func::FuncOp kernel,
                      const Machine &machine);
  std::string run(const Graph &graph, func::FuncOp kernel,
                  const Machine &machine, const Values &values);

  MLIRContext context;
  std::string said;
};

/// Whether addresses are found for all buffers.
bool fits(const placement::Problem &problem);

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PIPELINES_SCHEDULECHECKER_H
