//===- DemandsTest.cpp - Plans are as demanded, or are not ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Demands.h"

#include "Graphs.h"
#include "trn/Search/Edits.h"
#include "gtest/gtest.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

namespace {
/// Strips of 512, u and v in blocks of 256 columns, y on chip for a strip.
struct Chain {
  Chain() {
    builder.graph = legalize(source, TransposeMode::Implicit);
    PlanBuilder plan(builder);
    plan.nest({{"m", 512}, {"k", 256}})
        .nest({{"m", 512}, {"r", 256}})
        .nest({{"m", 512}, {"n", 256}});
    plan.home("x", 2).home("xt", 1).home("u", 2).home("yt", 1).home("v", 2);
    plan.home("o", 2);
    schedule = {builder.graph, plan.plan};
  }
  bool allows(const Demands &demands) const {
    return DemandChecker(source, demands, defaultMachine()).allows(schedule);
  }

  Graph source = chainSource(1024, 256, 512, 2048).graph;
  GraphBuilder builder;
  Schedule schedule;
};
} // namespace

TEST(DemandsTest, blocks) {
  Chain chain;
  Demands demands;
  EXPECT_TRUE(chain.allows(demands));
  demands.blocks = {{"m", 512}, {"r", 256}, {"n", 256}};
  EXPECT_TRUE(chain.allows(demands));
  // Not cut at all.
  demands.blocks = {{"k", 256}};
  EXPECT_TRUE(chain.allows(demands));
  for (const char *dim : {"m", "k", "r", "n"}) {
    demands.blocks = {{dim, 128}};
    EXPECT_FALSE(chain.allows(demands)) << dim;
  }
}

TEST(DemandsTest, keep) {
  Chain chain;
  Demands demands;
  demands.keep = {{"y", "m"}, {"v", "n"}, {"xt", "m"}};
  EXPECT_TRUE(chain.allows(demands));
  demands.keep = {{"v", "m"}};
  EXPECT_FALSE(chain.allows(demands));
  EXPECT_TRUE(DemandChecker(chain.source, demands, defaultMachine())
                  .moveHomes(chain.schedule));
  EXPECT_TRUE(chain.allows(demands));
  demands.keep = {{"v", "k"}};
  EXPECT_FALSE(DemandChecker(chain.source, demands, defaultMachine())
                   .moveHomes(chain.schedule));
}

TEST(DemandsTest, intermediates_on_chip) {
  Chain chain;
  Demands demands;
  demands.keepIntermediates = true;
  EXPECT_TRUE(chain.allows(demands));
  ASSERT_TRUE(apply({Edit::Kind::Spill, 0, /*home=*/3}, chain.schedule));
  EXPECT_FALSE(chain.allows(demands));
}

TEST(DemandsTest, recomputation) {
  Chain chain;
  Demands demands;
  demands.recompute = true;
  EXPECT_FALSE(chain.allows(demands));
}

TEST(DemandsTest, forms) {
  Chain chain;
  auto countForms = [&](std::optional<TransposeMode> mode) {
    Demands demands;
    demands.transpose = mode;
    return DemandChecker(chain.source, demands, defaultMachine())
        .forms()
        .size();
  };
  EXPECT_EQ(countForms(std::nullopt), 2u);
  EXPECT_EQ(countForms(TransposeMode::Implicit), 1u);
  EXPECT_EQ(countForms(TransposeMode::Explicit), 1u);
}
