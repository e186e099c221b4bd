//===- RunCores.cpp - Cores that run together -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Core.h"
#include "Pieces.h"

#include "trn/Interpreter/CoreGroup.h"
#include "trn/Runtime/Arguments.h"

#include <cstring>
#include <map>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace mlir::trn;

namespace {

/// The tensors of one side of a run, as a core has them.
class CoreTensors {
public:
  CoreTensors(StringRef kind, ArrayRef<ShardAttr> shards,
              MutableArrayRef<HostTensor> whole, int64_t cores)
      : kind(kind), shards(shards), whole(whole), cores(cores) {}

  /// Gives core `rank` its piece of each tensor, or, where there are none and
  /// it need not have its `own`, the tensor itself. It may have `pieces`.
  llvm::Error take(int64_t rank, ArrayRef<bool> own,
                   std::map<size_t, HostTensor> *pieces = nullptr);
  /// Hands what this core has of tensor `index` to all others. If it `keeps`
  /// it, puts the pieces together. Returns what is wrong if what has no pieces
  /// is not the same everywhere, or if some core does not come.
  std::optional<std::string> collect(size_t index, CoreGroup &group,
                                     bool keeps);

  ArrayRef<HostTensor *> get() const { return tensors; }

private:
  Piece pieceOf(size_t index, int64_t rank) const {
    return {shards[index], shards[index].getPiece(rank, cores)};
  }

  StringRef kind;
  ArrayRef<ShardAttr> shards;
  MutableArrayRef<HostTensor> whole;
  int64_t cores;
  SmallVector<std::unique_ptr<HostTensor>> owned;
  SmallVector<HostTensor *> tensors;
};

/// Keeps what threads say until it is known who is at fault.
class DiagnosticsByThread {
public:
  explicit DiagnosticsByThread(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          std::lock_guard<std::mutex> lock(mutex);
          kept[std::this_thread::get_id()].push_back(std::move(diagnostic));
          return success();
        }) {}

  std::vector<Diagnostic> take(std::thread::id thread) {
    return std::move(kept[thread]);
  }

private:
  std::mutex mutex;
  std::map<std::thread::id, std::vector<Diagnostic>> kept;
  ScopedDiagnosticHandler handler;
};

} // namespace

static llvm::Expected<HostTensor> copyTensor(const HostTensor &tensor) {
  llvm::Expected<HostTensor> copy =
      HostTensor::create(tensor.getType(), tensor.getShape());
  if (copy)
    std::memcpy(copy->data(), tensor.data(), tensor.numBytes());
  return copy;
}

llvm::Error CoreTensors::take(int64_t rank, ArrayRef<bool> own,
                              std::map<size_t, HostTensor> *pieces) {
  for (auto [index, tensor] : llvm::enumerate(whole)) {
    if (pieces && pieces->count(index)) {
      tensors.push_back(&pieces->find(index)->second);
      continue;
    }
    if (!shards[index] && !own[index]) {
      tensors.push_back(&tensor);
      continue;
    }
    llvm::Expected<HostTensor> mine =
        shards[index] ? takePiece(tensor, pieceOf(index, rank))
                      : copyTensor(tensor);
    if (!mine)
      return mine.takeError();
    owned.push_back(std::make_unique<HostTensor>(std::move(*mine)));
    tensors.push_back(owned.back().get());
  }
  return llvm::Error::success();
}

std::optional<std::string> CoreTensors::collect(size_t index, CoreGroup &group,
                                                bool keeps) {
  const HostTensor &own = *tensors[index];
  std::optional<std::pair<int64_t, int64_t>> unlike;
  auto combine = [&](CoreGroup::Parts parts) {
    std::map<int64_t, int64_t> firstOf; // the first core, by piece
    for (auto [rank, part] : llvm::enumerate(parts)) {
      const int64_t number = shards[index] ? pieceOf(index, rank).number : 0;
      auto [first, isNew] = firstOf.try_emplace(number, rank);
      if (!isNew && !unlike &&
          std::memcmp(part, parts[first->second], own.numBytes()) != 0)
        unlike = {first->second, rank};
      if (isNew && keeps && shards[index])
        putPiece(part, pieceOf(index, rank), whole[index]);
      else if (isNew && keeps)
        std::memcpy(whole[index].data(), part, own.numBytes());
    }
  };
  CoreGroup::Meeting end{("the end of the run, with " + kind + " " +
                          Twine(index) + " of " + Twine(own.numBytes()) +
                          " bytes")
                             .str(),
                         "of this function"};
  if (auto problem = group.meet(end, static_cast<const char *>(own.data()),
                                own.numBytes(), combine))
    return problem;
  // cores_c3
  if (unlike)
    return (kind + " " + Twine(index) +
            (shards[index] ? " has one piece on cores "
                           : " has no pieces, but is not the same on cores ") +
            Twine(unlike->first) + " and " + Twine(unlike->second) +
            (shards[index] ? ", but it is not the same" : "") +
            "; it may lack an all_reduce")
        .str();
  return std::nullopt;
}

static InFlightDiagnostic failAt(func::FuncOp entry, int64_t rank,
                                 int64_t count, const std::string &problem) {
  return entry.emitError() << "@" << entry.getSymName() << " on core " << rank
                           << " of " << count << ": " << problem;
}

/// The core whose errors say most: that of the first one which failed by
/// itself.
static size_t findFault(ArrayRef<std::unique_ptr<Core>> cores,
                        ArrayRef<LogicalResult> outcomes) {
  std::optional<size_t> found;
  for (auto [index, outcome] : llvm::enumerate(outcomes)) {
    if (succeeded(outcome))
      continue;
    if (!cores[index]->run.hasLostOthers)
      return index;
    if (!found)
      found = index;
  }
  return *found;
}

LogicalResult trn::loadCore(func::FuncOp entry, Core &core, int64_t rank,
                            int64_t count, MutableArrayRef<HostTensor> inputs) {
  EntryShards shards = getShards(entry);
  core.pieces.clear();
  llvm::Error error = llvm::Error::success();
  for (auto [index, shard] : llvm::enumerate(shards.inputs)) {
    if (!shard || !core.isWeight[index])
      continue;
    llvm::Expected<HostTensor> piece =
        takePiece(inputs[index], {shard, shard.getPiece(rank, count)});
    if (piece)
      core.pieces.emplace(index, std::move(*piece));
    else
      error = llvm::joinErrors(std::move(error), piece.takeError());
  }
  CoreTensors own("argument", shards.inputs, inputs, count);
  error = llvm::joinErrors(std::move(error),
                           own.take(rank, core.mayWrite, &core.pieces));
  if (error)
    return failAt(entry, rank, count, llvm::toString(std::move(error)));
  return core.load(own.get());
}

LogicalResult trn::runCore(func::FuncOp entry, Core &core, CoreGroup &group,
                           MutableArrayRef<HostTensor> inputs,
                           MutableArrayRef<HostTensor> results,
                           MutableArrayRef<KernelSnapshot> snapshots,
                           bool keeps) {
  EntryShards shards = getShards(entry);
  CoreTensors ownInputs("argument", shards.inputs, inputs, group.size()),
      ownResults("result", shards.results, results, group.size());
  auto fail = [&](const std::string &problem) {
    return failAt(entry, group.rank(), group.size(), problem);
  };
  if (!core.isLoaded() &&
      failed(loadCore(entry, core, group.rank(), group.size(), inputs)))
    return failure();
  const SmallVector<bool> all(results.size(), true);
  if (llvm::Error error = llvm::joinErrors(
          ownInputs.take(group.rank(), core.mayWrite, &core.pieces),
          ownResults.take(group.rank(), all)))
    return fail(llvm::toString(std::move(error)));
  core.run.options.cores = &group;
  if (failed(core.execute(ownInputs.get(), ownResults.get(), snapshots)))
    return failure();
  for (CoreTensors *tensors : {&ownInputs, &ownResults})
    for (size_t index = 0; index < tensors->get().size(); ++index)
      if (tensors == &ownResults || core.mayWrite[index])
        if (auto problem = tensors->collect(index, group, keeps)) {
          core.run.hasLostOthers = true;
          return fail(*problem);
        }
  return success();
}

LogicalResult trn::runCores(func::FuncOp entry,
                            ArrayRef<std::unique_ptr<Core>> cores,
                            MutableArrayRef<HostTensor> inputs,
                            MutableArrayRef<HostTensor> results,
                            MutableArrayRef<KernelSnapshot> snapshots) {
  std::vector<std::unique_ptr<CoreGroup>> group = makeCoreGroup(cores.size());
  SmallVector<LogicalResult> outcomes(cores.size(), failure());
  std::vector<Diagnostic> said;
  {
    DiagnosticsByThread diagnostics(entry.getContext());
    std::vector<std::thread> threads;
    for (size_t rank = 0; rank < cores.size(); ++rank)
      threads.emplace_back([&, rank] {
        bool isFirst = rank == 0;
        outcomes[rank] = runCore(
            entry, *cores[rank], *group[rank], inputs, results,
            isFirst ? snapshots : MutableArrayRef<KernelSnapshot>(), isFirst);
        group[rank]->leave();
      });
    SmallVector<std::thread::id> ids;
    for (std::thread &thread : threads) {
      ids.push_back(thread.get_id());
      thread.join();
    }
    if (llvm::any_of(outcomes, failed))
      said = diagnostics.take(ids[findFault(cores, outcomes)]);
  }
  for (Diagnostic &diagnostic : said)
    entry.getContext()->getDiagEngine().emit(std::move(diagnostic));
  return failure(llvm::any_of(outcomes, failed));
}
