//===- Walk.h - The loops that a plan stands for ----------------*- C++ -*-===//
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

/// A buffer that the loops of a plan allocate where they stand.
struct PlannedBuffer {
  unsigned matrix = 0;
  Space space = Space::Sbuf;
  ElementType type = ElementType::BF16;
  int64_t rows = 0, columns = 0;
  /// 0: as many as there is room for.
  int64_t slots = 1;

  /// What it takes of its memory: bytes of a partition, or a bank. Rows beyond
  /// the partitions lie behind each other.
  placement::Buffer describe(const Machine &machine) const;
};

/// A block of a buffer or, if `buffer` is absent, of a matrix in HBM. Rows and
/// columns are linear in the counters of the loops around.
struct BlockView {
  unsigned matrix = 0;
  std::optional<int32_t> buffer = std::nullopt;
  LinearExpr row, column;
  int64_t rows = 0, columns = 0;
  int64_t columnStep = 1;
  /// On chip, if not 0: tiles of so many rows lie `tileStep` columns behind
  /// each other.
  int64_t tileRows = 0, tileStep = 0;
  /// HBM: rows of so many elements each, of which one of the matrix has
  /// several, or which has several of the matrix.
  std::optional<int64_t> rowOf = std::nullopt;
  /// HBM: all rows are the same one.
  bool repeated = false;
};

/// What a function takes: a block, which may have one column for all of the
/// others, or a constant.
struct Argument {
  std::optional<BlockView> block = std::nullopt;
  float constant = 0;
};

/// What is told about the program that a plan stands for, in its order.
class PlanVisitor {
public:
  virtual ~PlanVisitor() = default;

  /// The stage whose instructions follow.
  virtual void enterStage(unsigned stage) {}
  /// A loop that counts from 0; loops are numbered in order.
  virtual void beginLoop(int32_t loop, int64_t trips) {}
  virtual void endLoop(int32_t loop) {}
  /// Buffers are numbered in order.
  virtual void allocate(int32_t number, const PlannedBuffer &buffer) {}
  /// A transfer; one of the two is in HBM.
  virtual void copy(const BlockView &from, const BlockView &to) {}
  virtual void transposeByDma(const BlockView &from, const BlockView &to) {}
  /// The accumulation starts where `index` is 0; it is a constant if that is
  /// known.
  virtual void multiply(const BlockView &stationary, const BlockView &moving,
                        const BlockView &bank, const LinearExpr &index) {}
  virtual void transpose(const BlockView &from, const BlockView &bank) {}
  /// Out of PSUM or between buffers, converted: on `engine`, VectorE or GpSimd.
  /// Without one on VectorE or, out of PSUM, whatever engine has less to do.
  virtual void convert(const BlockView &from, const BlockView &to,
                       std::optional<Engine> engine) {}
  /// to += from.
  virtual void add(const BlockView &from, const BlockView &to) {}
  /// to = function(from * scale + bias), or of two arguments, at most one of
  /// them in PSUM and not both constant. `sums`, if any, becomes the sum of
  /// each row.
  virtual void activate(Function function, const BlockView &from,
                        const Argument &scale, const Argument &bias,
                        const BlockView &to, const BlockView *sums = nullptr) {}
  virtual void combine(Function function, const Argument &left,
                       const Argument &right, const BlockView &to) {}
  /// to = value.
  virtual void fill(float value, const BlockView &to) {}
  /// What of `block` is on a side of a diagonal stays, all else becomes
  /// `otherwise`: row r of column c stays if start + r * rowStep + c *
  /// columnStep is at least 0.
  virtual void keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                        float otherwise, const BlockView &block) {}
  /// to = all columns of `from` as one.
  virtual void reduce(Function function, const BlockView &from,
                      const BlockView &to) {}
};

/// Runs through the loops of `schedule`, which passes its checks, without
/// executing them, inside of loops over its batch dims.
void walk(const Schedule &schedule, const Machine &machine,
          PlanVisitor &visitor);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_WALK_H
