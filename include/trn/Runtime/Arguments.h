//===- Arguments.h - What a run reads and writes ----------------*- C++ -*-===//
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

/// The function @`name` of `module`, which may be a kernel or, if `name` is
/// empty, its only public function, or its only function.
FailureOr<func::FuncOp> findEntry(ModuleOp module, StringRef name);

/// How many cores run `entry`: as many as the grid of its module has, or one.
/// Fails if a module has several grids, or one of no static size.
FailureOr<int64_t> countCores(func::FuncOp entry);

/// How the inputs and the results of a function are cut into pieces for cores;
/// null for those that all cores have.
struct EntryShards {
  SmallVector<ShardAttr> inputs, results;
};
EntryShards getShards(func::FuncOp entry);

/// What a function takes and gives back, pieces of all cores put together. The
/// results of a kernel are its trailing arguments that carry `trn.result`.
struct EntrySignature {
  struct Slot {
    HostType type;
    SmallVector<int64_t> shape;
  };
  SmallVector<Slot> inputs;
  SmallVector<Slot> results;
};

/// Fails unless all are tensors or memrefs of static shape in bf16, f16, f32,
/// index (as i64) or an integer; an argument may be a scalar of these types,
/// which has an empty shape.
FailureOr<EntrySignature> getSignature(func::FuncOp entry);

/// Fails if the inputs and results of `entry` together are more than this
/// machine can hold. Linux would promise the memory and kill the process later.
LogicalResult checkMemory(func::FuncOp entry);

/// The tensor in a checkpoint that an argument asks for, by `trn.param`.
std::optional<StringRef> getWeight(func::FuncOp entry, unsigned index);

/// Where the values of one input come from.
struct ArgumentSource {
  enum class Kind { File, Random, Zeros };
  Kind kind = Kind::Random;
  std::string path;
  uint64_t seed = 0;
};

/// Reads `@FILE.npy`, `random:SEED`, `random` or `zeros`.
llvm::Expected<ArgumentSource> parseArgumentSource(StringRef text);

/// Reads `@FILE.npy`, the place of one result; returns the path.
llvm::Expected<std::string> parseResultTarget(StringRef text);

/// Makes the inputs of `entry`. An input with `trn.param` that `weights` (what
/// `WeightSource` opens; may be empty) holds under that name comes from there,
/// the others from `sources` in order; no sources at all means random ones with
/// seed 0. Random inputs have variance 1 / number of rows, the first one 1, so
/// that products keep the size of their operands; integers are 0 or 1.
FailureOr<SmallVector<HostTensor>> bindInputs(func::FuncOp entry,
                                              ArrayRef<ArgumentSource> sources,
                                              StringRef weights);

/// Uninitialised memory for the results of `entry`.
FailureOr<SmallVector<HostTensor>> allocateResults(func::FuncOp entry);

/// Fails unless `paths` is empty or has one entry for each result.
LogicalResult checkTargets(func::FuncOp entry, ArrayRef<std::string> paths);

/// Writes result i to `paths[i]`.
LogicalResult writeResults(func::FuncOp entry, ArrayRef<HostTensor> results,
                           ArrayRef<std::string> paths);

} // namespace mlir::trn

#endif // TRN_RUNTIME_ARGUMENTS_H
