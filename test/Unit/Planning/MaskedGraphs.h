//===- MaskedGraphs.h - Attention with masks by chance ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_MASKEDGRAPHS_H
#define TRN_TEST_UNIT_PLANNING_MASKEDGRAPHS_H

#include "Batches.h"
#include <random>

namespace mlir::trn::planning {

/// What stands for minus infinity in masks.
constexpr int64_t lowest = -(int64_t(1) << 40);

/// `o = (exp(s - max s) * v) * sum`, where a band hides some of the scores s,
/// or what is close to it: some of these need what the band hides.
class MaskedGraphMaker {
public:
  explicit MaskedGraphMaker(unsigned seed, int64_t unit = 1)
      : unit(unit), random(seed) {}

  Graph make() {
    for (const char *name : {"m", "n", "d", "e"})
      graph.dims.push_back({name, anySize()});
    graph.dims.push_back({"one", 1});
    unsigned scores = addScores();
    addSoftmax(scores);
    if (below(3) == 0)
      addBatches(graph, [&](unsigned count) { return below(count); });
    return graph;
  }

private:
  enum Dims : unsigned { m, n, d, e, one };

  unsigned below(unsigned count) { return random() % count; }
  int64_t anySize() {
    int64_t size = unit * (1 + below(11));
    return below(2) ? size : size - below(unit);
  }
  unsigned addMatrix(const char *name, unsigned rows, unsigned columns,
                     Role role = Role::Intermediate,
                     ElementType type = ElementType::BF16) {
    graph.matrices.push_back({name, rows, columns, type, role});
    return graph.matrices.size() - 1;
  }
  ElementType typeOf(unsigned matrix) const {
    return graph.matrices[matrix].type;
  }
  Stage &addStage(unsigned result) {
    graph.stages.push_back({result});
    return graph.stages.back();
  }
  unsigned addProduct(const char *name, unsigned left, unsigned right,
                      Role role = Role::Intermediate) {
    const Matrix &one = graph.matrices[left], &other = graph.matrices[right];
    Term term{left, right, one.rows};
    unsigned result = addMatrix(name, one.columns, other.columns, role);
    addStage(result).terms = {term};
    return result;
  }
  unsigned addTransposition(const char *name, unsigned source) {
    const Matrix of = graph.matrices[source];
    unsigned result =
        addMatrix(name, of.columns, of.rows, Role::Intermediate, of.type);
    addStage(result).source = source;
    return result;
  }
  /// With something in each row.
  Band anyBand() {
    int64_t rows = graph.sizeOf(m), columns = graph.sizeOf(n);
    Band band;
    if (below(4))
      band.most = below(unit * 6);
    if (below(3) == 0)
      band.least = columns - rows - int64_t(below(unit * 6));
    if (band.least && band.most && *band.least > *band.most)
      band.least = *band.most;
    if (below(2))
      band.inside = std::numeric_limits<float>::infinity();
    return band;
  }
  unsigned applyMask(Expression &of, unsigned value, unsigned mask) {
    Function function =
        graph.matrices[mask].band->inside == 0 ? Function::Add : Function::Min;
    return of.apply(function, {value, of.addMatrix(mask)});
  }
  unsigned addScores() {
    unsigned q = addMatrix("qt", d, m, Role::Input);
    unsigned k =
        below(2) ? addMatrix("kt", d, n, Role::Input)
                 : addTransposition("kt", addMatrix("k", n, d, Role::Input));
    unsigned mask = addMatrix("c", below(8) ? m : one, n, Role::Input);
    graph.matrices[mask].band = anyBand();
    unsigned scores = addProduct("s", q, k);
    graph.matrices[scores].type =
        below(2) ? ElementType::F32 : ElementType::BF16;
    if (below(3) == 0) { // masked by a stage of its own
      unsigned masked = addMatrix("t", m, n);
      Expression of;
      applyMask(of, of.addMatrix(scores), mask);
      addStage(masked).expression = of;
      scores = masked;
    } else {
      Expression of;
      unsigned sum = of.addSum(0);
      if (below(2))
        sum = of.apply(Function::Mul, {sum, of.addConstant(2)});
      unsigned masked = applyMask(of, sum, mask);
      if (below(4) == 0)
        of.apply(Function::Mul, {masked, of.addConstant(2)});
      graph.stages.back().expression = of;
    }
    finish();
    return scores;
  }
  /// Rounds the last value to what the last stage computes.
  void finish() {
    Stage &stage = graph.stages.back();
    stage.expression.values.back().type =
        stage.reduction ? ElementType::F32 : graph.matrices[stage.result].type;
  }
  unsigned reduce(const char *name, Function function, unsigned of) {
    bool adds = function == Function::Add;
    unsigned result = addMatrix(name, m, one, Role::Intermediate,
                                adds ? ElementType::F32 : typeOf(of));
    Stage &stage = addStage(result);
    stage.reduction = {function, n};
    stage.expression.addMatrix(of);
    return result;
  }
  void addSoftmax(unsigned scores) {
    unsigned most = reduce("a", Function::Max, scores);
    unsigned powers =
        addMatrix("p", m, n, Role::Intermediate,
                  below(2) ? ElementType::F32 : ElementType::BF16);
    Expression of;
    of.apply(Function::Exp, {of.apply(Function::Sub, {of.addMatrix(scores),
                                                      of.addMatrix(most)})});
    addStage(powers).expression = of;
    finish();
    unsigned sums = reduce("l", Function::Add, powers);
    if (below(2)) {
      Expression scaled;
      scaled.apply(Function::Mul,
                   {scaled.addMatrix(powers), scaled.addMatrix(sums)});
      powers = addMatrix("r", m, n);
      addStage(powers).expression = scaled;
      finish();
      sums = ~0u;
    }
    unsigned turned = addTransposition("pt", powers);
    unsigned values =
        below(2) ? addMatrix("v", n, e, Role::Input)
                 : addProduct("v", addMatrix("yt", d, n, Role::Input),
                              addMatrix("w", d, e, Role::Input),
                              below(3) ? Role::Intermediate : Role::Result);
    graph.matrices[values].type = typeOf(turned);
    addProduct("o", turned, values, Role::Result);
    if (sums == ~0u && below(2))
      return;
    Expression scaled;
    unsigned sum = scaled.addSum(0);
    unsigned factor =
        sums == ~0u ? scaled.addConstant(3) : scaled.addMatrix(sums);
    scaled.apply(Function::Mul, {sum, factor});
    graph.stages.back().expression = scaled;
    finish();
    if (below(4) == 0) { // all values are read once more
      unsigned other = addMatrix("z", n, d, Role::Input, typeOf(values));
      addProduct("g", other, values, Role::Result);
    }
    if (below(6) == 0) // what the band hides is stored
      graph.matrices[below(2) ? powers : scores].role = Role::Result;
    if (below(6) == 0) // or summed over the other way
      addProduct("u", powers, addMatrix("y", m, e, Role::Input, typeOf(powers)),
                 Role::Result);
  }

  int64_t unit;
  Graph graph;
  std::mt19937 random;
};

/// Whether the mask, which has a band, lets this element be seen.
inline bool isSeen(const Band &band, int64_t row, int64_t column) {
  int64_t diagonal = column - row;
  return (!band.least || diagonal >= *band.least) &&
         (!band.most || diagonal <= *band.most);
}

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PLANNING_MASKEDGRAPHS_H
