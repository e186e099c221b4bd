//===- GroupKernels.cpp - Kernels that do the same ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupKernels.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

namespace {
/// Compares sums over different numbers of calls.
class SameWork {
public:
  SameWork(const KernelReport &a, const KernelReport &b) : a(a), b(b) {}

  /// Those of a logical core are told one by one, as they have rows of cores.
  bool holds() const {
    return a.cores.size() < 2 && b.cores.size() < 2 &&
           a.schedule == b.schedule && haveSameMetrics() &&
           haveSame(
               a.ops, b.ops,
               [&](const OpTimes &a, const OpTimes &b) {
                 return std::tie(a.op, a.engine, a.buffer) ==
                            std::tie(b.op, b.engine, b.buffer) &&
                        isSame(a.executions, b.executions);
               }) &&
           haveSame(
               a.buffers, b.buffers,
               [&](const BufferUse &a, const BufferUse &b) {
                 return a.name == b.name && isSame(a.bytes, b.bytes);
               });
  }

private:
  bool isSame(int64_t left, int64_t right) const {
    // Exact, unlike quotients; 64 bits may be too few for products.
    return left / a.calls == right / b.calls && left % a.calls == 0 &&
           right % b.calls == 0;
  }
  bool haveSameMetrics() const {
    const SimulationResult &left = a.metrics.sum, &right = b.metrics.sum;
    // Behind others in a launch it depends on these how long one takes.
    bool areAlone =
        a.metrics.launches == a.calls && b.metrics.launches == b.calls;
    return (!areAlone || isSame(left.latency, right.latency)) &&
           isSame(left.hbmReadBytes, right.hbmReadBytes) &&
           isSame(left.hbmWriteBytes, right.hbmWriteBytes) &&
           isSame(left.executedFlops, right.executedFlops) &&
           isSame(left.instructions, right.instructions) &&
           isSame(a.metrics.flops.narrow, b.metrics.flops.narrow) &&
           isSame(a.metrics.flops.f32, b.metrics.flops.f32);
  }
  template <typename T, typename Same>
  static bool haveSame(const std::vector<T> &left, const std::vector<T> &right,
                       Same same) {
    return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                      same);
  }

  const KernelReport &a, &b;
};
} // namespace

static void add(KernelReport &sum, const KernelReport &other) {
  sum.calls += other.calls;
  sum.metrics.add(other.metrics);
  for (auto [op, added] : llvm::zip_equal(sum.ops, other.ops))
    op.add(added);
  for (auto [buffer, added] : llvm::zip_equal(sum.buffers, other.buffers))
    buffer.add(added);
}

std::vector<KernelGroup>
mlir::trn::groupKernels(llvm::ArrayRef<KernelReport> kernels) {
  std::vector<KernelGroup> groups;
  for (const KernelReport &kernel : kernels) {
    auto group = llvm::find_if(groups, [&](const KernelGroup &group) {
      return SameWork(group.sum, kernel).holds();
    });
    if (group == groups.end()) {
      groups.push_back({kernel});
      continue;
    }
    add(group->sum, kernel);
    ++group->numKernels;
  }
  return groups;
}
