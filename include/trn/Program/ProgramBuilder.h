//===- ProgramBuilder.h - Writes programs by hand ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_PROGRAMBUILDER_H
#define TRN_PROGRAM_PROGRAMBUILDER_H

#include "trn/Program/Program.h"

namespace mlir::trn {

/// Builds a `Program` step by step and keeps its indices consistent. Decoding,
/// tests, benchmarks and replays of published kernels use it.
class ProgramBuilder {
public:
  explicit ProgramBuilder(std::string name);

  /// Adds an entry to `Program::ops`, the origin of what follows.
  int32_t op(std::string name, std::string location = "");

  int32_t argument(ElementType type, int64_t elements, bool result = false);
  int32_t scratch(ElementType type, int64_t elements);
  /// Shares scratch, under this number, among all cores of a logical one.
  void share(int32_t scratch, int32_t number) {
    result.buffers[scratch].shared = number;
  }
  /// Adds any buffer as it is.
  int32_t buffer(Buffer buffer);
  /// `elements` of one partition; `offset` in bytes.
  int32_t sbuf(ElementType type, int64_t partitions, int64_t elements,
               int64_t offset, int64_t slots = 1);
  int32_t psum(ElementType type, int64_t partitions, int64_t elements,
               int64_t bank, int64_t slots = 1, int64_t offset = 0);

  /// The steps; `beginLoop` returns the loop for `LinearExpr::counter`.
  int32_t beginLoop(int64_t tripCount);
  void endLoop();
  void alloc(int32_t buffer);
  void dealloc(int32_t buffer);

  /// Makes room for so many instructions.
  void reserve(size_t count) { result.instructions.reserve(count); }
  /// Appends an instruction and a step that executes it. The reference is valid
  /// until the next call; use it to set work, parameters and so on.
  Instruction &execute(Engine engine, Semantics semantics,
                       llvm::ArrayRef<Access> reads, const Access &write);
  /// The same for a complete instruction, except its `op`.
  Instruction &execute(Instruction instruction);

  /// On chip: `partitions` rows from `partition`, then free dims in elements.
  Access tile(int32_t buffer, LinearExpr partition, int64_t partitions,
              LinearExpr offset, llvm::ArrayRef<Access::Dim> dims) const;
  /// The same with `count` contiguous elements a partition.
  Access tile(int32_t buffer, int64_t partitions, LinearExpr offset,
              int64_t count) const;
  /// HBM: strided dims from `offset`.
  Access hbm(int32_t buffer, LinearExpr offset,
             llvm::ArrayRef<Access::Dim> dims) const;

  const Program &program() const { return result; }
  Program take() { return std::move(result); }

private:
  void step(Step::Kind kind, int32_t index);
  /// A step that a walker yields.
  void event(Step::Kind kind, int32_t index);

  struct OpenLoop {
    int32_t loop;
    /// Whether an iteration has any step.
    bool isBusy;
  };

  Program result;
  std::vector<OpenLoop> openLoops;
  int32_t arguments = 0;
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_PROGRAMBUILDER_H
