//===- PlanCost.cpp - What the loops of a plan move, hold and compute -----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PlanCost.h"

#include "trn/Machine/Machine.h"
#include "trn/Machine/Work.h"
#include "trn/Planning/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
/// Buffers live from their allocation to their last use, or to the end of the
/// loop beside the allocation that has it; those that rotate, for all of the
/// loop around.
class CostVisitor final : public PlanVisitor {
public:
  CostVisitor(const Graph &graph, const Machine &machine)
      : graph(graph), machine(machine) {}

  void beginLoop(int32_t loop, int64_t trips) override {
    loops.push_back({point++, executions, {}, {}});
    executions *= double(trips);
  }
  void endLoop(int32_t) override {
    OpenLoop &loop = loops.back();
    int64_t end = ++point;
    for (int32_t buffer : loop.pending)
      placed(buffer).end = end;
    for (int32_t buffer : loop.rotating) {
      placed(buffer).begin = loop.begin;
      placed(buffer).end = end;
    }
    executions = loop.executions;
    loops.pop_back();
  }
  void allocate(int32_t number, const PlannedBuffer &buffer) override;
  void copy(const BlockView &from, const BlockView &to) override {
    const BlockView &hbm = from.buffer ? to : from;
    move(hbm, bool(from.buffer), /*efficiency=*/1);
    use(from, to);
  }
  void transposeByDma(const BlockView &from, const BlockView &to) override {
    move(from, /*writes=*/false, machine.dmaTransposeEfficiency);
    use(from, to);
  }
  void multiply(const BlockView &stationary, const BlockView &moving,
                const BlockView &bank, const LinearExpr &) override {
    compute(matmulCycles(machine, typeOf(moving), moving.columns));
    use(stationary, moving, bank);
  }
  void transpose(const BlockView &from, const BlockView &bank) override {
    compute(tensorTransposeCycles(machine, typeOf(from), from.rows));
    use(from, bank);
  }
  void convert(const BlockView &from, const BlockView &to) override {
    use(from, to);
  }
  void add(const BlockView &from, const BlockView &to) override {
    OperandInfo bank{ElementType::F32, /*inPsum=*/true}, sums{typeOf(to)};
    int64_t cycles =
        tensorTensorCycles(machine, ElementwiseOp::AddSubtractMultiply, bank,
                           sums, sums, to.columns);
    cost.vectorNs += executions * double(cycles) / machine.vectorGHz;
    use(from, to);
  }
  void activate(Function, const BlockView &from, const Argument &scale,
                const Argument &bias, const BlockView &to) override {
    use(scale, bias, from, to);
  }
  void combine(Function, const Argument &left, const Argument &right,
               const BlockView &to) override {
    use(left, right, to);
  }

  PlanCost cost;

private:
  struct OpenLoop {
    int64_t begin;
    double executions;
    /// Buffers allocated outside that it uses, and inside that rotate.
    llvm::SmallVector<int32_t> pending, rotating;
  };

  ElementType typeOf(const BlockView &view) const {
    return graph.matrices[view.matrix].type;
  }
  void compute(int64_t cycles) {
    cost.tensorNs += executions * double(cycles) * machine.tensorNsPerColumn;
  }
  void move(const BlockView &hbm, bool writes, double efficiency);
  placement::Problem &problemOf(Space space) {
    return space == Space::Psum ? cost.psum : cost.sbuf;
  }
  placement::Buffer &placed(int32_t number) {
    return problemOf(opened[number].space).buffers[opened[number].index];
  }
  /// One instruction.
  template <typename... Operands>
  void use(const Operands &...operands) {
    (extend(operands), ...);
    ++point;
  }
  void extend(const BlockView &view);
  void extend(const Argument &argument) {
    if (argument.block)
      extend(*argument.block);
  }

  const Graph &graph;
  const Machine &machine;
  int64_t point = 0;
  double executions = 1;
  llvm::SmallVector<OpenLoop> loops;
  /// By buffer: where its problem has it, and the loops around it.
  struct Opened {
    Space space;
    size_t index;
    unsigned depth;
  };
  llvm::SmallVector<Opened> opened;
};
} // namespace

void CostVisitor::allocate(int32_t number, const PlannedBuffer &buffer) {
  placement::Problem &problem = problemOf(buffer.space);
  opened.push_back(
      {buffer.space, problem.buffers.size(), unsigned(loops.size())});
  placement::Buffer &placed = problem.buffers.emplace_back();
  placed.slots = std::max<int64_t>(1, buffer.slots);
  placed.begin = point++;
  placed.end = point;
  placed.size = 1; // a bank
  if (buffer.space == Space::Psum)
    return;
  int64_t tiles = llvm::divideCeilSigned(buffer.rows, machine.partitions);
  placed.alignment = byteSize(buffer.type);
  // Far beyond all memories, and small enough for sums of many.
  double bytes =
      double(tiles) * double(buffer.columns) * double(placed.alignment);
  placed.size = int64_t(std::min(bytes, 0x1p48));
  cost.names.push_back(llvm::formatv("{0} [{1} x {2}]",
                                     graph.matrices[buffer.matrix].name,
                                     buffer.rows, buffer.columns));
  if (placed.slots > 1 && !loops.empty())
    loops.back().rotating.push_back(number);
}

/// The buffer lives until here, or to the end of the loop beside it.
void CostVisitor::extend(const BlockView &view) {
  if (!view.buffer)
    return;
  unsigned depth = opened[*view.buffer].depth;
  if (depth == loops.size())
    placed(*view.buffer).end = point + 1;
  else
    loops[depth].pending.push_back(*view.buffer);
}

void CostVisitor::move(const BlockView &hbm, bool writes, double efficiency) {
  double bytes =
      double(hbm.rows) * double(hbm.columns) * double(byteSize(typeOf(hbm)));
  cost.dmaNs += executions *
                machine.dmaEngineNs(bytes / efficiency, double(hbm.rows)) /
                double(machine.dmaEngines);
  auto add = [&](int64_t &sum) {
    double most = double(std::numeric_limits<int64_t>::max() / 2);
    sum += int64_t(std::min(bytes * executions, most - double(sum)));
  };
  bool isScratch = graph.matrices[hbm.matrix].role == Role::Intermediate;
  add(writes ? cost.writtenBytes : cost.readBytes);
  if (isScratch)
    add(writes ? cost.savedBytes : cost.reloadedBytes);
}

PlanCost planning::computeCost(const Schedule &schedule,
                               const Machine &machine) {
  CostVisitor visitor(schedule.graph, machine);
  visitor.cost.sbuf.capacity = machine.sbufPartitionBytes;
  visitor.cost.psum.capacity = machine.psumBanks;
  walk(schedule, machine, visitor);
  return std::move(visitor.cost);
}

std::string planning::describePeak(const PlanCost &cost,
                                   const placement::Peak &peak) {
  const char *rule =
      peak.size > cost.sbuf.capacity
          ? "{0} bytes a partition are needed, but {1} are usable ("
          : "{0} of {1} usable bytes a partition are needed at once, but there "
            "is no address for each buffer that is free for all of its life (";
  auto describe = [&](size_t buffer) -> std::string {
    return llvm::formatv("{0} {1}", cost.names[buffer],
                         cost.sbuf.buffers[buffer].footprint());
  };
  return llvm::formatv(rule, peak.size, cost.sbuf.capacity).str() +
         llvm::join(llvm::map_range(peak.live, describe), ", ") + ")";
}
