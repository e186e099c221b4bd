//===- ListScheduleTest.cpp - The order in which engines can start --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListSchedule.h"

#include "trn/Machine/KnownMachines.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
class ListScheduleTest : public testing::Test {
protected:
  int32_t add(Engine engine, int64_t ns, std::vector<int32_t> after = {},
              std::vector<int32_t> rooms = {}) {
    Task task;
    task.ways.push_back({engine, ns * 1000, ns * 1000});
    task.usesPsum = !rooms.empty();
    task.buffers.assign(rooms.begin(), rooms.end());
    for (int32_t other : after)
      task.after.push_back({other, /*isData=*/true});
    tasks.push_back(task);
    return int32_t(tasks.size()) - 1;
  }

  std::vector<Scheduled> schedule(int64_t banks = 8, bool portLocks = false) {
    return listSchedule(tasks, buffers, {banks, /*bytes=*/1000}, Costs(machine),
                        portLocks);
  }

  std::vector<int32_t> order(int64_t banks = 8, bool portLocks = false) {
    std::vector<int32_t> numbers;
    for (Scheduled next : schedule(banks, portLocks))
      numbers.push_back(next.task);
    return numbers;
  }

  Machine machine = defaultMachine();
  std::vector<Task> tasks;
  std::vector<Room> buffers;
};

using Order = std::vector<int32_t>;
} // namespace

TEST_F(ListScheduleTest, what_can_start_first_comes_first) {
  int32_t product = add(Engine::Tensor, 1000);
  int32_t exp = add(Engine::Scalar, 1000, {product});
  int32_t other = add(Engine::Tensor, 1000);
  int32_t maximum = add(Engine::Vector, 1000, {other});
  EXPECT_EQ(order(), (Order{product, other, exp, maximum}));
}

TEST_F(ListScheduleTest, what_was_first_comes_first_if_both_can_start) {
  add(Engine::Tensor, 100);
  add(Engine::Tensor, 50);
  add(Engine::Tensor, 200);
  EXPECT_EQ(order(), (Order{0, 1, 2}));
}

TEST_F(ListScheduleTest, the_engine_that_ends_first_is_chosen) {
  int32_t busy = add(Engine::Vector, 1000);
  int32_t copy = add(Engine::Vector, 500);
  tasks[copy].ways.push_back({Engine::Scalar, 900'000, 900'000});
  std::vector<Scheduled> scheduled = schedule();
  ASSERT_EQ(scheduled.size(), 2u);
  for (Scheduled next : scheduled)
    EXPECT_EQ(next.engine, next.task == busy ? Engine::Vector : Engine::Scalar);
}

TEST_F(ListScheduleTest, a_table_that_must_be_loaded_counts) {
  machine.functionSwapNs = 1300;
  add(Engine::Vector, 1000);
  int32_t copy = add(Engine::Vector, 500);
  tasks[copy].ways.push_back({Engine::Scalar, 900'000, 900'000, /*table=*/1});
  for (Scheduled next : schedule())
    EXPECT_EQ(next.engine, Engine::Vector);
}

// A loop finds the table of the exponentials. They wait until it is back if
// ScalarE has most to do.
TEST_F(ListScheduleTest, the_table_before_counts_if_scalar_has_most_to_do) {
  machine.functionSwapNs = 300;
  int32_t exp = add(Engine::Scalar, 2000);
  tasks[exp].ways.front().table = 2;
  add(Engine::Vector, 950);
  int32_t copy = add(Engine::Vector, 500);
  tasks[copy].ways.push_back({Engine::Scalar, 900'000, 900'000, /*table=*/1});
  tasks[exp].after.push_back({copy, /*isData=*/true});
  auto engineOfCopy = [&] {
    std::vector<Scheduled> scheduled = schedule();
    return llvm::find_if(scheduled,
                         [&](Scheduled next) { return next.task == copy; })
        ->engine;
  };
  EXPECT_EQ(engineOfCopy(), Engine::Vector);
  tasks[exp].ways.front().busy = 900'000;
  EXPECT_EQ(engineOfCopy(), Engine::Scalar);
}

TEST_F(ListScheduleTest, a_bank_is_free_when_its_last_reader_is_done) {
  buffers.assign(2, {Space::Psum, 1});
  int32_t product = add(Engine::Tensor, 100, {}, {0});
  int32_t exp = add(Engine::Scalar, 1000, {product}, {0});
  int32_t other = add(Engine::Tensor, 100, {}, {1});
  add(Engine::Scalar, 1000, {other}, {1});
  EXPECT_EQ(order(/*banks=*/1), (Order{product, exp, other, 3}));
  EXPECT_EQ(order(/*banks=*/2), (Order{product, other, exp, 3}));
}

// Both would have one of two banks, and wait for another one for ever.
TEST_F(ListScheduleTest, banks_are_left_for_what_comes_before) {
  buffers.assign(4, {Space::Psum, 1});
  for (int32_t i = 0; i < 2; ++i) {
    int32_t sums = add(Engine::Tensor, 100, {}, {2 * i});
    int32_t wait = add(Engine::Vector, 1000, {sums});
    int32_t more = add(Engine::Tensor, 100, {wait}, {2 * i + 1});
    add(Engine::Tensor, 100, {more}, {2 * i, 2 * i + 1});
  }
  EXPECT_EQ(order(/*banks=*/2), (Order{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST_F(ListScheduleTest, engines_that_share_a_port_take_turns) {
  buffers.assign(2, {Space::Psum, 1});
  int32_t maximum = add(Engine::Vector, 1000, {}, {0});
  int32_t exp = add(Engine::Scalar, 1000, {}, {1});
  int32_t behind = add(Engine::Scalar, 100);
  EXPECT_EQ(order(), (Order{maximum, exp, behind}));
  EXPECT_EQ(order(8, /*portLocks=*/true), (Order{maximum, behind, exp}));
}

TEST_F(ListScheduleTest, random_tasks_come_in_a_legal_order_that_fits) {
  std::mt19937 random(7);
  auto below = [&](unsigned count) { return int32_t(random() % count); };
  for (int round = 0; round < 200; ++round) {
    tasks.clear();
    buffers.clear();
    // Each stream has a bank or two at a time: three fit in their order.
    for (int stream = 0; stream < 12; ++stream) {
      auto bank = int32_t(buffers.size());
      buffers.push_back({Space::Psum, 1 + below(2)});
      int32_t last = add(Engine::Tensor, 50 + below(500), {}, {bank});
      for (int i = below(4); i >= 0; --i)
        last =
            add(static_cast<Engine>(below(3)), 50 + below(500), {last}, {bank});
      if (stream && below(2))
        tasks.back().after.push_back({below(unsigned(last)), false});
    }
    std::vector<bool> isDone(tasks.size());
    std::vector<int32_t> rest(buffers.size());
    for (const Task &task : tasks)
      for (int32_t buffer : task.buffers)
        ++rest[buffer];
    std::vector<bool> isOpen(buffers.size());
    int64_t banks = 0;
    for (int32_t next : order(/*banks=*/3)) {
      EXPECT_FALSE(isDone[next]);
      isDone[next] = true;
      for (Task::Edge edge : tasks[next].after)
        EXPECT_TRUE(isDone[edge.task]);
      for (int32_t buffer : tasks[next].buffers) {
        banks += isOpen[buffer] ? 0 : buffers[buffer].size;
        isOpen[buffer] = true;
        EXPECT_LE(banks, 3);
        if (--rest[buffer] == 0)
          banks -= buffers[buffer].size;
      }
    }
    EXPECT_TRUE(llvm::all_of(isDone, [](bool done) { return done; }));
  }
}
