//===- Attribution.cpp - Where time and traffic of a kernel go ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Attribution.h"

#include "trn/Program/Program.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <numeric>

using namespace mlir::trn;

void PathTimes::add(const KernelCall &call) {
  const std::optional<CriticalPath> &path = call.simulation->criticalPath;
  if (!path)
    return;
  kernelOverhead += path->kernelOverhead;
  notFollowed += path->notFollowed;
  for (auto [instruction, times] :
       llvm::zip(call.program->instructions, path->instructions))
    for (auto [sum, time] :
         llvm::zip(engines[static_cast<int>(instruction.engine)], times))
      sum += time;
}

void PathTimes::add(const PathTimes &other) {
  kernelOverhead += other.kernelOverhead;
  notFollowed += other.notFollowed;
  for (auto [sums, times] : llvm::zip(engines, other.engines))
    for (auto [sum, time] : llvm::zip(sums, times))
      sum += time;
}

void OpTimes::add(const OpTimes &other) {
  executions += other.executions;
  flops += other.flops;
  transposeFlops += other.transposeFlops;
  busy += other.busy;
  critical += other.critical;
  for (auto [sum, time] : llvm::zip(waits, other.waits))
    sum += time;
}

void BufferUse::add(const BufferUse &other) {
  bytes += other.bytes;
  readBytes += other.readBytes;
  writtenBytes += other.writtenBytes;
  compulsoryBytes += other.compulsoryBytes;
}

int64_t OpTimes::waited() const {
  return std::accumulate(waits.begin(), waits.end(), int64_t(0));
}

WaitReason OpTimes::waitReason() const {
  return static_cast<WaitReason>(llvm::max_element(waits) - waits.begin());
}

std::vector<std::string> mlir::trn::bufferNames(const Program &program) {
  std::vector<std::string> names;
  int64_t arguments = 0, results = 0, scratch = 0;
  for (const Buffer &buffer : program.buffers) {
    std::string position;
    if (buffer.space == Space::Hbm && buffer.argument < 0)
      position = "scratch " + std::to_string(scratch++);
    else if (buffer.space == Space::Hbm)
      position = buffer.result ? "result " + std::to_string(results++)
                               : "argument " + std::to_string(arguments++);
    names.push_back(position.empty() || buffer.matrix.empty() ? position
                                                              : buffer.matrix);
  }
  return names;
}

/// The HBM buffer that an instruction reads or writes.
static std::string hbmBuffer(const Instruction &instruction,
                             llvm::ArrayRef<std::string> names) {
  for (const auto &accesses : {llvm::ArrayRef<Access>(instruction.reads),
                               llvm::ArrayRef<Access>(instruction.writes)})
    for (const Access &access : accesses)
      if (!names[access.buffer].empty())
        return names[access.buffer];
  return "";
}

/// By op: the first one of the same name and location, which it counts with.
static std::vector<int32_t> firstAlike(const Program &program) {
  std::map<std::pair<llvm::StringRef, llvm::StringRef>, int32_t> known;
  std::vector<int32_t> result;
  for (auto [index, op] : llvm::enumerate(program.ops))
    result.push_back(
        known.try_emplace({op.name, op.location}, index).first->second);
  return result;
}

namespace {
/// Finds ops in a list that it extends.
class OpList {
public:
  explicit OpList(std::vector<OpTimes> &ops) : ops(ops) {
    for (auto [position, op] : llvm::enumerate(ops))
      positions.try_emplace(keyOf(op), position);
  }

  OpTimes &find(OpTimes op) {
    auto [found, isNew] = positions.try_emplace(keyOf(op), ops.size());
    if (isNew)
      ops.push_back(std::move(op));
    return ops[found->second];
  }

private:
  using Key = std::tuple<int32_t, Engine, std::string>;
  static Key keyOf(const OpTimes &op) {
    return {op.index, op.engine, op.buffer};
  }

  std::vector<OpTimes> &ops;
  std::map<Key, size_t> positions;
};
} // namespace

void mlir::trn::addOps(const KernelCall &call, std::vector<OpTimes> &ops) {
  const Program &program = *call.program;
  const SimulationResult &simulation = *call.simulation;
  std::vector<std::string> names = bufferNames(program);
  std::vector<int32_t> first = firstAlike(program);
  OpList list(ops);
  for (auto [index, totals] : llvm::enumerate(simulation.totals)) {
    const Instruction &instruction = program.instructions[index];
    const OpInfo &info = program.ops[instruction.op];
    llvm::StringRef name = info.name;
    name.consume_front("trn.");
    OpTimes &op =
        list.find({first[instruction.op], name.str(), instruction.engine,
                   hbmBuffer(instruction, names), info.location});
    op.executions += totals.executions;
    op.flops += totals.executions * instruction.work.flops;
    op.transposeFlops += totals.executions * instruction.work.transposeFlops;
    op.busy += totals.busy;
    for (auto [sum, time] : llvm::zip(op.waits, totals.waits))
      sum += time;
    if (simulation.criticalPath) {
      const auto &times = simulation.criticalPath->instructions[index];
      op.critical = std::accumulate(times.begin(), times.end(), op.critical);
    }
  }
}

void mlir::trn::addBuffers(const KernelCall &call,
                           llvm::ArrayRef<int64_t> compulsory,
                           std::vector<BufferUse> &buffers) {
  const Program &program = *call.program;
  llvm::ArrayRef<BufferTraffic> traffic = call.simulation->traffic;
  size_t next = 0;
  for (auto [index, name] : llvm::enumerate(bufferNames(program))) {
    if (name.empty())
      continue;
    if (next == buffers.size())
      buffers.push_back({name, program.buffers[index].location});
    BufferUse &use = buffers[next++];
    use.bytes += program.buffers[index].bytes;
    use.compulsoryBytes += compulsory[index];
    if (index < traffic.size()) {
      use.readBytes += traffic[index].readBytes;
      use.writtenBytes += traffic[index].writtenBytes;
    }
  }
}

std::vector<OpTimes> mlir::trn::topOps(std::vector<OpTimes> ops, size_t count) {
  llvm::sort(ops, [](const OpTimes &a, const OpTimes &b) {
    return std::tie(b.critical, b.busy, a.op, a.buffer, a.location) <
           std::tie(a.critical, a.busy, b.op, b.buffer, b.location);
  });
  ops.resize(std::min(ops.size(), count));
  return ops;
}
