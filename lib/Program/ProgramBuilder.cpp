//===- ProgramBuilder.cpp - Writes programs by hand -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/ProgramBuilder.h"

using namespace mlir::trn;

ProgramBuilder::ProgramBuilder(std::string name) {
  result.name = name;
  op(std::move(name));
}

int32_t ProgramBuilder::op(std::string name, std::string location) {
  result.ops.push_back({std::move(name), std::move(location)});
  return int32_t(result.ops.size()) - 1;
}

int32_t ProgramBuilder::buffer(Buffer buffer) {
  result.buffers.push_back(buffer);
  return int32_t(result.buffers.size()) - 1;
}

int32_t ProgramBuilder::argument(ElementType type, int64_t elements,
                                 bool isResult) {
  Buffer added{Space::Hbm, type, /*op=*/0};
  added.bytes = elements * byteSize(type);
  added.argument = arguments++;
  added.result = isResult;
  return buffer(added);
}

int32_t ProgramBuilder::scratch(ElementType type, int64_t elements) {
  Buffer added{Space::Hbm, type, int32_t(result.ops.size()) - 1};
  added.bytes = elements * byteSize(type);
  return buffer(added);
}

int32_t ProgramBuilder::sbuf(ElementType type, int64_t partitions,
                             int64_t elements, int64_t offset, int64_t slots) {
  Buffer added{Space::Sbuf, type, int32_t(result.ops.size()) - 1};
  added.partitions = partitions;
  added.bytesPerPartition = elements * byteSize(type);
  added.offset = offset;
  added.slots = slots;
  return buffer(added);
}

int32_t ProgramBuilder::psum(ElementType type, int64_t partitions,
                             int64_t elements, int64_t bank, int64_t slots,
                             int64_t offset) {
  Buffer added{Space::Psum, type, int32_t(result.ops.size()) - 1};
  added.partitions = partitions;
  added.bytesPerPartition = elements * byteSize(type);
  added.bank = bank;
  added.offset = offset;
  added.slots = slots;
  return buffer(added);
}

void ProgramBuilder::step(Step::Kind kind, int32_t index) {
  result.steps.push_back({kind, index, int32_t(result.ops.size()) - 1});
}

int32_t ProgramBuilder::beginLoop(int64_t tripCount) {
  int32_t loop = int32_t(result.loops.size());
  result.loops.push_back({tripCount, /*end=*/-1});
  result.loopBegins.push_back(int32_t(result.steps.size()));
  step(Step::Kind::BeginLoop, loop);
  openLoops.push_back({loop, /*isBusy=*/false});
  return loop;
}

void ProgramBuilder::endLoop() {
  auto [loop, isBusy] = openLoops.back();
  openLoops.pop_back();
  if (isBusy || result.loops[loop].tripCount <= 0) {
    result.loops[loop].end = int32_t(result.steps.size());
    step(Step::Kind::EndLoop, loop);
  } else {
    // Nobody shall walk through iterations in which nothing happens.
    result.steps.resize(result.loopBegins[loop]);
  }
  if (!openLoops.empty() && result.loops[loop].tripCount > 0)
    openLoops.back().isBusy |= isBusy;
}

void ProgramBuilder::event(Step::Kind kind, int32_t index) {
  if (!openLoops.empty())
    openLoops.back().isBusy = true;
  step(kind, index);
}

void ProgramBuilder::alloc(int32_t buffer) { event(Step::Kind::Alloc, buffer); }

void ProgramBuilder::dealloc(int32_t buffer) {
  event(Step::Kind::Dealloc, buffer);
}

Instruction &ProgramBuilder::execute(Engine engine, Semantics semantics,
                                     llvm::ArrayRef<Access> reads,
                                     const Access &write) {
  Instruction added;
  added.engine = engine;
  added.semantics = semantics;
  added.reads.assign(reads.begin(), reads.end());
  added.writes.push_back(write);
  return execute(std::move(added));
}

Instruction &ProgramBuilder::execute(Instruction instruction) {
  instruction.op = int32_t(result.ops.size()) - 1;
  event(Step::Kind::Execute, int32_t(result.instructions.size()));
  result.instructions.push_back(std::move(instruction));
  return result.instructions.back();
}

Access ProgramBuilder::tile(int32_t buffer, LinearExpr partition,
                            int64_t partitions, LinearExpr offset,
                            llvm::ArrayRef<Access::Dim> dims) const {
  Access access{buffer,
                result.buffers[buffer].type,
                std::move(partition),
                std::move(offset),
                {}};
  access.dims.push_back({partitions, 1});
  access.dims.append(dims.begin(), dims.end());
  return access;
}

Access ProgramBuilder::tile(int32_t buffer, int64_t partitions,
                            LinearExpr offset, int64_t count) const {
  return tile(buffer, 0, partitions, std::move(offset), {{count, 1}});
}

Access ProgramBuilder::hbm(int32_t buffer, LinearExpr offset,
                           llvm::ArrayRef<Access::Dim> dims) const {
  Access access{buffer, result.buffers[buffer].type, 0, std::move(offset), {}};
  access.dims.assign(dims.begin(), dims.end());
  return access;
}
