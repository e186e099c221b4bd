//===- Partition.cpp - Split a model over several cores -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Collectives.h"
#include "FollowDim.h"
#include "Seeds.h"
#include "ShareWork.h"
#include "WeightNames.h"
#include "WritePieces.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/MachineIO.h"
#include "trn/Transforms/Partition/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallSet.h"

#include <set>

namespace mlir::trn {
#define GEN_PASS_DEF_PARTITION
#include "trn/Transforms/Partition/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

StringRef mlir::trn::stringify(PartitionScheme scheme) {
  switch (scheme) {
  case PartitionScheme::Column:
    return "column";
  case PartitionScheme::Gather:
    return "gather";
  case PartitionScheme::Reduce:
    return "reduce";
  }
  llvm_unreachable("unknown scheme");
}

static remark::RemarkOpts remarkOn(func::FuncOp func, StringRef name) {
  return remark::RemarkOpts::name(name)
      .category("trn-partition")
      .function(func.getName());
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// The first op that reads what was gathered, behind the padding that it loses.
static StringRef findReader(Value gathered) {
  if (gathered.use_empty())
    return "nothing";
  Operation *reader = *gathered.user_begin();
  for (Operation *user : gathered.getUsers())
    if (user->isBeforeInBlock(reader))
      reader = user;
  if (isa<tensor::ExtractSliceOp>(reader) && gathered.hasOneUse())
    return findReader(reader->getResult(0));
  return reader->getName().getStringRef();
}

/// Says what the cores exchange.
static void remarkCollectives(func::FuncOp func, int64_t cores,
                              PartitionScheme scheme) {
  int64_t reduces = 0, gathers = 0, scatters = 0, bytes = 0;
  for (Operation &op : func.front()) {
    if (auto reduce = dyn_cast<shard::AllReduceOp>(op)) {
      ++reduces;
      bytes += countBytes(reduce.getInput().getType());
    } else if (auto scatter = dyn_cast<shard::ReduceScatterOp>(op)) {
      ++scatters;
      bytes += countBytes(scatter.getInput().getType());
    } else if (auto gather = dyn_cast<shard::AllGatherOp>(op)) {
      ++gathers;
      bytes += countBytes(gather.getType());
      remark::missed(op.getLoc(), remarkOn(func, "Gathered"))
          << remark::metric("bytes", countBytes(gather.getType()))
          << remark::reason("{0} needs all of dimension {1}",
                            findReader(gather.getResult()),
                            gather.getGatherAxis());
    }
  }
  remark::passed(func.getLoc(), remarkOn(func, "Partitioned"))
      << remark::metric("cores", cores)
      << remark::metric("scheme", stringify(scheme))
      << remark::metric("all_reduces", reduces)
      << remark::metric("all_gathers", gathers)
      << remark::metric("reduce_scatters", scatters)
      << remark::metric("bytes", bytes);
}

/// The cores of a logical one were tried with any split.
static void remarkUnsplit(func::FuncOp func, bool isTried) {
  remark::missed(func.getLoc(), remarkOn(func, "NotPartitioned"))
      << remark::reason("no argument is a weight that trn.param names, and "
                        "none has trn.shard{0}",
                        isTried ? "; no split of static sizes takes less time "
                                  "than one core"
                                : "");
}

static void remarkShared(func::FuncOp func, const SharedWork &work) {
  remark::passed(func.getLoc(), remarkOn(func, "Shared"))
      << remark::metric("argument", int64_t(work.argument.getArgNumber()))
      << remark::metric("dim", int64_t(work.dim))
      << remark::metric("bound_ns", int64_t(work.ns))
      << remark::metric("alone_bound_ns", int64_t(work.aloneNs));
}

static void remarkWholeWeights(func::FuncOp func,
                               const Propagation &propagation) {
  for (auto [weight, op] : propagation.getWholeWeights()) {
    unsigned number = cast<BlockArgument>(weight).getArgNumber();
    auto name = func.getArgAttrOfType<StringAttr>(
        number, TrnDialect::ParamAttrHelper::getNameStr());
    remark::missed(op->getLoc(), remarkOn(func, "Whole"))
        << remark::metric("argument", int64_t(number))
        << remark::metric("param", name ? name.getValue() : "")
        << remark::reason("{0} reads it with a tensor that cores do not share",
                          op->getName().getStringRef());
  }
}

/// Says for each kind of matrix of an MLP up to which rank its factors have
/// less FLOPs on a core than it has as one matrix.
static void remarkRanks(func::FuncOp func, int64_t cores,
                        PartitionScheme scheme) {
  // The inner size of an MLP is shared; the other one is that of the model.
  using Sizes = std::pair<int64_t, int64_t>;
  llvm::StringMap<Sizes> known;
  std::set<std::tuple<StringRef, int64_t, int64_t>> said;
  for (BlockArgument argument : func.getArguments()) {
    auto name = func.getArgAttrOfType<StringAttr>(
        argument.getArgNumber(), TrnDialect::ParamAttrHelper::getNameStr());
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    auto parsed = name ? WeightName::parse(name) : std::nullopt;
    if (!parsed || !parsed->isOfMlp() || !type || !type.hasStaticShape() ||
        type.getRank() != 2 || parsed->part == WeightName::Part::Bias)
      continue;
    int64_t in = type.getDimSize(findWeightDim(argument, true));
    int64_t out = type.getDimSize(findWeightDim(argument, false));
    std::string module = name.getValue().rsplit('.').first.str();
    bool isDense = parsed->part == WeightName::Part::Dense;
    std::optional<int64_t> rank;
    if (parsed->part == WeightName::Part::First) {
      known[StringRef(module).drop_back(strlen("_v_proj"))] = {in, out};
      continue;
    }
    if (!isDense) {
      auto first = known.find(StringRef(module).drop_back(strlen("_u_proj")));
      if (first == known.end())
        continue;
      rank = in;
      in = first->second.first;
    }
    auto [model, inner] =
        parsed->isWidening() ? Sizes(in, out) : Sizes(out, in);
    int64_t ownInner = (inner + cores - 1) / cores;
    int64_t breakEven = scheme == PartitionScheme::Column
                            ? model * ownInner / (model + ownInner)
                            : model * inner / (model + inner);
    if (!said.insert({parsed->matrix, model, rank.value_or(0)}).second)
      continue;
    auto remark = remark::analysis(func.getLoc(), remarkOn(func, "Rank"));
    remark << remark::metric("matrix", parsed->matrix)
           << remark::metric("break_even_rank", breakEven);
    if (rank)
      remark << remark::metric("rank", *rank);
  }
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether what `func` names is one MLP without factors. Nobody asks for its
/// split, and other layers do not depend on it.
static bool isOneMlp(func::FuncOp func) {
  llvm::SmallSet<StringRef, 4> found;
  for (unsigned number = 0; number < func.getNumArguments(); ++number) {
    if (func.getArgAttr(number, TrnDialect::ShardAttrHelper::getNameStr()))
      return false;
    auto name = func.getArgAttrOfType<StringAttr>(
        number, TrnDialect::ParamAttrHelper::getNameStr());
    auto parsed = name ? WeightName::parse(name) : std::nullopt;
    if (!parsed || parsed->part == WeightName::Part::Bias || parsed->isScale)
      continue;
    const bool isFirst = found.insert(parsed->matrix).second;
    if (!isFirst || !parsed->isOfMlp() ||
        parsed->part != WeightName::Part::Dense)
      return false;
  }
  return true;
}

namespace {
struct Partition : trn::impl::PartitionBase<Partition> {
  using Base::Base;

  void runOnOperation() final;

private:
  FailureOr<Machine> chooseMachine();
  SmallVector<func::FuncOp> findFunctions();
};
} // namespace

/// Those that run on their own: what others call takes what they have.
SmallVector<func::FuncOp> Partition::findFunctions() {
  SmallVector<func::FuncOp> found;
  for (auto func : getOperation().getOps<func::FuncOp>())
    if (llvm::hasSingleElement(func.getBody()) &&
        SymbolTable::symbolKnownUseEmpty(func, getOperation()))
      found.push_back(func);
  return found;
}

/// The machine of the module, with the logical cores that are asked for. Fails
/// with an error.
FailureOr<Machine> Partition::chooseMachine() {
  ModuleOp module = getOperation();
  FailureOr<Machine> machine = getMachine(module);
  if (failed(machine))
    return failure();
  if (lnc < 0)
    return module.emitError("trn-partition: lnc cannot be negative, but is ")
           << int64_t(lnc);
  if (lnc > 0)
    machine->lnc = lnc;
  if (llvm::Error error = verifyMachine(*machine, "trn-partition"))
    return module.emitError(llvm::toString(std::move(error)));
  return machine;
}

void Partition::runOnOperation() {
  ModuleOp module = getOperation();
  FailureOr<Machine> machine = chooseMachine();
  if (failed(machine))
    return signalPassFailure();
  // Sizes times cores are numbers.
  const int64_t most = (1 << 16) / machine->coresOf(1);
  if (logicalCores < 1 || logicalCores > most) {
    module.emitError("trn-partition: cores must be from 1 to ")
        << most << ", but is " << int64_t(logicalCores);
    return signalPassFailure();
  }
  const int64_t cores = machine->coresOf(logicalCores);
  if (cores == 1)
    return;
  if (Operation *present = module.lookupSymbol(gridName)) {
    auto grid = dyn_cast<shard::GridOp>(present);
    // Nobody asks for others.
    if (grid && logicalCores == 1 && lnc == 0)
      return;
    if (grid && grid.getShape() == ArrayRef<int64_t>(cores))
      return; // It is done.
    present->emitError("trn-partition: '@")
        << gridName << "' is there already and is no grid of " << cores
        << "; partition the module from before it was added, or rename it";
    return signalPassFailure();
  }
  SmallVector<func::FuncOp> functions = findFunctions();
  for (func::FuncOp func : functions)
    separateTiedHead(func);
  FailureOr<Seeds> seeds = findSeeds(functions, cores, scheme);
  if (failed(seeds))
    return signalPassFailure();
  for (func::FuncOp func : functions) {
    const bool isSplit = seeds->split(func);
    if (isSplit && !isOneMlp(func))
      continue;
    // What has no names is work of one logical core, and so is one layer.
    const bool isOneCore = logicalCores == 1;
    std::optional<SharedWork> work;
    if (isOneCore)
      work = shareWork(func, cores, *machine, *seeds);
    if (work) {
      remarkShared(func, *work);
      setSeed(*seeds, *work);
    } else if (!isSplit) {
      remarkUnsplit(func, isOneCore);
    }
  }
  if (llvm::none_of(functions, [&](auto func) { return seeds->split(func); }))
    return;
  // All of them read HBM, which some share.
  if (Machine own = machine->ofCores(cores);
      lnc > 0 ||
      own.dmaSustainedGBPerSecond() != machine->dmaSustainedGBPerSecond())
    setMachine(module, own);
  auto builder = OpBuilder::atBlockBegin(module.getBody());
  shard::GridOp::create(builder, module.getLoc(), gridName,
                        ArrayRef<int64_t>(cores));
  for (func::FuncOp func : functions) {
    if (!seeds->split(func))
      continue;
    remarkRanks(func, cores, scheme);
    Propagation propagation(func, *seeds);
    propagation.run();
    remarkWholeWeights(func, propagation);
    writePieces(func, propagation);
    remarkCollectives(func, cores, scheme);
  }
}
