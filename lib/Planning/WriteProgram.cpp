//===- WriteProgram.cpp - The program of a plan, without IR ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/WriteProgram.h"

#include "ProgramWriter.h"
#include "RowWork.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

void ProgramWriter::allocate(int32_t number, const PlannedBuffer &planned) {
  placement::Buffer placed = planned.describe(machine);
  // The plan has decided about SBUF; the banks that are left over rotate.
  recorder.allocate(placed, /*isDecided=*/planned.space == Space::Sbuf);
  steps.push_back(
      {Step::Kind::Alloc, memory.allocate(number, planned, placed)});
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

static Instruction create(Engine engine, Semantics semantics) {
  Instruction created;
  created.op = 0;
  created.engine = engine;
  created.semantics = semantics;
  return created;
}

Instruction
ProgramWriter::instruction(Engine engine, Semantics semantics,
                           std::initializer_list<const BlockView *> from,
                           const BlockView &to) {
  Instruction created = create(engine, semantics);
  for (const BlockView *view : from)
    created.reads.push_back(memory.access(*view));
  created.writes.push_back(memory.access(to));
  return created;
}

void ProgramWriter::execute(Instruction instruction, bool isDecided) {
  llvm::SmallVector<int32_t, 4> used;
  for (const auto &accesses : {llvm::ArrayRef<Access>(instruction.reads),
                               llvm::ArrayRef<Access>(instruction.writes)})
    for (const Access &access : accesses)
      if (int32_t number = memory.numberOf(access.buffer); number >= 0)
        used.push_back(number);
  Engine engine = instruction.engine;
  recorder.execute(used, engine == Engine::Load || engine == Engine::Store,
                   engine == Engine::Tensor);
  OpenBlock &block = blocks.back();
  bool isEviction = !isDecided && instruction.semantics == Semantics::Copy &&
                    memory.spaceOf(instruction.reads.front()) == Space::Psum;
  if (isEviction) // its engine is chosen when the block ends
    block.evictions.push_back(int32_t(instructions.size()));
  else if (engine == Engine::Vector)
    block.load.addVector(instruction.work.cycles, machine);
  else if (engine == Engine::Scalar)
    block.load.addScalar(instruction.work.cycles, instruction.function(),
                         machine);
  steps.push_back({Step::Kind::Execute, int32_t(instructions.size())});
  instructions.push_back(std::move(instruction));
}

void ProgramWriter::copyRows(const BlockView &from, const BlockView &to,
                             ProgramBuffers::Rows rows) {
  Instruction copy = create(engineOf(to), Semantics::Copy);
  copy.reads.push_back(memory.access(from, rows));
  copy.writes.push_back(memory.access(to, rows));
  copy.work = dmaWork(memory.sideOf(copy.reads.front()),
                      memory.sideOf(copy.writes.front()));
  mergeCopy(copy, /*onChip=*/true);
  execute(std::move(copy));
}

void ProgramWriter::copy(const BlockView &from, const BlockView &to) {
  int64_t rows = machine.partitions, tiles = to.rows / rows;
  if (to.rows <= rows)
    return copyRows(from, to, {0, to.rows});
  copyRows(from, to, {0, rows, tiles});
  if (int64_t rest = to.rows % rows)
    copyRows(from, to, {tiles * rows, rest});
}

void ProgramWriter::transposeByDma(const BlockView &from, const BlockView &to) {
  Instruction turn =
      instruction(engineOf(to), Semantics::Transpose, {&from}, to);
  turn.work = dmaTransposeWork(memory.sideOf(turn.reads.front()),
                               memory.sideOf(turn.writes.front()));
  execute(std::move(turn));
}

void ProgramWriter::multiply(const BlockView &stationary,
                             const BlockView &moving, const BlockView &bank,
                             const LinearExpr &index) {
  Instruction product = instruction(Engine::Tensor, Semantics::Matmul,
                                    {&stationary, &moving}, bank);
  if (!index.isConstant())
    product.accumulate = Condition{Condition::Predicate::Ne, index};
  else if (index.constant)
    product.accumulate = Condition{Condition::Predicate::Eq, 0}; // always
  const Access &left = product.reads.front();
  product.work.flops = 2 * left.numElements() * moving.columns;
  execute(std::move(product), matmulCycles(machine, left.type, moving.columns));
}

void ProgramWriter::transpose(const BlockView &from, const BlockView &bank) {
  Instruction turn =
      instruction(Engine::Tensor, Semantics::Transpose, {&from}, bank);
  const Access &read = turn.reads.front();
  turn.work.transposeFlops = 2 * machine.partitions * read.numElements();
  execute(std::move(turn),
          tensorTransposeCycles(machine, read.type, from.rows));
}

void ProgramWriter::convert(const BlockView &from, const BlockView &to,
                            std::optional<Engine> engine) {
  Instruction copy = instruction(engine.value_or(Engine::Vector),
                                 Semantics::Copy, {&from}, to);
  const Access &read = copy.reads.front(), &write = copy.writes.front();
  copy.work.cycles = tensorCopyCycles(machine, memory.infoOf(read),
                                      memory.infoOf(write), to.width());
  mergeCopy(copy, /*onChip=*/true);
  execute(std::move(copy), /*isDecided=*/engine.has_value());
}

void ProgramWriter::activate(Function function, const BlockView &from,
                             const Argument &scale, const Argument &bias,
                             const BlockView &to, const BlockView *sums) {
  bool isPlain = function == Function::Copy && !scale.block && !bias.block &&
                 scale.constant == 1 && bias.constant == 0;
  if (isPlain && !sums) {
    Instruction copy =
        instruction(Engine::Scalar, Semantics::Copy, {&from}, to);
    copy.work.cycles = activationCycles(to.width());
    mergeCopy(copy, /*onChip=*/true);
    return execute(std::move(copy), /*isDecided=*/true);
  }
  Instruction map = instruction(Engine::Scalar, Semantics::Map, {&from}, to);
  map.formula = {{function}};
  for (const Argument *argument : {&scale, &bias})
    if (argument->block)
      map.reads.push_back(memory.access(*argument->block));
  if (!sums)
    return execute(std::move(map), activationCycles(to.width()));
  map.fold = Fold{Function::Add};
  map.writes.push_back(memory.access(*sums));
  execute(std::move(map), activationReduceCycles(machine, to.width()));
}

void ProgramWriter::fill(float value, const BlockView &to) {
  Instruction fill = instruction(Engine::GpSimd, Semantics::Fill, {}, to);
  fill.parameters = {value};
  if (memory.spaceOf(fill.writes.front()) == Space::Psum)
    fill.engine = Engine::Vector; // GpSimd fills SBUF alone
  ElementType type = fill.writes.front().type;
  execute(std::move(fill), memsetCycles(machine, type, value, to.width()));
}

void ProgramWriter::keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                             float otherwise, const BlockView &block) {
  Instruction select =
      instruction(Engine::GpSimd, Semantics::Iota, {&block}, block);
  for (int64_t parameter : {start, rowStep, columnStep})
    select.parameters.push_back(float(parameter));
  select.formula = {{Function::Ge}, {Function::Select}};
  select.parameters.append({0, otherwise});
  execute(std::move(select), iotaCycles(machine, block.columns));
}

void ProgramWriter::reduce(Function function, const BlockView &from,
                           const BlockView &to) {
  Instruction reduce =
      instruction(Engine::Vector, Semantics::Reduce, {&from}, to);
  reduce.fold = Fold{function};
  int64_t cycles = reduceCycles(function, reduce.reads[0].type,
                                reduce.writes[0].type, from.width());
  execute(std::move(reduce), cycles);
}

void ProgramWriter::add(const BlockView &from, const BlockView &to) {
  combine(Function::Add, {from}, {to}, to, /*then=*/nullptr);
}

void ProgramWriter::combine(Function function, const Argument &left,
                            const Argument &right, const BlockView &to,
                            const Then *then) {
  std::optional<WithScalars> scaled = findScalars(left, right, to, then);
  if (!scaled) {
    Instruction map = instruction(Engine::Vector, Semantics::Map,
                                  {&*left.block, &*right.block}, to);
    int64_t cycles = combineCycles(
        machine, function, memory.infoOf(map.reads[0]),
        memory.infoOf(map.reads[1]), memory.infoOf(map.writes[0]), to.width());
    return execute(std::move(map), cycles);
  }
  Instruction map =
      instruction(Engine::Vector, Semantics::Map, {&scaled->tile}, to);
  int64_t cycles = tensorScalarCycles(machine, memory.infoOf(map.reads[0]),
                                      memory.infoOf(map.writes[0]), to.width());
  if (scaled->scalars.block)
    map.reads.push_back(memory.access(*scaled->scalars.block));
  if (then && then->other.block)
    map.reads.push_back(memory.access(*then->other.block));
  execute(std::move(map), cycles);
}

void ProgramWriter::select(const BlockView &condition, const BlockView &taken,
                           const BlockView &other, const BlockView &to) {
  Instruction select = instruction(Engine::Vector, Semantics::Map,
                                   {&condition, &taken, &other}, to);
  select.formula = {{Function::Select, Source::Read, Source::Read}};
  execute(std::move(select), selectCycles(to.width()));
}

std::optional<Program> planning::writeProgram(const Schedule &schedule,
                                              const Machine &machine) {
  ProgramWriter writer(schedule.graph, machine);
  walkInOrder(schedule, machine, writer);
  return writer.finish();
}
