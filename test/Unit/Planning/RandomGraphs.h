//===- RandomGraphs.h - Graphs by chance ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_RANDOMGRAPHS_H
#define TRN_TEST_UNIT_PLANNING_RANDOMGRAPHS_H

#include "Batches.h"
#include "trn/Machine/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include <random>

namespace mlir::trn::planning {

/// Stages over a few dims and their parts that read what is there already or
/// new inputs.
class GraphMaker {
public:
  /// Dims have up to `unit` * 11 indices. Stages may reduce some if `reduces`.
  /// `computes`: expressions of transposes, too.
  GraphMaker(unsigned seed, bool reduces, int64_t unit = 1,
             bool computes = false)
      : unit(unit), mayReduce(reduces), mayCompute(computes), random(seed) {}

  Graph make(const Machine &machine) {
    for (unsigned i = 0, count = 3 + below(3); i < count; ++i)
      graph.dims.push_back({"d" + std::to_string(i), anySize()});
    for (unsigned i = 0, wholes = graph.dims.size(); i < 3; ++i) {
      unsigned of = below(wholes);
      int64_t size = graph.sizeOf(of);
      int64_t offset = below(size);
      if (below(10))
        offset -= offset % machine.partitions;
      graph.dims.push_back({"p" + std::to_string(i),
                            int64_t(1 + below(size - offset)), of, offset});
    }
    one = graph.dims.size();
    graph.dims.push_back({"one", 1});
    unsigned count = 1 + below(5);
    for (unsigned tries = 0; tries < 40 && graph.stages.size() < count; ++tries)
      addStage();
    for (unsigned i = 0; i < graph.matrices.size(); ++i) {
      bool isRead = llvm::any_of(graph.stages, [&](const Stage &stage) {
        return llvm::is_contained(stage.operands(), i);
      });
      Role &role = graph.matrices[i].role;
      bool hasGroups =
          graph.dims[graph.matrices[i].columns].groupsOf.has_value();
      if (role == Role::Intermediate && !hasGroups &&
          (!isRead || below(6) == 0))
        role = Role::Result;
    }
    if (below(3) == 0)
      addBatches(graph, [&](unsigned count) { return below(count); });
    else
      addHeads();
    return graph;
  }

private:
  void addHeads() {
    for (unsigned i = 0; i < graph.matrices.size(); ++i) {
      Matrix &matrix = graph.matrices[i];
      bool isRead = llvm::any_of(graph.stages, [&](const Stage &stage) {
        return llvm::is_contained(stage.operands(), i);
      });
      int64_t columns = graph.columnsOf(matrix), width = 1 + below(3);
      if (matrix.role == Role::Result && !isRead && columns > width &&
          columns % width == 0 && below(2))
        matrix.headColumns = width;
    }
  }
  unsigned below(unsigned count) { return random() % count; }
  int64_t anySize() {
    int64_t size = unit * (1 + below(11));
    return below(2) ? size : size - below(unit);
  }
  unsigned anyDim() { return below(one); }
  unsigned addMatrix(unsigned rows, unsigned columns, Role role) {
    std::string name = "m" + std::to_string(graph.matrices.size());
    graph.matrices.push_back({name, rows, columns, ElementType::BF16, role});
    return graph.matrices.size() - 1;
  }
  bool standsFor(unsigned own, unsigned dim) {
    return own == dim || graph.dims[own].of == dim;
  }
  unsigned widen(unsigned dim) { return below(2) ? graph.wholeOf(dim) : dim; }
  /// A matrix with rows and columns for these dims.
  unsigned operand(unsigned rows, unsigned columns) {
    for (unsigned tries = 0; tries < 20 && !graph.matrices.empty(); ++tries) {
      unsigned number = below(graph.matrices.size());
      const Matrix &matrix = graph.matrices[number];
      if (standsFor(rows, matrix.rows) && standsFor(columns, matrix.columns))
        return number;
    }
    return addMatrix(widen(rows), widen(columns), Role::Input);
  }
  /// A matrix whose elements an expression for these dims can read.
  unsigned elements(unsigned rows, unsigned columns) {
    return operand(below(3) ? rows : one, below(3) ? columns : one);
  }
  /// Of all sums and of a few matrices and constants.
  Expression expression(const Stage &stage, unsigned rows, unsigned columns) {
    const Function functions[] = {Function::Relu, Function::Square,
                                  Function::Add,  Function::Sub,
                                  Function::Mul,  Function::Max};
    Expression made;
    llvm::SmallVector<unsigned> open;
    for (unsigned sum = 0; sum < stage.numOpen(); ++sum)
      open.push_back(made.addSum(sum));
    for (unsigned i = 0, count = below(3) + open.empty(); i < count; ++i)
      open.push_back(made.addMatrix(elements(rows, columns)));
    for (unsigned left = 2 + below(4); left || open.size() > 1;) {
      Function function = functions[below(std::size(functions))];
      left -= left > 0;
      llvm::SmallVector<unsigned> arguments;
      for (int64_t i = 0; i < arity(function); ++i) {
        unsigned which = below(open.size());
        arguments.push_back(open[which]);
        if (open.size() > 1)
          open.erase(open.begin() + which);
      }
      if (arguments.size() == 2 && below(4) == 0) {
        if (arguments[1] != arguments[0])
          open.push_back(arguments[1]);
        arguments[1] = made.addConstant(float(below(5)) - 2);
      }
      if (function == Function::Max && left % 2) {
        function = Function::Select;
        arguments.push_back(arguments[0]);
      }
      unsigned value = made.apply(function, arguments);
      if (!llvm::is_contained(open, value))
        open.push_back(value);
      llvm::erase_if(open, [&](unsigned other) {
        return llvm::is_contained(arguments, other);
      });
    }
    made.values.back().type = ElementType::BF16;
    return made;
  }
  void addReduction(Stage &stage, unsigned over) {
    const Function functions[] = {Function::Add, Function::Max, Function::Min};
    stage.reduction = {functions[below(3)], over};
    if (stage.reduction->function == Function::Add)
      graph.matrices[stage.result].type = ElementType::F32;
    if (below(3) == 0) {
      unsigned rows = graph.matrices[stage.result].rows;
      stage.expression = {};
      stage.expression.addMatrix(operand(rows, over));
    } else {
      stage.expression.values.back().type = ElementType::F32;
    }
  }
  /// Reduces groups of columns, and computes with what that makes of them.
  void addGroups() {
    const Function functions[] = {Function::Add, Function::Max, Function::Mul};
    unsigned rows = anyDim(), columns = graph.wholeOf(anyDim());
    unsigned groups = graph.dims.size();
    int64_t width = unit == 1 ? 2 + below(2) : unit + below(2) * unit / 2;
    int64_t size = graph.sizeOf(columns);
    if (size % width || size == width)
      return;
    graph.dims.push_back(
        {"g" + std::to_string(groups), size / width, std::nullopt, 0, columns});
    unsigned source = operand(rows, columns);
    Stage reducing, reader;
    reducing.result = addMatrix(rows, groups, Role::Intermediate);
    unsigned value = reducing.expression.addMatrix(source);
    if (below(2))
      reducing.expression.apply(Function::Square, {value});
    reducing.reduction = {functions[below(2)], columns, /*byGroup=*/true};
    if (reducing.reduction->function == Function::Add)
      graph.matrices[reducing.result].type = ElementType::F32;
    unsigned other = below(2) ? source : operand(rows, columns);
    reader.expression.apply(functions[below(3)],
                            {reader.expression.addMatrix(other),
                             reader.expression.addMatrix(reducing.result)},
                            ElementType::BF16);
    reader.result = addMatrix(rows, columns, Role::Intermediate);
    // They may be given, too.
    if (groups % 3 == 0)
      graph.matrices[reducing.result].role = Role::Input;
    else
      graph.stages.push_back(reducing);
    graph.stages.push_back(reader);
  }
  void addStage() {
    Graph before = graph;
    if (mayReduce && below(10) == 0)
      addGroups();
    else
      addOne();
    // One that makes no sense is left out.
    Graph with = graph;
    for (Matrix &matrix : with.matrices)
      if (matrix.role == Role::Intermediate &&
          !graph.dims[matrix.columns].groupsOf)
        matrix.role = Role::Result;
    if (llvm::Error error = with.check()) {
      llvm::consumeError(std::move(error));
      graph = before;
    }
  }
  void addOne() {
    Stage stage;
    if (below(4) == 0) {
      unsigned rows = anyDim(), columns = anyDim();
      stage.source = below(2) && !graph.matrices.empty()
                         ? below(graph.matrices.size())
                         : addMatrix(rows, columns, Role::Input);
      const Matrix source = graph.matrices[*stage.source];
      if (mayCompute && source.role != Role::Input && below(2))
        stage.expression = expression(stage, source.columns, source.rows);
      stage.result = addMatrix(source.columns, source.rows, Role::Intermediate);
    } else {
      unsigned rows = anyDim(), columns = anyDim();
      if (!graph.matrices.empty() && below(4)) // likely to be read
        rows = graph.matrices[below(graph.matrices.size())].columns;
      for (unsigned i = 0, count = below(3) ? 1 : 2; i < count; ++i) {
        unsigned over = anyDim();
        unsigned left = operand(over, rows);
        stage.terms.push_back({left, operand(over, columns), over});
      }
      bool reduces = mayReduce && below(4) == 0;
      if (reduces || below(3) == 0)
        stage.terms.clear();
      else if (below(2))
        for (auto [i, term] : llvm::enumerate(stage.terms))
          term.sum = i;
      if (stage.terms.empty() || stage.numSums() > 1 || below(2))
        stage.expression = expression(stage, rows, columns);
      stage.result =
          addMatrix(rows, reduces ? one : columns, Role::Intermediate);
      if (reduces)
        addReduction(stage, columns);
    }
    graph.stages.push_back(stage);
  }

  int64_t unit;
  bool mayReduce, mayCompute;
  unsigned one = 0; // the dim of what vectors lack
  Graph graph;
  std::mt19937 random;
};

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PLANNING_RANDOMGRAPHS_H
