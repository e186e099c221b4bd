//===- PlanSpace.h - The plans that may serve a graph -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_PLANSPACE_H
#define TRN_PLANNING_PLANSPACE_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/Candidate.h"

namespace mlir::trn::planning {

/// What is demanded of a plan.
struct Constraints {
  /// Sizes of blocks, by the names of dims.
  std::vector<std::pair<std::string, int64_t>> blocks;
  /// The innermost loop around the home of a matrix: `kernel` or a dim.
  std::vector<std::pair<std::string, std::string>> keep;
  std::optional<TransposeMode> transpose;
  /// Intermediates are computed again for every block of the result, which has
  /// the rows and columns of one moving tile unless `blocks` says otherwise.
  bool recompute = false;
  /// Intermediates stay on chip.
  bool keepIntermediates = false;

  /// The forced block of a dim, or 0.
  int64_t blockOf(llvm::StringRef dim) const;
  bool operator==(const Constraints &other) const {
    return blocks == other.blocks && keep == other.keep &&
           transpose == other.transpose && recompute == other.recompute &&
           keepIntermediates == other.keepIntermediates;
  }
};

/// The schedules for products that share the rows of X, as points that a search
/// moves between along axes.
class PlanSpace {
public:
  PlanSpace(const Graph &source, const Constraints &constraints,
            const Machine &machine);

  /// How many rows of X a strip may have, what promises most first.
  std::vector<int64_t> strips() const;
  /// Where to start from with strips of so many rows, what promises most first.
  std::vector<Candidate> starts(int64_t rows) const;
  /// Where to start from if SBUF is small, what needs least last.
  std::vector<Candidate> tightStarts() const;
  /// `candidate`, and what keeps less and less of X^T at a time.
  std::vector<Candidate> withLessOfX(const Candidate &candidate) const;
  /// The dim of the rows of X.
  unsigned stripDim() const { return strip; }
  unsigned numAxes() const { return numOtherAxes + source.stages.size(); }
  /// The one along which strips have other rows.
  unsigned stripAxis() const { return stripSizes; }
  /// What differs from `candidate` along one axis.
  std::vector<Candidate> along(unsigned axis, const Candidate &candidate) const;
  /// What differs both in how a weight comes and along an axis that is none of
  /// a weight: the room that one takes the other lacks.
  std::vector<Candidate> pairs(const Candidate &candidate) const;

  /// The schedule of a candidate; none if it does not fit or is not as
  /// demanded.
  std::optional<FittingSchedule> build(const Candidate &candidate) const;
  /// Whether sums are rounded so often that this is the last resort.
  bool roundsOften(const Candidate &candidate) const;
  /// `schedule`, if its loops can be made and its buffers fit.
  std::optional<FittingSchedule> fit(Schedule schedule) const;
  /// The steps from a schedule to others of its graph, and where one leads to
  /// that `isNew` and fits: to other blocks of a loop, other slots or another
  /// level of a home, or to sums of a product that stay in PSUM or do not.
  unsigned numSteps(const Schedule &schedule) const;
  std::vector<FittingSchedule>
  neighbors(const Schedule &schedule, unsigned step,
            llvm::function_ref<bool(const Schedule &)> isNew) const;

  /// Why what is asked for makes no sense for the graph.
  llvm::Error checkDemands() const;
  /// Why there is no plan, and what to do; empty if there is one.
  std::string findObstacle() const;

private:
  /// The first of the weights' choices.
  enum WeightStyle : unsigned { tilesPassBy, wideRows, wholeBlocks, kept };
  /// Those of the weights are between `pieces` and `intermediates`: what takes
  /// room for the others comes after them.
  enum Axis : unsigned {
    transposition,
    arrivals,
    stripSizes,
    pieces,
    intermediates,
    passing,
    contraction,
    numOtherAxes
  };
  std::vector<Candidate> alongOther(Axis axis,
                                    const Candidate &candidate) const;
  std::vector<Candidate> alongWeight(unsigned product,
                                     const Candidate &candidate) const;
  /// Whether intermediates may go through HBM.
  bool maySpill() const {
    return source.stages.size() > 1 && !constraints.recompute &&
           !constraints.keepIntermediates;
  }
  WeightChoice asDemanded(unsigned product, WeightChoice choice) const;
  /// Whether a weight of the product lies in HBM with its columns first.
  bool turnsWeight(unsigned product) const;
  std::vector<WeightChoice> weightChoices(unsigned product) const;
  std::vector<int64_t> passingBlocks(unsigned product) const;
  std::vector<Candidate> blockedContractions(ElementType partials) const;
  std::vector<Candidate> withBlockedContraction(Candidate candidate) const;
  Candidate startWith(TransposeMode transpose, int64_t rows, Arrival arrival,
                      unsigned weights) const;
  Candidate startWithManyIntermediates(int64_t rows) const;
  Candidate startWithPassing(unsigned product, int64_t rows) const;
  std::vector<unsigned> wholeWeights() const;
  llvm::SmallVector<Home *> homesOf(llvm::StringRef matrix,
                                    Schedule &schedule) const;
  bool keepAt(llvm::StringRef matrix, llvm::StringRef loop,
              Schedule &schedule) const;
  bool keepAsDemanded(Schedule &schedule) const;
  std::optional<Schedule> assemble(const Candidate &candidate) const;

  struct Refusal {
    bool overflows; // SBUF
    std::string text;
  };
  std::optional<Schedule> findAny() const;
  Refusal describeRefusal() const;
  std::string describeLevels(llvm::StringRef matrix,
                             llvm::StringRef loop) const;
  std::string blameDemand(const Refusal &refusal) const;
  std::string blameKind(const Refusal &refusal) const;
  /// The block that a dim must have, or 0.
  int64_t forced(unsigned dim) const;

  const Graph &source;
  const Constraints &constraints;
  const Machine &machine;
  unsigned strip, over;                // dims of the first product
  llvm::SmallVector<unsigned> columns; // by product: the weight's other dim
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_PLANSPACE_H
