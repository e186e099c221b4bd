//===- Arguments.h - Inputs and outputs of a run ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUNTIME_ARGUMENTS_H
#define TRN_RUNTIME_ARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Support/HostTensor.h"

namespace mlir::trn {

/// The function @`name` of `module`, which may be a kernel. If `name` is empty,
/// its only public function, or its only function.
FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef name);

/// The number of cores that run `entry`: the size of its module's grid, or one.
/// Fails if a module has several grids, one of dynamic size, or breaks this:
/// - `cores_c7`: the number of pieces of a tensor divides that of the cores
FailureOr<int64_t> countCores(func::FuncOp entry);

/// How inputs and results are split over cores; null for those that all cores
/// have.
struct EntryShards {
  SmallVector<ShardAttr> inputs, results;
};
EntryShards getShards(func::FuncOp entry);

/// Inputs and results of a function, with the pieces of all cores together.
/// Results of a kernel are its trailing arguments with `trn.result`.
struct EntrySignature {
  struct Slot {
    HostType type;
    SmallVector<int64_t> shape;
  };
  SmallVector<Slot> inputs;
  SmallVector<Slot> results;
};

/// The type of host tensors of an element type; nothing if there is none.
std::optional<HostType> getHostType(Type type);

/// Fails unless all are tensors or memrefs of static shape in bf16, f16, f32,
/// index (as i64) or an integer. An argument may also be a scalar of these
/// types, with an empty shape.
FailureOr<EntrySignature> getSignature(func::FuncOp entry);

/// Fails if inputs and results of `entry` exceed the memory of this machine.
/// Linux would promise it and kill the process later.
LogicalResult checkMemory(func::FuncOp entry);

/// Positions of the arguments of `entry` that are inputs.
SmallVector<unsigned> getInputs(func::FuncOp entry);

/// The name of an argument's tensor in a checkpoint: `trn.param`.
std::optional<StringRef> getWeight(func::FuncOp entry, unsigned index);

/// The source of one input's values.
struct ArgumentSource {
  enum class Kind { File, Random, Zeros };
  Kind kind = Kind::Random;
  std::string path;
  uint64_t seed = 0;
};

/// Reads `@FILE.npy`, `random:SEED`, `random` or `zeros`.
llvm::Expected<ArgumentSource> parseArgumentSource(StringRef text);

/// Reads `@FILE.npy`, the file for one result; returns the path.
llvm::Expected<std::string> parseResultTarget(StringRef text);

/// Makes the inputs of `entry`. If `weights` (opened by `WeightSource`; may be
/// empty) has the `trn.param` of an input, the value comes from there. The
/// others come from `sources` in order, or are random with seed 0 if there are
/// none. The first random input has variance 1, all others 1 / number of rows,
/// so that products keep the size of their operands; integers are 0 or 1.
FailureOr<SmallVector<HostTensor>> bindInputs(func::FuncOp entry,
                                              ArrayRef<ArgumentSource> sources,
                                              StringRef weights);

/// Uninitialised memory for the results of `entry`.
FailureOr<SmallVector<HostTensor>> allocateResults(func::FuncOp entry);

/// Fails unless `paths` is empty or has one entry per result.
LogicalResult checkTargets(func::FuncOp entry, ArrayRef<std::string> paths);

/// Writes result i to `paths[i]`.
LogicalResult writeResults(func::FuncOp entry, ArrayRef<HostTensor> results,
                           ArrayRef<std::string> paths);

} // namespace mlir::trn

#endif // TRN_RUNTIME_ARGUMENTS_H
