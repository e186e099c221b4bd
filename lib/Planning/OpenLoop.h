//===- OpenLoop.h - A loop around nests, while it runs ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_OPENLOOP_H
#define TRN_LIB_PLANNING_OPENLOOP_H

#include "Homes.h"
#include "Masks.h"
#include "llvm/Support/SaveAndRestore.h"

namespace mlir::trn::planning {

/// The loop at `depth` of a group of nests, while these run. If iterations
/// differ, each is written out, and homes inside of the loop take turns.
class OpenLoop {
public:
  OpenLoop(NestRange group, unsigned depth, const Extents &extents, Loop loop,
           Homes &homes, Masks &masks);
  ~OpenLoop() {
    if (!isLoop())
      homes.endRotation(depth + 1);
  }
  OpenLoop(const OpenLoop &) = delete;
  OpenLoop &operator=(const OpenLoop &) = delete;

  /// The block at `index`; the last one may be smaller.
  Extents at(const LinearExpr &index) const {
    Extents inner = iteration(extents, loop, index);
    return followsBand ? masks.followBand(std::move(inner)) : inner;
  }
  void beginIteration() {
    if (followsBand && depth == 0)
      homes.emit->enterStrip();
  }
  bool isLoop() const { return !followsBand && !homes.emit.isWrittenOut; }
  int64_t fullBlocks() const { return extents[loop.dim].size / loop.block; }
  int64_t blocks() const {
    return llvm::divideCeilSigned(extents[loop.dim].size, loop.block);
  }

  const unsigned depth;
  const Extents &extents;
  const Loop loop;

private:
  Homes &homes;
  Masks &masks;
  const bool followsBand;
  llvm::SaveAndRestore<bool> leavingOut, writingOut;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_OPENLOOP_H
