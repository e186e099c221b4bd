//===- BlockSearch.h - The best blocks for one block-m ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_BLOCKSEARCH_H
#define TRN_LIB_PLANNING_BLOCKSEARCH_H

#include "trn/Planning/BlockModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::trn {

/// What a plan should not go below. The search starts with the comfortable
/// limits and gives them up, one after the other, before it gives up itself.
struct Effort {
  int64_t minBlockN;
  int64_t minBlockKTiles; // of a blocked contraction
  int64_t maxRoundings;   // K blocks whose sums are kept in the storage type
  int64_t slots;          // of everything that moves
};
llvm::SmallVector<Effort, 3> efforts(const PlanningTask &task);

/// Finds the other blocks for a given block-m. The request is clamped to the
/// shape. Every answer fits SBUF and has its cost filled in.
class BlockSearch {
public:
  BlockSearch(const PlanningTask &task, const BlockRequest &request);

  /// Without spills.
  std::optional<BlockPlan> resident(int64_t blockM, const Effort &effort) const;

  /// With as much of Y^T in SBUF as fits. Implicit strip caches only.
  std::optional<BlockPlan> spilled(int64_t blockM, const Effort &effort) const;

  /// The smallest plan of each kind, whether it fits or not, those that need
  /// least first: if they do not fit, nothing does.
  std::vector<BlockPlan> leastPlans() const;

private:
  /// Where the search for `blockM` starts from.
  BlockPlan smallest(int64_t blockM, const Effort &effort) const;
  bool fits(const BlockPlan &plan) const;
  int64_t tiles(int64_t size) const;
  int64_t largest(int64_t limit, llvm::function_ref<bool(int64_t)> good) const;
  bool roundsTooOften(const BlockPlan &plan, const Effort &effort) const;
  bool mayPrefetchX(const BlockPlan &plan) const;
  void widen(BlockPlan &plan, int64_t BlockPlan::*field, int64_t limit,
             int64_t target, int64_t step) const;
  void balance(int64_t &block, int64_t limit) const;
  void finish(BlockPlan &plan) const;
  std::vector<int64_t> blocksOfK(BlockPlan plan, const Effort &effort) const;
  std::vector<int64_t> widthsOfN(const Effort &effort) const;
  std::optional<BlockPlan> rereading(int64_t blockM,
                                     const Effort &effort) const;

  const PlanningTask &task;
  const BlockRequest request;
  int64_t rowElements; // of a row that DMA moves well
};

} // namespace mlir::trn

#endif // TRN_LIB_PLANNING_BLOCKSEARCH_H
