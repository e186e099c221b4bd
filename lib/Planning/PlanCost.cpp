//===- PlanCost.cpp - What the loops of a plan move, hold and compute -----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PlanCost.h"

#include "RowWork.h"
#include "trn/Machine/Machine.h"
#include "trn/Machine/Work.h"
#include "trn/Placement/Lives.h"
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

  PlanCost finish();

  void beginLoop(int32_t, int64_t trips) override {
    recorder.beginLoop(trips);
    executions.push_back(executions.back() * double(trips));
  }
  void endLoop(int32_t) override {
    recorder.endLoop();
    executions.pop_back();
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
  void convert(const BlockView &from, const BlockView &to,
               std::optional<Engine> engine) override {
    if (engine == Engine::Vector)
      onVector(tensorCopyCycles(machine, infoOf(from), infoOf(to), to.width()));
    use(from, to);
  }
  void add(const BlockView &from, const BlockView &to) override {
    combine(Function::Add, {from}, {to}, to, /*then=*/nullptr);
  }
  void activate(Function, const BlockView &from, const Argument &scale,
                const Argument &bias, const BlockView &to,
                const BlockView *sums) override {
    int64_t cycles = sums ? activationReduceCycles(machine, to.width())
                          : activationCycles(to.width());
    cost.scalarNs += executions.back() * double(cycles) / machine.scalarGHz;
    use(scale, bias, from, to, sums ? Argument{*sums} : Argument());
  }
  void combine(Function function, const Argument &left, const Argument &right,
               const BlockView &to, const Then *then) override;
  void select(const BlockView &condition, const BlockView &taken,
              const BlockView &other, const BlockView &to) override {
    onVector(selectCycles(to.width()));
    use(condition, taken, other, to);
  }
  void fill(float, const BlockView &to) override { use(to); }
  void keepSide(int64_t, int64_t, int64_t, float,
                const BlockView &block) override {
    use(block);
  }
  void reduce(Function function, const BlockView &from,
              const BlockView &to) override {
    onVector(reduceCycles(function, infoOf(from).type, infoOf(to).type,
                          from.width()));
    use(from, to);
  }

private:
  ElementType typeOf(const BlockView &view) const {
    return graph.matrices[view.matrix].type;
  }
  void compute(int64_t cycles) {
    cost.tensorNs +=
        executions.back() * double(cycles) * machine.tensorNsPerColumn;
  }
  void onVector(int64_t cycles) {
    cost.vectorNs += executions.back() * double(cycles) / machine.vectorGHz;
  }
  OperandInfo infoOf(const BlockView &view) const {
    return {types[*view.buffer], spaces[*view.buffer] == Space::Psum};
  }
  void move(const BlockView &hbm, bool writes, double efficiency);
  /// One instruction.
  template <typename... Operands>
  void use(const Operands &...operands) {
    llvm::SmallVector<int32_t, 4> buffers;
    (add(operands, buffers), ...);
    recorder.execute(buffers, /*isTransfer=*/false, /*isOnTensor=*/false);
  }
  static void add(const BlockView &view,
                  llvm::SmallVectorImpl<int32_t> &buffers) {
    if (view.buffer)
      buffers.push_back(*view.buffer);
  }
  static void add(const Argument &argument,
                  llvm::SmallVectorImpl<int32_t> &buffers) {
    if (argument.block)
      add(*argument.block, buffers);
  }

  const Graph &graph;
  const Machine &machine;
  PlanCost cost;
  llvm::SmallVector<double> executions{1}; // by open loop
  placement::LifeRecorder recorder;
  llvm::SmallVector<Space> spaces; // by buffer
  llvm::SmallVector<ElementType> types;
};
} // namespace

/// As many bytes are far beyond all memories, and sums of many fit 64 bits.
static constexpr double mostBytes = 0x1p48;

placement::Buffer PlannedBuffer::describe(const Machine &machine) const {
  placement::Buffer buffer{/*size=*/1, std::max<int64_t>(1, slots)};
  if (space == Space::Psum) {
    buffer.size = machine.psumBanksOf(columns * byteSize(type));
    return buffer;
  }
  buffer.alignment = byteSize(type);
  double tiles = llvm::divideCeilSigned(rows, machine.partitions);
  double bytes = tiles * double(columns) * double(buffer.alignment);
  buffer.size = int64_t(std::min(bytes, mostBytes));
  return buffer;
}

void CostVisitor::allocate(int32_t, const PlannedBuffer &buffer) {
  recorder.allocate(buffer.describe(machine), /*isDecided=*/true);
  spaces.push_back(buffer.space);
  types.push_back(buffer.type);
  if (buffer.space == Space::Sbuf)
    cost.buffers.push_back(buffer);
}

void CostVisitor::combine(Function function, const Argument &left,
                          const Argument &right, const BlockView &to,
                          const Then *then) {
  std::optional<WithScalars> scaled = findScalars(left, right, to, then);
  onVector(scaled
               ? tensorScalarCycles(machine, infoOf(scaled->tile), infoOf(to),
                                    to.width())
               : combineCycles(machine, function, infoOf(*left.block),
                               infoOf(*right.block), infoOf(to), to.width()));
  use(left, right, to, then ? then->other : Argument());
}

void CostVisitor::move(const BlockView &hbm, bool writes, double efficiency) {
  double bytes =
      double(hbm.rows) * double(hbm.width()) * double(byteSize(typeOf(hbm)));
  cost.dmaNs += executions.back() *
                machine.dmaEngineNs(bytes / efficiency,
                                    double(hbm.rows) * double(hbm.runs)) /
                double(machine.dmaEngines);
  auto add = [&](int64_t &sum) {
    double most = double(std::numeric_limits<int64_t>::max() / 2);
    sum += int64_t(std::min(bytes * executions.back(), most - double(sum)));
  };
  bool isScratch = graph.matrices[hbm.matrix].role == Role::Intermediate;
  add(writes ? cost.writtenBytes : cost.readBytes);
  if (isScratch)
    add(writes ? cost.savedBytes : cost.reloadedBytes);
}

PlanCost CostVisitor::finish() {
  cost.sbuf.capacity = machine.sbufPartitionBytes;
  cost.psum.capacity = machine.psumBanks;
  for (auto [life, space] : llvm::zip_equal(recorder.take(), spaces))
    (space == Space::Psum ? cost.psum : cost.sbuf)
        .buffers.push_back(life.describe());
  return std::move(cost);
}

PlanCost planning::computeCost(const Schedule &schedule,
                               const Machine &machine) {
  CostVisitor visitor(schedule.graph, machine);
  walkInOrder(schedule, machine, visitor);
  return visitor.finish();
}

PlanCost planning::estimateCost(const Schedule &schedule,
                                const Machine &machine) {
  CostVisitor visitor(schedule.graph, machine);
  walk(schedule, machine, visitor);
  return visitor.finish();
}

std::string planning::describePeak(const Graph &graph, const PlanCost &cost,
                                   const placement::Peak &peak) {
  const char *rule =
      peak.size > cost.sbuf.capacity
          ? "{0} bytes a partition are needed, but {1} are usable ("
          : "{0} of {1} usable bytes a partition are needed at once, but there "
            "is no address for each buffer that is free for all of its life (";
  auto describe = [&](size_t number) -> std::string {
    const PlannedBuffer &buffer = cost.buffers[number];
    return llvm::formatv("{0} [{1} x {2}] {3}",
                         graph.matrices[buffer.matrix].name, buffer.rows,
                         buffer.columns, cost.sbuf.buffers[number].footprint());
  };
  return llvm::formatv(rule, peak.size, cost.sbuf.capacity).str() +
         llvm::join(llvm::map_range(peak.live, describe), ", ") + ")";
}
