//===- CoreMeeting.h - What cores do with a tensor --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_COREMEETING_H
#define TRN_LIB_TRANSFORMS_OUTLINE_COREMEETING_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/IR/SymbolTable.h"

namespace mlir::trn {

/// An op of the Shard dialect as one instruction of all cores of its grid.
struct CoreMeeting {
  enum class Kind { AllReduce, AllGather, ReduceScatter, AllToAll, Permute };

  Kind kind;
  MemRefType from, to;
  /// Of each group.
  int64_t cores;
  /// All but Permute: all cores, group by group; none: one group, in order.
  SmallVector<int64_t, 0> groups = {};
  /// Of AllReduce and ReduceScatter.
  ReduceFunction function = ReduceFunction::Add;
  /// Of AllGather, ReduceScatter, and AllToAll: split, concat.
  SmallVector<int64_t, 2> dims = {};
  /// Of Permute: by core, the one whose tensor it gets; -1 for none.
  SmallVector<int64_t, 0> sources = {};

  /// Whether each core keeps what it has, since it is alone.
  bool movesNothing() const {
    if (kind == Kind::Permute)
      return llvm::all_of(llvm::enumerate(sources), [](auto source) {
        return int64_t(source.index()) == source.value();
      });
    return cores == 1 && from == to;
  }

  bool operator==(const CoreMeeting &other) const {
    return std::tie(kind, from, to, cores, groups, function, dims, sources) ==
           std::tie(other.kind, other.from, other.to, other.cores, other.groups,
                    other.function, other.dims, other.sources);
  }
};

/// What `op` asks for; an error says why no instruction does it. Of a root only
/// the result counts, so that of others may be anything: a gather or reduction
/// to a root is one to all.
FailureOr<CoreMeeting> describeMeeting(Operation *op, SymbolTable &symbols);

/// Replaces a `shard.scatter` by an exchange of pieces, which it returns, of
/// which each core keeps the root's. Fails with an error.
FailureOr<Operation *> rewriteScatter(Operation *op, SymbolTable &symbols);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_COREMEETING_H
