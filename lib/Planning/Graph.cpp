//===- Graph.cpp - What a kernel computes ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using llvm::formatv;

llvm::StringRef planning::stringify(Role role) {
  switch (role) {
  case Role::Input:
    return "input";
  case Role::Result:
    return "result";
  case Role::Intermediate:
    return "intermediate";
  }
  return "";
}

llvm::SmallVector<unsigned, 4> Stage::operands() const {
  if (isTransposition())
    return {source};
  llvm::SmallVector<unsigned, 4> operands;
  for (const Term &term : terms) {
    operands.push_back(term.left);
    operands.push_back(term.right);
  }
  return operands;
}

unsigned Graph::dimIn(const Stage &stage, unsigned dim) const {
  for (unsigned own : dimsOf(stage))
    if (own == dim || dims[own].of == dim)
      return own;
  return dim;
}

llvm::SmallVector<unsigned, 4> Graph::dimsOf(const Stage &stage) const {
  const Matrix &result = matrices[stage.result];
  llvm::SmallVector<unsigned, 4> own{result.rows, result.columns};
  for (const Term &term : stage.terms)
    if (!llvm::is_contained(own, term.over))
      own.push_back(term.over);
  return own;
}

namespace {
class GraphChecker {
public:
  explicit GraphChecker(const Graph &graph) : graph(graph) {}

  llvm::Error check() const {
    if (llvm::Error error = checkNumbers())
      return error;
    std::vector<bool> written(graph.matrices.size(), false);
    for (const Stage &stage : graph.stages) {
      const Matrix &result = graph.matrices[stage.result];
      for (unsigned operand : stage.operands())
        if (graph.matrices[operand].role != Role::Input && !written[operand])
          return refuse("{0} is read before a stage computes it",
                        graph.matrices[operand].name);
      if (result.role == Role::Input || written[stage.result])
        return refuse("{0} is written, but is {1}", result.name,
                      result.role == Role::Input ? "an input"
                                                 : "written already");
      written[stage.result] = true;
      if (llvm::Error error = checkStage(stage, result))
        return error;
    }
    for (auto [matrix, isWritten] : llvm::zip_equal(graph.matrices, written))
      if (matrix.role != Role::Input && !isWritten)
        return refuse("{0} is computed by no stage", matrix.name);
    return llvm::Error::success();
  }

private:
  template <typename... Args>
  llvm::Error refuse(const char *format, Args &&...args) const {
    return llvm::createStringError(
        formatv(format, std::forward<Args>(args)...).str());
  }

  llvm::Error checkNumbers() const {
    size_t numDims = graph.dims.size(), numMatrices = graph.matrices.size();
    for (const Dim &dim : graph.dims) {
      if (dim.size < 1)
        return refuse("dimension {0} is {1}, but must be at least 1", dim.name,
                      dim.size);
      if (!dim.of)
        continue;
      if (*dim.of >= numDims || graph.dims[*dim.of].of || dim.offset < 0 ||
          dim.offset > graph.dims[*dim.of].size - dim.size)
        return refuse("{0} is no part of another dim", dim.name);
    }
    for (const Matrix &matrix : graph.matrices)
      if (matrix.rows >= numDims || matrix.columns >= numDims ||
          matrix.rows == matrix.columns)
        return refuse("{0} does not have two dims", matrix.name);
    if (graph.stages.empty())
      return refuse("there are no stages");
    for (const Stage &stage : graph.stages) {
      bool known = stage.result < numMatrices;
      for (unsigned operand : stage.operands())
        known &= operand < numMatrices;
      for (const Term &term : stage.terms)
        known &= term.over < numDims;
      if (!known)
        return refuse("a stage uses a matrix or a dim that is not there");
    }
    return llvm::Error::success();
  }

  bool isOrHas(unsigned part, unsigned dim) const {
    return part == dim || graph.dims[part].of == dim;
  }

  llvm::Error checkStage(const Stage &stage, const Matrix &result) const {
    if (stage.isTransposition()) {
      const Matrix &source = graph.matrices[stage.source];
      if (source.rows != result.columns || source.columns != result.rows ||
          source.type != result.type)
        return refuse("{0} is not the transpose of {1}", result.name,
                      source.name);
      return llvm::Error::success();
    }
    ElementType type = graph.matrices[stage.terms[0].left].type;
    for (const Term &term : stage.terms) {
      const Matrix &left = graph.matrices[term.left];
      const Matrix &right = graph.matrices[term.right];
      if (left.type != type || right.type != type)
        return refuse("{0} and {1}, which are multiplied, have the types {2} "
                      "and {3}",
                      left.name, right.name, stringify(left.type),
                      stringify(right.type));
      if (!isOrHas(term.over, left.rows) || !isOrHas(term.over, right.rows) ||
          !isOrHas(result.rows, left.columns) ||
          !isOrHas(result.columns, right.columns) || term.over == result.rows ||
          term.over == result.columns)
        return refuse("{0} is not the product of {1} and {2} over {3}, which "
                      "must be the first dim of both",
                      result.name, left.name, right.name,
                      graph.dims[term.over].name);
    }
    return llvm::Error::success();
  }

  const Graph &graph;
};
} // namespace

llvm::Error Graph::check() const { return GraphChecker(*this).check(); }
