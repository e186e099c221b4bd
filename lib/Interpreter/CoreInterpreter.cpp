//===- CoreInterpreter.cpp - Runs the program of one core -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One thread walks the program, checks every access against what the hardware
// would do, and hands the arithmetic to worker threads. So faults are found in
// program order. Values hardly ever decide what happens next: where they do, as
// indices of rows or integers that must be exact, the thread waits for all work
// and does that instruction itself.
//
//===----------------------------------------------------------------------===//

#include "CoreInterpreter.h"

#include "Collectives.h"
#include "Explain.h"
#include "Integers.h"
#include "PrepareInstruction.h"
#include "RowsMoved.h"
#include "trn/Support/Interrupt.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using llvm::ArrayRef;

/// Some hundredths of a second, as most are products of tiles.
static constexpr uint64_t stepsPerTelling = 1024;

void CoreInterpreter::prepare() {
  Pitches pitches = memory.pitches();
  prepared.reserve(program.instructions.size());
  for (const Instruction &instruction : program.instructions) {
    PreparedInstruction &added = prepared.emplace_back(
        prepareInstruction(program, instruction, pitches));
    tiles.planProduct(added);
  }
}

std::optional<Fault> CoreInterpreter::start(ArrayRef<void *> arguments,
                                            CoreInterpreter *first) {
  if (std::optional<Fault> fault = memory.acquire(
          arguments, options.written, first ? &first->memory : nullptr))
    return fault;
  prepare();
  // A snapshot shows what a load wrote.
  if (options.snapshots.empty())
    tiles.delayLoads(prepared);
  graph.emplace(
      threads, Places(program, machine),
      [this](const WorkItem &item, unsigned thread) { compute(item, thread); });
  return std::nullopt;
}

std::optional<Fault> CoreInterpreter::advance() {
  waiting.reset();
  while (const Step *next = walker.next()) {
    if (isInterrupted())
      return Fault{"", /*op=*/0, "interrupted", {}};
    if (options.progress && steps % stepsPerTelling == 0)
      options.progress(steps);
    snapshots.beforeStep(*next, walker, memory, *graph);
    std::optional<Fault> fault = step(*next);
    if (fault && !isIgnored(*fault))
      return fault;
    ++steps;
    if (waiting)
      break;
  }
  graph->finish();
  return std::nullopt;
}

std::optional<Fault> CoreInterpreter::finish() {
  snapshots.finish(memory);
  std::optional<Fault> fault = memory.findUnwrittenResult();
  return fault && isIgnored(*fault) ? std::nullopt : fault;
}

std::optional<Fault> CoreInterpreter::step(const Step &step) {
  switch (step.kind) {
  case Step::Kind::Alloc: {
    int64_t slot = walker.slot(step.index);
    if (std::optional<Fault> fault = memory.alloc(step.index, slot))
      return fault;
    Region region = memory.addresses().slotRegion(step.index, slot);
    Space space = program.buffers[step.index].space;
    if (space == Space::Psum)
      groups.alloc({region.p0, region.p1, region.lo, region.hi});
    tiles.allocate(region, space);
    return std::nullopt;
  }
  case Step::Kind::Dealloc: {
    std::optional<Fault> fault =
        memory.dealloc(step.index, walker.slot(step.index));
    if (fault && fault->op < 0)
      fault->op = step.op;
    return fault;
  }
  case Step::Kind::Execute: {
    std::optional<Fault> fault = execute(prepared[step.index]);
    if (fault && fault->op < 0)
      fault->op = program.instructions[step.index].op;
    return fault;
  }
  case Step::Kind::BeginLoop:
  case Step::Kind::EndLoop:
    break;
  }
  return std::nullopt;
}

std::optional<Fault> CoreInterpreter::execute(PreparedInstruction &prepared) {
  if (!prepared.error.empty())
    return Fault{prepared.rule, -1, prepared.error, {}};
  if (prepared.isEmpty)
    return std::nullopt;
  const Instruction &source = *prepared.source;
  bool accumulate = source.semantics == Semantics::Matmul &&
                    source.accumulate &&
                    source.accumulate->evaluate(walker.counters());
  LocatedOperands operands;
  if (source.semantics == Semantics::Barrier)
    return wait(prepared, operands);
  if (std::optional<Fault> fault = checkReads(prepared, operands))
    return fault;
  for (size_t index = source.reads.size(); index < prepared.operands.size();
       ++index)
    if (std::optional<Fault> fault =
            checkWrite(prepared, index, accumulate, operands))
      return fault;

  WorkItem item;
  item.instruction = &prepared;
  for (size_t i = 0; i < prepared.operands.size(); ++i)
    item.operands[i] = operands.located[i].pointer;
  item.begin = 0;
  item.end = prepared.nest.levels.empty() ? 1 : prepared.nest.levels[0].size;
  item.accumulate = accumulate;
  for (size_t index = source.reads.size(); index < prepared.operands.size();
       ++index) {
    const Region &written = operands.located[index].region;
    operands.writes.push_back(written);
    if (prepared.operands[index].buffer->space == Space::Sbuf)
      tiles.invalidate(written);
  }
  tiles.loadOperands(prepared, operands, *graph);
  if (tiles.delay(item, operands))
    return std::nullopt;
  if (isIndirect(source.semantics))
    return moveRows(prepared, operands);
  if (isCollective(source.semantics))
    return meetCores(item);
  if (source.semantics == Semantics::SendReceive)
    return wait(prepared, operands);
  if (prepared.hasIntegers)
    return executeNow(item, operands);
  if (prepared.isProduct())
    tiles.locate(prepared, operands, item, *graph);
  graph->add(item, operands.reads, operands.writes);
  return std::nullopt;
}

/// With integers, whose values are looked at before and after.
std::optional<Fault>
CoreInterpreter::executeNow(const WorkItem &item,
                            const LocatedOperands &operands) {
  const PreparedInstruction &prepared = *item.instruction;
  size_t reads = prepared.reads().size(), all = prepared.operands.size();
  graph->finish();
  std::optional<Fault> fault = checkIntegers(
      prepared, 0, reads, operands.located, memory.pitches(), "reads");
  if (!fault)
    fault = checkChosen(prepared, operands.located, memory.pitches());
  if (fault)
    return fault;
  compute(item, /*thread=*/0);
  return checkIntegers(prepared, reads, all, operands.located, memory.pitches(),
                       "leaves");
}

std::optional<Fault>
CoreInterpreter::moveRows(const PreparedInstruction &prepared,
                          const LocatedOperands &operands) {
  graph->finish();
  RowsMoved rows(prepared, operands.located, memory);
  if (std::optional<Fault> fault = rows.choose())
    return fault;
  if (std::optional<WrittenMap::Position> hole = rows.findHole())
    return explainHole(memory.addresses(), this->prepared, prepared.row,
                       walker.slot(prepared.row.access->buffer), *hole, steps);
  return rows.move();
}

/// What other cores hand over must be there.
std::optional<Fault> CoreInterpreter::meetCores(const WorkItem &item) {
  graph->finish();
  const Instruction &source = *item.instruction->source;
  return runCollective(source, program.ops[source.op], item.operands[0],
                       item.operands[1], options.cores);
}

std::optional<Fault>
CoreInterpreter::checkReads(const PreparedInstruction &prepared,
                            LocatedOperands &operands) {
  for (auto [index, operand] : llvm::enumerate(prepared.reads())) {
    Memory::Located &located = operands.located[index];
    if (std::optional<Fault> fault = memory.locate(
            operand, walker.counters(), walker.slot(operand.access->buffer),
            "reads", located))
      return fault;
    bool isTable =
        isIndirect(prepared.source->semantics) && index == tableOf(prepared);
    // Padding may be sent; who takes it has nothing, either.
    bool isSent = prepared.source->semantics == Semantics::SendReceive;
    auto hole =
        isTable || isSent ? std::nullopt : memory.findHole(operand, located);
    if (hole) {
      Fault fault =
          explainHole(memory.addresses(), this->prepared, operand,
                      walker.slot(operand.access->buffer), *hole, steps);
      if (memory.shared.find(operand.access->buffer))
        fault.notes.push_back({operand.buffer->op,
                               "what the other core writes to it is there "
                               "behind a core_barrier of it"});
      return fault;
    }
    if (!isTable)
      memory.shared.read(operand, located.start);
    if (operand.buffer->argument < 0 || operand.buffer->result)
      operands.reads.push_back(located.region);
  }
  return std::nullopt;
}

std::optional<Fault>
CoreInterpreter::checkWrite(const PreparedInstruction &prepared, size_t index,
                            bool accumulate, LocatedOperands &operands) {
  const OperandLayout &write = prepared.operands[index];
  Memory::Located &located = operands.located[index];
  if (write.buffer->argument >= 0 && !write.buffer->result)
    return Fault{"memory_c3",
                 -1,
                 "writes argument " + std::to_string(write.buffer->argument) +
                     ", which is not a result",
                 {{write.buffer->op, "of this kernel"}}};
  if (std::optional<Fault> fault =
          memory.locate(write, walker.counters(),
                        walker.slot(write.access->buffer), "writes", located))
    return fault;
  size_t reads = prepared.source->reads.size();
  // The operands in front: the reads, and perhaps another write.
  for (size_t other = 0; other < index; ++other) {
    bool mayBeSame =
        other < reads && prepared.source->semantics != Semantics::Transpose;
    // A shuffle in place moves columns one after the other, of all partitions.
    if (prepared.source->semantics == Semantics::Shuffle &&
        operands.located[other].start == located.start && write.isDense() &&
        prepared.operands[other].isDense())
      continue;
    if (prepared.operands[other].buffer == write.buffer &&
        overlapInPart(prepared.operands[other], operands.located[other], write,
                      located, mayBeSame))
      return Fault{"memory_c4",
                   -1,
                   other < reads
                       ? "reads and writes regions that overlap in part; the "
                         "result would depend on the order of elements"
                       : "writes two results to regions that overlap",
                   {{write.buffer->op, "in this buffer"}}};
  }
  if (write.buffer->space == Space::Psum)
    if (std::optional<Fault> fault =
            writePsum(prepared, write, accumulate, located))
      return fault;
  // What is written shows when the indices are read.
  if (isIndirect(prepared.source->semantics))
    return std::nullopt;
  if (!accumulate) {
    memory.markWritten(write, located);
    return std::nullopt;
  }
  // A group is dense, or what it writes could have gaps that nobody wrote.
  if (!write.isDense())
    if (std::optional<WrittenMap::Position> hole =
            memory.findHole(write, located))
      return explainHole(memory.addresses(), this->prepared, write,
                         walker.slot(write.access->buffer), *hole, steps);
  return std::nullopt;
}

std::optional<Fault>
CoreInterpreter::writePsum(const PreparedInstruction &prepared,
                           const OperandLayout &write, bool accumulate,
                           const Memory::Located &located) {
  const Instruction &source = *prepared.source;
  const Region &region = located.region;
  PsumArea area{region.p0, region.p1, region.lo, region.hi};
  std::optional<GroupFault> found =
      groups.write(source, area, accumulate, [&](const PsumArea &group) {
        return write.forEachRun([&](int64_t lo, int64_t hi) {
          return group.overlaps(
              {area.p0, area.p1, located.start + lo, located.start + hi});
        });
      });
  if (!found)
    return std::nullopt;
  Fault fault{found->rule, found->op, found->message, {}};
  if (found->other >= 0)
    fault.notes.push_back({found->other, found->note});
  fault.notes.push_back({program.buffers[found->buffer].op, "this buffer"});
  return fault;
}

void CoreInterpreter::compute(const WorkItem &item, unsigned thread) {
  if (item.instruction->isProduct())
    return tiles.multiply(item, thread);
  runElementwise(*item.instruction, item.operands, item.begin, item.end);
}
