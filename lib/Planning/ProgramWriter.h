//===- ProgramWriter.h - Writes the program of a plan -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_PROGRAMWRITER_H
#define TRN_LIB_PLANNING_PROGRAMWRITER_H

#include "ProgramBuffers.h"
#include "trn/Machine/Evictions.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::trn {
class ProgramBuilder;
} // namespace mlir::trn

namespace mlir::trn::planning {

/// Is told what a plan does, and has its program then.
class ProgramWriter : public PlanVisitor {
public:
  ProgramWriter(const Graph &graph, const Machine &machine)
      : machine(machine), memory(graph, machine), blocks(1) {}

  std::optional<Program> finish();

  void beginLoop(int32_t loop, int64_t trips) override {
    recorder.beginLoop(trips);
    tripCounts.push_back(trips);
    blocks.push_back({trips});
    steps.push_back({Step::Kind::BeginLoop, loop});
  }
  void endLoop(int32_t loop) override {
    recorder.endLoop();
    assignEvictions();
    EngineLoad inner = blocks.back().load;
    int64_t trips = blocks.back().trips;
    blocks.pop_back();
    blocks.back().load.add(inner, double(trips));
    steps.push_back({Step::Kind::EndLoop, loop});
  }
  void allocate(int32_t number, const PlannedBuffer &buffer) override;
  void copy(const BlockView &from, const BlockView &to) override;
  void transposeByDma(const BlockView &from, const BlockView &to) override;
  void multiply(const BlockView &stationary, const BlockView &moving,
                const BlockView &bank, const LinearExpr &index) override;
  void transpose(const BlockView &from, const BlockView &bank) override;
  void convert(const BlockView &from, const BlockView &to,
               std::optional<Engine> engine) override;
  void add(const BlockView &from, const BlockView &to) override;
  void activate(Function function, const BlockView &from, const Argument &scale,
                const Argument &bias, const BlockView &to,
                const BlockView *sums) override;
  void combine(Function function, const Argument &left, const Argument &right,
               const BlockView &to, const Then *then) override;
  void select(const BlockView &condition, const BlockView &taken,
              const BlockView &other, const BlockView &to) override;
  void fill(float value, const BlockView &to) override;
  void keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                float otherwise, const BlockView &block) override;
  void reduce(Function function, const BlockView &from,
              const BlockView &to) override;

protected:
  /// Without work, to be executed when it has that.
  Instruction instruction(Engine engine, Semantics semantics,
                          std::initializer_list<const BlockView *> from,
                          const BlockView &to);
  void copyRows(const BlockView &from, const BlockView &to,
                ProgramBuffers::Rows rows);
  /// Whose engine is chosen when the block ends, if it comes out of PSUM and is
  /// not decided.
  void execute(Instruction instruction, bool isDecided = false);
  void execute(Instruction instruction, int64_t cycles) {
    instruction.work.cycles = cycles;
    execute(std::move(instruction));
  }
  Engine engineOf(const BlockView &to) const {
    return to.buffer ? Engine::Load : Engine::Store;
  }
  void assignEvictions();
  void write(ProgramBuilder &builder, Step::Kind kind, int32_t index);

  /// What is in one loop, or outside of all.
  struct OpenBlock {
    int64_t trips = 1;
    EngineLoad load = {};
    llvm::SmallVector<int32_t> evictions = {}; // instructions
  };

  const Machine &machine;
  ProgramBuffers memory;
  llvm::SmallVector<Instruction, 0> instructions; // moves, as no std::vector
  std::vector<std::pair<Step::Kind, int32_t>> steps;
  placement::LifeRecorder recorder;
  std::vector<OpenBlock> blocks;
  std::vector<int64_t> tripCounts; // by loop
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_PROGRAMWRITER_H
