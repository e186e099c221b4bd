//===- Demands.h - What users ask of a plan ---------------------*- C++ -*-===//
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

/// What users ask of a plan.
struct Demands {
  /// Sizes of blocks, by the names of dims.
  std::vector<std::pair<std::string, int64_t>> blocks;
  /// The innermost loop around the home of a matrix: `kernel` or a dim.
  std::vector<std::pair<std::string, std::string>> keep;
  std::optional<planning::TransposeMode> transpose;
  /// Intermediates are computed again for every block of the result, which has
  /// the rows and columns of one moving tile unless `blocks` says otherwise.
  bool recompute = false;
  /// Intermediates stay on chip.
  bool keepIntermediates = false;

  bool operator==(const Demands &other) const {
    return blocks == other.blocks && keep == other.keep &&
           transpose == other.transpose && recompute == other.recompute &&
           keepIntermediates == other.keepIntermediates;
  }
  /// The block of a dim that is asked for, or 0.
  int64_t blockOf(llvm::StringRef dim) const;

  /// Fails, with what to do, if they make no sense for `source`.
  llvm::Error check(const planning::Graph &source,
                    const Machine &machine) const;
};

/// Demands on the plans of one graph and machine, which must outlive this.
class DemandChecker {
public:
  DemandChecker(const planning::Graph &source, const Demands &demands,
                const Machine &machine);

  /// The block that a dim of the source must have, or 0.
  int64_t forced(unsigned dim) const;
  /// Whether intermediates are computed again for every block of the last
  /// result's columns, and the dim of these.
  bool recomputes() const;
  unsigned recomputedColumns() const;
  /// Whether intermediates may go through HBM; transposes do not count.
  bool maySpill() const;
  bool keepsAny() const { return !demands.keep.empty(); }
  /// The forms of the source that may be planned, the first one first.
  llvm::SmallVector<planning::Graph, 2> forms() const;
  /// Moves homes to where they are kept, and says whether there is a loop for
  /// each.
  bool moveHomes(planning::Schedule &schedule) const;
  /// Whether `schedule` is as demanded.
  bool allows(const planning::Schedule &schedule) const;
  /// The homes of what `keep` calls `matrix`: the name of a matrix of the
  /// source stands for what it becomes if there is none of that name.
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
};

} // namespace mlir::trn::search

#endif // TRN_SEARCH_DEMANDS_H
