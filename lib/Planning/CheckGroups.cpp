//===- CheckGroups.cpp - Rules of groups of columns -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckGroups.h"

#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::Error planning::checkGroups(const Graph &graph) {
  // graph_c18
  for (const Dim &dim : graph.dims) {
    if (!dim.groupsOf)
      continue;
    if (dim.of || *dim.groupsOf >= graph.dims.size() ||
        graph.dims[*dim.groupsOf].of || graph.dims[*dim.groupsOf].groupsOf)
      return refuse("dim {0} must be groups of a dim that is whole", dim.name);
    const Dim &whole = graph.dims[*dim.groupsOf];
    if (dim.size < 2 || dim.size >= whole.size || whole.size % dim.size)
      return refuse("dim {0} is {1} groups of {2}, so {1} must divide the {3} "
                    "that it has, and be neither 1 nor {3}",
                    dim.name, dim.size, whole.name, whole.size);
  }
  for (const Matrix &matrix : graph.matrices)
    if (graph.dims[matrix.rows].groupsOf ||
        (graph.dims[matrix.columns].groupsOf &&
         (matrix.role == Role::Result || matrix.role == Role::Constant)))
      return refuse("{0} has groups, so they must be its columns, and it must "
                    "be an input or an intermediate",
                    matrix.name);
  return llvm::Error::success();
}

/// Of columns that change places or repeat in `stage` by groups of `size`.
static llvm::Error checkPeriods(const Graph &graph, const Stage &stage,
                                int64_t size) {
  // graph_c18
  for (const Value &value : stage.expression.values) {
    if (value.kind != Value::Kind::Matrix)
      continue;
    const Matrix &matrix = graph.matrices[value.number];
    int64_t period = value.rotation ? 2 * value.rotation
                     : graph.repeatsOf(stage, value.number) > 1
                         ? graph.columnsOf(matrix)
                         : 1;
    if (size % period)
      return refuse("columns of {0} repeat or are rotated by {1} where {2} is "
                    "computed, so {1} must divide the {3} of a group",
                    matrix.name, period, graph.matrices[stage.result].name,
                    size);
    if (graph.readsByGroup(stage, value.number) &&
        graph.groupSize(matrix.columns) != size)
      return refuse("{0} has a column for each {1} where {2} is computed by "
                    "groups of {3}",
                    matrix.name, graph.groupSize(matrix.columns),
                    graph.matrices[stage.result].name, size);
  }
  return llvm::Error::success();
}

llvm::Error planning::checkGroups(const Graph &graph, const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  // graph_c18
  for (unsigned operand : stage.operands())
    if (graph.dims[graph.matrices[operand].columns].groupsOf &&
        stage.productOf(operand))
      return refuse("{0} has a column for each group, so no product must read "
                    "it, as that of {1} does",
                    graph.matrices[operand].name, result.name);
  std::optional<int64_t> size = graph.groupIn(stage);
  if (!size)
    return llvm::Error::success();
  if (!stage.terms.empty() || stage.source)
    return refuse("{0} is computed by groups, so it must have no products and "
                  "be no transpose; compute these in a stage of their own",
                  result.name);
  return checkPeriods(graph, stage, *size);
}
