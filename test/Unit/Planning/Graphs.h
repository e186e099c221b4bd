//===- Graphs.h - Small graphs for tests ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_GRAPHS_H
#define TRN_TEST_UNIT_PLANNING_GRAPHS_H

#include "trn/Machine/KnownMachines.h"
#include "trn/Planning/PrintSchedule.h"

namespace mlir::trn::planning {

/// Puts graphs together; everything goes by its name.
class GraphBuilder {
public:
  GraphBuilder &dim(const char *name, int64_t size) {
    graph.dims.push_back({name, size});
    return *this;
  }
  GraphBuilder &part(const char *name, int64_t size, const char *of,
                     int64_t offset) {
    graph.dims.push_back({name, size, dimOf(of), offset});
    return *this;
  }
  GraphBuilder &matrix(const char *name, const char *rows, const char *columns,
                       Role role = Role::Intermediate,
                       ElementType type = ElementType::BF16) {
    graph.matrices.push_back({name, dimOf(rows), dimOf(columns), type, role});
    return *this;
  }
  GraphBuilder &transposition(const char *result, const char *source) {
    graph.stages.push_back({matrixOf(result), {}, matrixOf(source)});
    return *this;
  }
  GraphBuilder &product(const char *result, const char *left, const char *right,
                        const char *over) {
    graph.stages.push_back({matrixOf(result)});
    return plus(left, right, over);
  }
  GraphBuilder &plus(const char *left, const char *right, const char *over) {
    graph.stages.back().terms.push_back(
        {matrixOf(left), matrixOf(right), dimOf(over)});
    return *this;
  }

  unsigned dimOf(llvm::StringRef name) const {
    for (unsigned i = 0; i < graph.dims.size(); ++i)
      if (graph.dims[i].name == name)
        return i;
    return ~0u;
  }
  unsigned matrixOf(llvm::StringRef name) const {
    for (unsigned i = 0; i < graph.matrices.size(); ++i)
      if (graph.matrices[i].name == name)
        return i;
    return ~0u;
  }

  Graph graph;
};

constexpr Role input = Role::Input, result = Role::Result;

/// Nests in the order of the stages, homes by the number of loops around them.
class PlanBuilder {
public:
  explicit PlanBuilder(const GraphBuilder &builder) : names(builder) {}

  PlanBuilder &nest(std::vector<std::pair<const char *, int64_t>> loops) {
    plan.nests.emplace_back();
    for (auto [dim, block] : loops)
      plan.nests.back().loops.push_back({names.dimOf(dim), block});
    return *this;
  }
  /// For all nests that use the matrix, if none are given.
  PlanBuilder &home(const char *matrix, unsigned level,
                    llvm::ArrayRef<unsigned> nests = {}) {
    unsigned number = names.matrixOf(matrix);
    Home home{number, {nests.begin(), nests.end()}, level};
    if (nests.empty())
      home.nests = nestsThatUse(names.graph, number);
    plan.homes.push_back(home);
    return *this;
  }
  // Of the last home.
  PlanBuilder &slots(int64_t count) {
    plan.homes.back().slots = count;
    return *this;
  }
  PlanBuilder &ahead(unsigned iterations, int64_t pieces = 0) {
    plan.homes.back().ahead = iterations;
    plan.homes.back().pieces = pieces;
    return *this;
  }
  PlanBuilder &packed() {
    plan.homes.back().packed = true;
    return *this;
  }
  PlanBuilder &sums(unsigned level, Store store,
                    ElementType type = ElementType::F32) {
    plan.homes.back().sums = Sums{level, store, type};
    return *this;
  }

  const GraphBuilder &names;
  Plan plan;
};

/// X*U*V as the source says it.
inline GraphBuilder chainSource(int64_t m, int64_t k, int64_t r, int64_t n) {
  return GraphBuilder()
      .dim("m", m)
      .dim("k", k)
      .dim("r", r)
      .dim("n", n)
      .matrix("x", "m", "k", input)
      .matrix("u", "k", "r", input)
      .matrix("v", "r", "n", input)
      .matrix("o", "m", "n", result)
      .matrix("y", "m", "r")
      .product("y", "x", "u", "k")
      .product("o", "y", "v", "r");
}

/// O = X * W, X turned.
inline GraphBuilder productGraph(int64_t m, int64_t k, int64_t n) {
  return GraphBuilder()
      .dim("m", m)
      .dim("k", k)
      .dim("n", n)
      .matrix("x", "m", "k", input)
      .matrix("xt", "k", "m")
      .matrix("w", "k", "n", input)
      .matrix("o", "m", "n", result)
      .transposition("xt", "x")
      .product("o", "xt", "w", "k");
}

/// O = X * U * V, X turned, Y^T computed.
inline GraphBuilder chainGraph(int64_t m, int64_t k, int64_t r, int64_t n) {
  return GraphBuilder()
      .dim("m", m)
      .dim("k", k)
      .dim("r", r)
      .dim("n", n)
      .matrix("x", "m", "k", input)
      .matrix("xt", "k", "m")
      .matrix("u", "k", "r", input)
      .matrix("yt", "r", "m")
      .matrix("v", "r", "n", input)
      .matrix("o", "m", "n", result)
      .transposition("xt", "x")
      .product("yt", "u", "xt", "k")
      .product("o", "yt", "v", "r");
}

/// The chain with r in two parts, the first one of `ra`.
inline GraphBuilder spillGraph(int64_t m, int64_t k, int64_t ra, int64_t rb,
                               int64_t n) {
  return GraphBuilder()
      .dim("m", m)
      .dim("k", k)
      .dim("r", ra + rb)
      .dim("n", n)
      .part("ra", ra, "r", 0)
      .part("rb", rb, "r", ra)
      .matrix("x", "m", "k", input)
      .matrix("xt", "k", "m")
      .matrix("u", "k", "r", input)
      .matrix("ya", "ra", "m")
      .matrix("yb", "rb", "m")
      .matrix("v", "r", "n", input)
      .matrix("o", "m", "n", result)
      .transposition("xt", "x")
      .product("ya", "u", "xt", "k")
      .product("yb", "u", "xt", "k")
      .product("o", "ya", "v", "ra")
      .plus("yb", "v", "rb");
}

/// A machine of a few partitions, so that small matrices have many tiles.
inline Machine smallMachine(int64_t partitions, int64_t movingFreeMax,
                            bool dmaTranspose = false) {
  Machine machine = defaultMachine();
  machine.partitions = machine.stationaryFreeMax = partitions;
  machine.movingFreeMax = movingFreeMax;
  machine.psumBankBytes = movingFreeMax * byteSize(ElementType::F32);
  machine.psumFreeMax = 4 * movingFreeMax;
  machine.sbufFreeMax = 2 * movingFreeMax + partitions;
  machine.dmaTranspose = dmaTranspose;
  return machine;
}

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PLANNING_GRAPHS_H
