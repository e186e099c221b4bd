//===- ModelParts.cpp - What of a model takes time ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/ModelParts.h"

#include "trn/Analysis/HostOps.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::trn;
using planning::Graph;

StringRef mlir::trn::stringify(ModelPart part) {
  static constexpr StringLiteral names[numModelParts] = {
      "mlp",        "projections", "attention", "lm_head",
      "norms_rope", "collectives", "unknown",   "overhead"};
  return names[size_t(part)];
}

ModelPart mlir::trn::partOf(StringRef weight) {
  if (weight.contains(".mlp."))
    return ModelPart::Mlp;
  if (weight.contains(".self_attn.") && weight.contains("_proj."))
    return ModelPart::Projections;
  // The embedding of tied heads; else only the host reads it.
  if (weight.starts_with("lm_head.") || weight == "model.embed_tokens.weight")
    return ModelPart::LmHead;
  return ModelPart::Unknown;
}

namespace {

/// Bytes of matrices by part.
using PartBytes = std::array<int64_t, numModelParts>;

class TimeSplitter {
public:
  TimeSplitter(func::FuncOp entry, const Report &report)
      : entry(entry), report(report) {
    for (const HostOp &found : findHostOps(entry))
      if (found.isLoad)
        loads.insert(found.op);
    StringRef param = TrnDialect::ParamAttrHelper::getNameStr();
    for (BlockArgument argument : entry.getArguments())
      if (auto name = entry.getArgAttrOfType<StringAttr>(
              argument.getArgNumber(), param))
        weights[argument] = name.getValue();
  }

  TimeSplit split(ArrayRef<size_t> likes);

private:
  bool isKnownCall(func::CallOp call, size_t number) const;
  void addSources(Value value, SmallVectorImpl<Value> &sources) const;
  PartBytes countWeights(func::CallOp call) const;
  bool isConstant(Value value) const;
  bool multipliesComputed(func::CallOp call) const;
  ModelPart partOfNoWeights(func::CallOp call, const CallTime &timed) const;
  void add(func::CallOp call, const CallTime &timed, int64_t time);

  func::FuncOp entry;
  const Report &report;
  /// Arguments by the names that they have in a checkpoint.
  DenseMap<Value, StringRef> weights;
  /// What the host does once, when it loads weights.
  DenseSet<Operation *> loads;
  TimeSplit times = {};
};

} // namespace

static func::FuncOp findKernel(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && isKernel(callee) ? callee : nullptr;
}

static bool isView(Operation *op) {
  return isa<ViewLikeOpInterface, bufferization::ToBufferOp,
             bufferization::ToTensorOp>(op);
}

/// The arguments and constants that all of `value` comes from; a null one if it
/// is computed of something else.
void TimeSplitter::addSources(Value value,
                              SmallVectorImpl<Value> &sources) const {
  Operation *op = value.getDefiningOp();
  if (!op || op->hasTrait<OpTrait::ConstantLike>()) {
    sources.push_back(value);
  } else if (isView(op)) {
    addSources(op->getOperand(0), sources);
  } else if (loads.contains(op)) {
    auto destination = dyn_cast<DestinationStyleOpInterface>(op);
    for (OpOperand &operand : op->getOpOperands())
      if (!destination || destination.isDpsInput(&operand))
        addSources(operand.get(), sources);
  } else {
    sources.push_back(nullptr);
  }
}

PartBytes TimeSplitter::countWeights(func::CallOp call) const {
  PartBytes bytes = {};
  SmallVector<Value> sources;
  for (Value operand : call.getOperands())
    addSources(operand, sources);
  for (Value source : sources) {
    auto weight = weights.find(source);
    if (weight == weights.end())
      continue;
    auto type = dyn_cast<ShapedType>(source.getType());
    if (type && type.hasStaticShape() && type.getRank() > 1)
      bytes[size_t(partOf(weight->second))] +=
          type.getNumElements() * type.getElementTypeBitWidth() / 8;
  }
  return bytes;
}

/// Weights and what follows from them are constants, too.
bool TimeSplitter::isConstant(Value value) const {
  SmallVector<Value> sources;
  addSources(value, sources);
  return llvm::all_of(sources, [&](Value source) {
    return source && (!isa<BlockArgument>(source) || weights.contains(source));
  });
}

/// The matrix that `matrix` is, but for being transposed.
static unsigned findOriginal(const Graph &graph, unsigned matrix) {
  for (const planning::Stage &stage : llvm::reverse(graph.stages))
    if (stage.result == matrix && stage.isTransposition())
      matrix = *stage.source;
  return matrix;
}

/// Whether neither factor of some product is constant.
bool TimeSplitter::multipliesComputed(func::CallOp call) const {
  auto schedule = findKernel(call)->getAttrOfType<ScheduleAttr>(
      TrnDialect::ScheduleAttrHelper::getNameStr());
  if (!schedule)
    return true; // written by hand; asked only if it multiplies
  const Graph &graph = schedule.getGraph();
  // Inputs are the first arguments of a kernel, in their order.
  DenseSet<unsigned> constants;
  unsigned argument = 0;
  for (auto [number, matrix] : llvm::enumerate(graph.matrices))
    if (matrix.role == planning::Role::Input &&
        isConstant(call.getOperand(argument++)))
      constants.insert(number);
  return llvm::any_of(graph.stages, [&](const planning::Stage &stage) {
    return llvm::any_of(stage.terms, [&](const planning::Term &term) {
      return !constants.contains(findOriginal(graph, term.left)) &&
             !constants.contains(findOriginal(graph, term.right));
    });
  });
}

ModelPart TimeSplitter::partOfNoWeights(func::CallOp call,
                                        const CallTime &timed) const {
  const SimulationResult &sum = report.kernels[timed.kernel].metrics.sum;
  if (sum.collectiveBytes > 0)
    return ModelPart::Collectives;
  bool multiplies = sum.executedFlops > 0;
  return multiplies && multipliesComputed(call) ? ModelPart::Attention
                                                : ModelPart::NormsRope;
}

/// What is left over by rounding down goes to the last part.
void TimeSplitter::add(func::CallOp call, const CallTime &timed, int64_t time) {
  PartBytes bytes = countWeights(call);
  const double all = std::accumulate(bytes.begin(), bytes.end(), 0.0);
  std::optional<size_t> last;
  int64_t left = time;
  for (size_t part = 0; part != numModelParts; ++part)
    if (bytes[part]) {
      auto own = int64_t(double(time) * double(bytes[part]) / all);
      times[part] += own;
      left -= own;
      last = part;
    }
  times[last ? *last : size_t(partOfNoWeights(call, timed))] += left;
}

bool TimeSplitter::isKnownCall(func::CallOp call, size_t number) const {
  return number < report.calls.size() &&
         report.kernels[report.calls[number].kernel].name == call.getCallee();
}

TimeSplit TimeSplitter::split(ArrayRef<size_t> likes) {
  SmallVector<func::CallOp> calls;
  if (entry.getBody().hasOneBlock())
    for (auto call : entry.getOps<func::CallOp>())
      if (findKernel(call))
        calls.push_back(call);
  if (!likes.empty())
    calls = llvm::map_to_vector(likes, [&](size_t like) -> func::CallOp {
      return like < calls.size() ? calls[like] : nullptr;
    });
  bool isFollowed = calls.size() == report.calls.size();
  for (auto [number, call] : llvm::enumerate(calls))
    isFollowed = isFollowed && call && isKnownCall(call, number);
  const auto overhead =
      int64_t(std::llround(1e3 * report.machine.kernelOverheadNs));
  for (auto [number, call] : llvm::enumerate(report.calls)) {
    int64_t starting = call.beginsLaunch ? overhead : 0;
    times[size_t(ModelPart::Overhead)] += starting;
    if (isFollowed)
      add(calls[number], call, call.latency - starting);
    else
      times[size_t(ModelPart::Unknown)] += call.latency - starting;
  }
  return times;
}

TimeSplit mlir::trn::splitTime(func::FuncOp entry, const Report &report,
                               ArrayRef<size_t> likes) {
  return TimeSplitter(entry, report).split(likes);
}
