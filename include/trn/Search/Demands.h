//===- Demands.h - Constraints of users on a plan ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_DEMANDS_H
#define TRN_SEARCH_DEMANDS_H

#include "trn/Planning/Legalize.h"
#include "trn/Planning/Plan.h"

namespace mlir::trn {
struct Machine;
} // namespace mlir::trn

namespace mlir::trn::search {

/// Constraints of users on a plan.
struct Demands {
  /// Sizes of blocks, by the names of dims.
  std::vector<std::pair<std::string, int64_t>> blocks;
  /// The innermost loop around the home of a matrix: `kernel` or a dim.
  std::vector<std::pair<std::string, std::string>> keep;
  std::optional<planning::TransposeMode> transpose;
  /// Intermediates are computed again for every block of the result. It has the
  /// rows and columns of one moving tile unless `blocks` says otherwise.
  bool recompute = false;
  /// Intermediates stay on chip.
  bool keepIntermediates = false;

  bool operator==(const Demands &other) const {
    return blocks == other.blocks && keep == other.keep &&
           transpose == other.transpose && recompute == other.recompute &&
           keepIntermediates == other.keepIntermediates;
  }
  /// The requested block of a dim, or 0.
  int64_t blockOf(llvm::StringRef dim) const;

  /// Fails, with the remedy, if they make no sense for `source`.
  llvm::Error check(const planning::Graph &source,
                    const Machine &machine) const;
};

/// Constraints on plans of one graph and machine, which must outlive this.
class DemandChecker {
public:
  using Predicate = llvm::function_ref<bool(const planning::Schedule &)>;

  /// `other`, if it is there, is a constraint, too.
  DemandChecker(const planning::Graph &source, const Demands &demands,
                const Machine &machine, Predicate other = nullptr);

  /// The requested block of a dim of the source, or 0.
  int64_t forced(unsigned dim) const;
  /// Whether intermediates are computed again for every column block of the
  /// last result, and the dim of these columns.
  bool recomputes() const;
  unsigned recomputedColumns() const;
  /// Whether intermediates may go through HBM; transposes do not count.
  bool maySpill() const;
  bool keepsAny() const { return !demands.keep.empty(); }
  /// The forms of the source that may be planned, the first one first.
  llvm::SmallVector<planning::Graph, 2> forms() const;
  /// Moves homes to their requested loops; false if one lacks its loop.
  bool moveHomes(planning::Schedule &schedule) const;
  /// Whether `schedule` satisfies the other constraint.
  bool allowsOther(const planning::Schedule &schedule) const {
    return !other || other(schedule);
  }
  /// Whether it satisfies all of them.
  bool allows(const planning::Schedule &schedule) const;
  /// The homes that `keep` means by `matrix`. If no matrix has the name, it is
  /// that of a matrix of the source, and means what became of it.
  llvm::SmallVector<unsigned, 2>
  homesOf(llvm::StringRef matrix, const planning::Schedule &schedule) const;

private:
  bool hasBlock(const planning::Schedule &schedule, unsigned dim,
                int64_t block) const;
  bool isKept(const planning::Schedule &schedule, llvm::StringRef matrix,
              llvm::StringRef loop) const;
  bool keepsIntermediates(const planning::Schedule &schedule) const;
  bool isRecomputed(const planning::Schedule &schedule) const;

  const planning::Graph &source;
  const Demands &demands;
  const Machine &machine;
  Predicate other;
};

} // namespace mlir::trn::search

#endif // TRN_SEARCH_DEMANDS_H
