//===- AttentionGraphs.h - Random attention ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_ATTENTIONGRAPHS_H
#define TRN_TEST_UNIT_PLANNING_ATTENTIONGRAPHS_H

#include "trn/Planning/Graph.h"
#include <random>

namespace mlir::trn::planning {

/// `o = softmax(q * k) * v` as kernels have it in front of being turned, behind
/// a mask or not, of heads that share keys or not, stored either way round.
class AttentionGraphMaker {
public:
  explicit AttentionGraphMaker(unsigned seed) : random(seed) {}

  Graph make() {
    for (const char *name : {"m", "n", "d", "e"})
      graph.dims.push_back(
          {name, 1 + below(llvm::StringRef(name) == "e" ? 3 : 11)});
    graph.dims.push_back({"one", 1});
    unsigned q = addMatrix("q", below(2) ? m : d, Role::Input, m, d);
    unsigned k = addMatrix("k", below(2) ? n : d, Role::Input, n, d);
    unsigned v = addMatrix("v", n, Role::Input, n, e);
    bool isMasked = below(3), isTurned = below(2);
    unsigned c = isMasked ? addMatrix("c", m, Role::Input, m, n) : 0;
    unsigned o = addMatrix("o", isTurned ? e : m, Role::Result, m, e);
    unsigned s = addMatrix("s", m, Role::Intermediate, m, n);
    unsigned a = addMatrix("a", m, Role::Intermediate, m, one);
    unsigned p = addMatrix("p", m, Role::Intermediate, m, n);
    unsigned l = addMatrix("l", m, Role::Intermediate, m, one);
    unsigned r = addMatrix("r", m, Role::Intermediate, m, n);
    for (unsigned wide : {s, a, p, l})
      graph.matrices[wide].type = ElementType::F32;

    Stage &scores = addStage(s);
    scores.terms = {{q, k, d}};
    if (isMasked) {
      graph.matrices[c].band = anyBand();
      bool isAdded = graph.matrices[c].band->inside == 0;
      Expression &masked = scores.expression;
      masked.apply(isAdded ? Function::Add : Function::Min,
                   {masked.addSum(0), masked.addMatrix(c)});
    }
    reduce(a, Function::Max, s);
    Expression &powers = addStage(p).expression;
    bool isScaled = below(2);
    auto scale = [&](unsigned matrix) {
      unsigned value = powers.addMatrix(matrix);
      return isScaled
                 ? powers.apply(Function::Mul, {value, powers.addConstant(2)})
                 : value;
    };
    unsigned from = scale(s), most = scale(a);
    powers.apply(Function::Exp, powers.apply(Function::Sub, {from, most}));
    reduce(l, Function::Add, p);
    Expression &shares = addStage(r).expression;
    shares.apply(Function::Div, {shares.addMatrix(p), shares.addMatrix(l)},
                 ElementType::BF16);
    addStage(o).terms = {isTurned ? Term{v, r, n} : Term{r, v, n}};
    if (below(2))
      addBatches({q, o, s, a, p, l, r}, {k, v});
    return graph;
  }

private:
  enum Dims : unsigned { m, n, d, e, one };

  unsigned below(unsigned count) { return random() % count; }
  /// Of two dims, of which `rows` comes first.
  unsigned addMatrix(const char *name, unsigned rows, Role role, unsigned first,
                     unsigned second) {
    unsigned columns = rows == first ? second : first;
    graph.matrices.push_back({name, rows, columns, ElementType::BF16, role});
    return graph.matrices.size() - 1;
  }
  Stage &addStage(unsigned result) {
    graph.stages.push_back({result});
    return graph.stages.back();
  }
  void reduce(unsigned result, Function function, unsigned of) {
    Stage &stage = addStage(result);
    stage.reduction = {function, n};
    stage.expression.addMatrix(of);
  }
  /// Two, of which the keys and the values have the outer one, or none.
  void addBatches(llvm::ArrayRef<unsigned> own, llvm::ArrayRef<unsigned> keys) {
    graph.dims.push_back({"b", 2});
    graph.dims.push_back({"g", 2});
    unsigned b = graph.dims.size() - 2, g = b + 1;
    bool hasOuter = below(2), areShared = below(3);
    for (unsigned matrix : own)
      graph.matrices[matrix].rowBatches = {b, g};
    for (unsigned matrix : keys)
      if (!areShared)
        graph.matrices[matrix].rowBatches = {b, g};
      else if (hasOuter)
        graph.matrices[matrix].rowBatches = {b};
  }
  /// With something in each row.
  Band anyBand() {
    int64_t rows = graph.sizeOf(m), columns = graph.sizeOf(n);
    Band band;
    if (below(4))
      band.most = below(6);
    if (below(3) == 0)
      band.least = columns - rows - int64_t(below(6));
    if (band.least && band.most && *band.least > *band.most)
      band.least = *band.most;
    if (below(2))
      band.inside = std::numeric_limits<float>::infinity();
    return band;
  }

  Graph graph;
  std::mt19937 random;
};

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PLANNING_ATTENTIONGRAPHS_H
