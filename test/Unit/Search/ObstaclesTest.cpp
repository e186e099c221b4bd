//===- ObstaclesTest.cpp - What is in the way of a plan -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Obstacles.h"

#include "Graphs.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

TEST(ObstaclesTest, batch_dims_have_no_blocks) {
  GraphBuilder builder = chainSource(512, 256, 256, 512);
  builder.dim("b", 512);
  for (Matrix &matrix : builder.graph.matrices)
    matrix.rowBatches = {builder.dimOf("b")};
  Demands demands;
  demands.blocks = {{"b", 256}};
  EXPECT_EQ(findObstacle(builder.graph, demands, defaultMachine()),
            "block-b: b is a batch dim, which has no blocks; the loops run for "
            "each of its indices");
}

TEST(ObstaclesTest, levels_without_a_loop) {
  Graph graph = chainSource(512, 256, 256, 512).graph;
  Demands demands;
  demands.keep = {{"u", "n"}};
  EXPECT_EQ(findObstacle(graph, demands, defaultMachine()),
            "keep=u=n has no plan: no loop over n is around what fills it; "
            "there are kernel, m, r, k; strategy=recompute has one");
  demands.keep = {{"v", "k"}};
  EXPECT_EQ(findObstacle(graph, demands, defaultMachine()),
            "keep=v=k has no plan: no loop over k is around what fills it; "
            "there are kernel, m, n, r; leave it out, and there is a plan");
}

TEST(ObstaclesTest, no_banks) {
  Machine machine = defaultMachine();
  machine.psumBanks = 0;
  Graph graph = chainSource(512, 256, 256, 512).graph;
  std::string obstacle = findObstacle(graph, {}, machine).value_or("");
  EXPECT_NE(obstacle.find("of PSUM"), std::string::npos) << obstacle;
}

TEST(ObstaclesTest, none) {
  Graph graph = chainSource(512, 256, 256, 512).graph;
  EXPECT_EQ(findObstacle(graph, {}, defaultMachine()), std::nullopt);
}
