//===- Walk.h - The loops of a plan -----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_WALK_H
#define TRN_PLANNING_WALK_H

#include "trn/Placement/Problem.h"
#include "trn/Planning/Plan.h"
#include "trn/Program/Instruction.h"

namespace mlir::trn::planning {

/// A buffer that the loops of a plan allocate.
struct PlannedBuffer {
  unsigned matrix = 0;
  Space space = Space::Sbuf;
  ElementType type = ElementType::BF16;
  int64_t rows = 0, columns = 0;
  /// 0: as many as there is room for.
  int64_t slots = 1;

  /// The buffer in units of its memory: bytes of a partition, or banks. Rows
  /// beyond the partitions follow in the free dimension.
  placement::Buffer describe(const Machine &machine) const;
};

/// A block of a buffer or, without `buffer`, of a matrix in HBM. Row and column
/// are linear in the counters of the loops around it.
struct BlockView {
  unsigned matrix = 0;
  std::optional<int32_t> buffer = std::nullopt;
  LinearExpr row, column;
  int64_t rows = 0, columns = 0;
  int64_t columnStep = 1;
  /// So many blocks as one, `runStep` columns apart on chip, or elements in
  /// HBM.
  int64_t runs = 1, runStep = 0;
  /// On chip, if not 0: tiles of so many rows are `tileStep` columns apart.
  int64_t tileRows = 0, tileStep = 0;
  /// HBM: elements of a row, if it is a fraction or a multiple of the matrix's
  /// rows.
  std::optional<int64_t> rowOf = std::nullopt;
  /// HBM: all rows are the same one, broadcast.
  bool repeated = false;

  /// Elements of a row.
  int64_t width() const { return runs * columns; }
};

/// An argument of a function: a constant, or a block, which may be one column
/// that is broadcast.
struct Argument {
  std::optional<BlockView> block = std::nullopt;
  float constant = 0;
};

/// A function of what another one computes, as part of the same instruction.
struct Then {
  Function function = Function::Copy;
  Argument other;          // a constant or a column
  bool isReversed = false; // `other` comes first
};

/// A tile, and what all elements of its rows are combined with.
struct WithScalars {
  BlockView tile;
  Argument scalars;
  bool isReversed = false; // they come first
};

/// The arguments of a function whose result is `to`; none if both are tiles,
/// which takes another instruction. Columns are tiles unless `hasThen`.
std::optional<WithScalars> findScalars(const Argument &left,
                                       const Argument &right,
                                       const BlockView &to, bool hasThen);

/// Receives the program of a plan, in order.
class PlanVisitor {
public:
  virtual ~PlanVisitor() = default;

  /// The stage whose instructions follow.
  virtual void enterStage(unsigned stage) {}
  /// An iteration of an outermost loop over rows that a mask cuts. It is
  /// written out.
  virtual void enterStrip() {}
  /// A loop that counts from 0. Loops are numbered in order.
  virtual void beginLoop(int32_t loop, int64_t trips) {}
  virtual void endLoop(int32_t loop) {}
  /// Buffers are numbered in order.
  virtual void allocate(int32_t number, const PlannedBuffer &buffer) {}
  /// A transfer; one side is in HBM.
  virtual void copy(const BlockView &from, const BlockView &to) {}
  virtual void transposeByDma(const BlockView &from, const BlockView &to) {}
  /// Starts accumulating where `index` is 0; it is a constant if that is known.
  virtual void multiply(const BlockView &stationary, const BlockView &moving,
                        const BlockView &bank, const LinearExpr &index) {}
  virtual void transpose(const BlockView &from, const BlockView &bank) {}
  /// Converts out of PSUM or between buffers, on `engine`: VectorE or GpSimd.
  /// Without one, on VectorE or, out of PSUM, on the less busy engine.
  virtual void convert(const BlockView &from, const BlockView &to,
                       std::optional<Engine> engine) {}
  /// to += from.
  virtual void add(const BlockView &from, const BlockView &to) {}
  /// to = function(from * scale + bias). `sums`, if any, receives the sum of
  /// each row.
  virtual void activate(Function function, const BlockView &from,
                        const Argument &scale, const Argument &bias,
                        const BlockView &to, const BlockView *sums = nullptr) {}
  /// to = function(left, right); at most one is in PSUM, and not both are
  /// constant. With `then`, one of them is a constant or a column.
  virtual void combine(Function function, const Argument &left,
                       const Argument &right, const BlockView &to,
                       const Then *then = nullptr) {}
  /// to = condition != 0 ? taken : other; at most one is in PSUM.
  virtual void select(const BlockView &condition, const BlockView &taken,
                      const BlockView &other, const BlockView &to) {}
  /// to = value.
  virtual void fill(float value, const BlockView &to) {}
  /// Keeps what is on one side of a diagonal of `block`, and sets all else to
  /// `otherwise`. Row r, column c stays if start + r * rowStep + c * columnStep
  /// >= 0.
  virtual void keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                        float otherwise, const BlockView &block) {}
  /// to = all columns of `from`, reduced to one.
  virtual void reduce(Function function, const BlockView &from,
                      const BlockView &to) {}
};

/// Visits the loops of `schedule`, which passes its checks, inside loops over
/// its batch dims. Executes nothing.
void walk(const Schedule &schedule, const Machine &machine,
          PlanVisitor &visitor);

/// The same in the order of the program: if the plan is scheduled, instructions
/// of staggered batches come as engines can start them.
void walkInOrder(const Schedule &schedule, const Machine &machine,
                 PlanVisitor &visitor);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_WALK_H
