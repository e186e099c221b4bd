//===- KernelCall.cpp - Calls of kernels ----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/KernelCall.h"

#include "trn/Program/Program.h"
#include "trn/Simulator/Simulator.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <numeric>

using namespace mlir::trn;

FlopsByType mlir::trn::modelFlops(const KernelCall &call) {
  const SimulationResult &result = *call.simulation;
  FlopsByType executed{result.executedFlops - result.executedFlopsF32,
                       result.executedFlopsF32};
  return call.modelFlops ? shareOut(*call.modelFlops, executed) : executed;
}

namespace {
/// The arguments of all calls, as memory that calls may share.
class Memories {
public:
  explicit Memories(llvm::ArrayRef<KernelCall> calls) {
    for (const KernelCall &call : calls)
      for (const Buffer &buffer : call.program->buffers)
        if (std::optional<uintptr_t> memory = find(call, buffer)) {
          if (buffer.result)
            written.insert(*memory);
          else if (written.contains(*memory))
            intermediate.insert(*memory);
        }
  }

  /// The compulsory bytes of an argument where it is met first.
  int64_t take(const KernelCall &call, const Buffer &buffer) {
    std::optional<uintptr_t> memory = find(call, buffer);
    if (memory &&
        (intermediate.contains(*memory) || !taken.insert(*memory).second))
      return 0;
    return buffer.bytes;
  }

private:
  static std::optional<uintptr_t> find(const KernelCall &call,
                                       const Buffer &buffer) {
    size_t position = buffer.argument;
    if (buffer.argument < 0 || position >= call.arguments.size())
      return std::nullopt;
    return call.arguments[position];
  }

  llvm::DenseSet<uintptr_t> written, intermediate, taken;
};
} // namespace

int64_t
mlir::trn::hbmLowerBoundBytes(llvm::ArrayRef<KernelCall> calls,
                              std::vector<std::vector<int64_t>> *perBuffer) {
  Memories memories(calls);
  int64_t total = 0;
  for (const KernelCall &call : calls) {
    std::vector<int64_t> bytes;
    for (const Buffer &buffer : call.program->buffers)
      bytes.push_back(buffer.argument >= 0 ? memories.take(call, buffer) : 0);
    total = std::accumulate(bytes.begin(), bytes.end(), total);
    if (perBuffer)
      perBuffer->push_back(std::move(bytes));
  }
  return total;
}
