//===- KernelCall.cpp - Calls of kernels ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/KernelCall.h"

#include "trn/Program/Launch.h"
#include "trn/Simulator/Simulator.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mlir::trn;

llvm::SmallVector<KernelCall, 2> mlir::trn::coresOf(const KernelCall &call) {
  llvm::SmallVector<KernelCall, 2> cores = {call};
  for (auto [program, simulation] :
       llvm::zip(call.program->others, call.simulation->others))
    cores.push_back({&program, &simulation, call.arguments});
  return cores;
}

KernelCall mlir::trn::lastCoreOf(const KernelCall &call) {
  llvm::SmallVector<KernelCall, 2> cores = coresOf(call);
  return *llvm::max_element(cores, [](const auto &one, const auto &other) {
    return one.simulation->end < other.simulation->end;
  });
}

FlopsByType mlir::trn::modelFlops(const KernelCall &call) {
  FlopsByType executed;
  for (const KernelCall &core : coresOf(call)) {
    const SimulationResult &result = *core.simulation;
    executed.narrow += result.executedFlops - result.executedFlopsF32;
    executed.f32 += result.executedFlopsF32;
  }
  return call.modelFlops ? shareOut(*call.modelFlops, executed) : executed;
}

HandedOver::HandedOver(llvm::ArrayRef<KernelCall> calls) {
  llvm::DenseSet<uintptr_t> written;
  for (const KernelCall &call : calls)
    for (const Buffer &buffer : call.program->buffers)
      if (std::optional<uintptr_t> memory =
              findMemory(call.arguments, buffer)) {
        if (buffer.result)
          written.insert(*memory);
        else if (written.contains(*memory))
          memories.insert(*memory);
      }
}

/// By buffer: whether it is touched, and only by rows that a tile chooses, so
/// that nobody needs all of it.
static std::vector<bool> findTables(const Program &program) {
  size_t numBuffers = program.buffers.size();
  std::vector<bool> hasRows(numBuffers), isWhole(numBuffers);
  for (const Instruction &instruction : program.instructions) {
    bool isGather = instruction.semantics == Semantics::Gather;
    bool isScatter = instruction.semantics == Semantics::Scatter;
    for (auto [index, read] : llvm::enumerate(instruction.reads))
      (isGather && index == 0 ? hasRows : isWhole)[read.buffer] = true;
    for (const Access &write : instruction.writes)
      (isScatter ? hasRows : isWhole)[write.buffer] = true;
  }
  for (size_t i = 0; i != numBuffers; ++i)
    hasRows[i] = hasRows[i] && !isWhole[i];
  return hasRows;
}

namespace {
/// Bytes of memory.
struct Part {
  int64_t begin, end;
};
} // namespace

/// Adds a part to others, none of which overlap. Returns how many of its bytes
/// none of them has.
static int64_t addPart(std::vector<Part> &parts, Part part) {
  int64_t bytes = part.end - part.begin;
  llvm::erase_if(parts, [&](const Part &other) {
    const int64_t both =
        std::min(part.end, other.end) - std::max(part.begin, other.begin);
    if (both <= 0)
      return false;
    bytes -= both;
    part = {std::min(part.begin, other.begin), std::max(part.end, other.end)};
    return true;
  });
  parts.push_back(part);
  return bytes;
}

int64_t
mlir::trn::hbmLowerBoundBytes(llvm::ArrayRef<KernelCall> calls,
                              std::vector<std::vector<int64_t>> *perBuffer) {
  HandedOver handedOver(calls);
  llvm::DenseMap<uintptr_t, std::vector<Part>> met;
  // An argument counts where its memory is met first.
  auto take = [&](const KernelCall &call, const Buffer &buffer) -> int64_t {
    std::optional<uintptr_t> memory = findMemory(call.arguments, buffer);
    if (!memory)
      return buffer.bytes;
    if (handedOver.contains(*memory))
      return 0;
    std::vector<Part> &parts = met[*memory];
    const int64_t begin = findOffset(call.offsets, buffer);
    if (begin == unknownOffset && !parts.empty())
      return 0;
    return addPart(parts, {begin, begin + buffer.bytes});
  };
  int64_t total = 0;
  for (const KernelCall &call : calls) {
    std::vector<int64_t> bytes;
    std::vector<bool> isTable = findTables(*call.program);
    for (auto [index, buffer] : llvm::enumerate(call.program->buffers)) {
      bytes.push_back(buffer.argument >= 0 ? take(call, buffer) : 0);
      if (!isTable[index])
        continue;
      const BufferTraffic &moved = call.simulation->traffic[index];
      bytes.back() =
          std::min(bytes.back(), moved.readBytes + moved.writtenBytes);
    }
    total = std::accumulate(bytes.begin(), bytes.end(), total);
    if (perBuffer)
      perBuffer->push_back(std::move(bytes));
  }
  return total;
}
