//===- PsumFaultTest.cpp - Tests of accumulation groups -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"

#include "gtest/gtest.h"

using namespace mlir::trn;

namespace {

/// Two written operands and two PSUM tiles in bank 3.
class PsumFault : public testing::Test {
protected:
  PsumFault() {
    kernel.at("operand");
    operand = kernel.sbuf(ElementType::BF16, 128, 128, 0);
    kernel.alloc(operand);
    kernel.fill(kernel.tile(operand, 128, 0, 128), 1);
    kernel.at("tile a");
    a = kernel.psum(ElementType::F32, 128, 128, 3);
    kernel.alloc(a);
    kernel.at("tile b");
    b = kernel.psum(ElementType::F32, 128, 128, 3, 1, /*offset=*/1024);
    kernel.alloc(b);
  }

  void matmul(const char *name, int32_t into, bool accumulate) {
    Access tile = kernel.tile(operand, 128, 0, 128);
    kernel.at(name);
    Instruction &added =
        kernel.matmul(tile, tile, kernel.tile(into, 128, 0, 128));
    if (accumulate)
      kernel.accumulateAlways(added);
  }

  void expectFault(const char *op, const char *message,
                   std::vector<std::string> notes) {
    std::optional<Fault> fault = kernel.run();
    ASSERT_TRUE(fault);
    EXPECT_EQ(kernel.nameOf(fault->op), op);
    EXPECT_NE(fault->message.find(message), std::string::npos)
        << fault->message;
    std::vector<std::string> noted;
    for (const auto &[index, text] : fault->notes)
      noted.push_back(kernel.nameOf(index));
    EXPECT_EQ(noted, notes);
  }

  KernelBuilder kernel;
  int32_t operand, a, b;
};

} // namespace

TEST_F(PsumFault, GroupThatStartsByOverwritingIsFine) {
  matmul("start", a, false);
  matmul("add", a, true);
  matmul("start other", b, false);
  matmul("add other", b, true);
  EXPECT_FALSE(kernel.run());
}

TEST_F(PsumFault, group_c1__AccumulationWithoutStart) {
  matmul("add", a, true);
  expectFault("add", "accumulates into PSUM bank 3, where no group was started",
              {"tile a"});
}

TEST_F(PsumFault, group_c3__AccumulationOnWhatAnotherEngineWrote) {
  matmul("start", a, false);
  kernel.at("fill").fill(kernel.tile(a, 128, 0, 4), 0);
  matmul("add", a, true);
  expectFault("add", "which another instruction wrote", {"fill", "tile a"});
}

TEST_F(PsumFault, group_c3__AccumulationOnMemset) {
  kernel.at("fill").fill(kernel.tile(a, 128, 0, 128), 0);
  matmul("add", a, true);
  expectFault("add", "which another instruction wrote", {"fill", "tile a"});
}

TEST_F(PsumFault, GroupsBesideEachOtherInABankAreFine) {
  matmul("start a", a, false);
  matmul("start b", b, false);
  matmul("add to a", a, true);
  matmul("add to b", b, true);
  EXPECT_FALSE(kernel.run());
}

TEST_F(PsumFault, RestOfAGroupThatIsOverwrittenInPartStaysOpen) {
  Access tile = kernel.tile(operand, 128, 0, 128);
  Access narrow = kernel.tile(operand, 128, 0, 64);
  matmul("start", a, false);
  kernel.at("left").matmul(tile, narrow, kernel.tile(a, 128, 0, 64));
  kernel.accumulateAlways(
      kernel.at("right").matmul(tile, narrow, kernel.tile(a, 128, 64, 64)));
  EXPECT_FALSE(kernel.run());
}

TEST_F(PsumFault, group_c2__AccumulationOverTwoGroups) {
  Access narrow = kernel.tile(operand, 128, 0, 64);
  matmul("start", a, false);
  kernel.at("start upper")
      .matmul(narrow, kernel.tile(operand, 128, 0, 128),
              kernel.tile(a, 64, 0, 128));
  matmul("add", a, true);
  expectFault("add", "beyond the group that is open there",
              {"start upper", "tile a"});
}

TEST_F(PsumFault, group_c4__ProductInTwoBanks) {
  kernel.at("wide");
  int32_t wide = kernel.psum(ElementType::F32, 128, 1024, 4);
  kernel.alloc(wide);
  Access tile = kernel.tile(operand, 128, 0, 128);
  kernel.at("beside").matmul(tile, tile, kernel.tile(wide, 128, 512, 128));
  EXPECT_FALSE(kernel.run());
  kernel.at("across").matmul(tile, tile, kernel.tile(wide, 128, 448, 128));
  expectFault("across", "writes PSUM banks 4 to 5", {"wide"});
}

TEST_F(PsumFault, group_c1__AccumulationAfterTheTileChangedHands) {
  matmul("start", a, false);
  kernel.dealloc(a);
  kernel.alloc(a);
  matmul("add", a, true);
  expectFault("add", "where no group was started", {"start", "tile a"});
  std::optional<Fault> fault = kernel.run();
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->notes.front().second,
            "this matmul opened a group, which ended when the bytes were "
            "allocated again");
}

TEST_F(PsumFault, group_c2__AccumulationBeyondTheGroup) {
  Access narrow = kernel.tile(operand, 128, 0, 64);
  kernel.at("start").matmul(narrow, narrow, kernel.tile(a, 64, 0, 64));
  matmul("add", a, true);
  expectFault("add", "beyond the group that is open there",
              {"start", "tile a"});
}
