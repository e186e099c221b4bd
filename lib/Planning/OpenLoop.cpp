//===- OpenLoop.cpp - A loop around nests, while it runs ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpenLoop.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

OpenLoop::OpenLoop(NestRange group, unsigned depth, const Extents &extents,
                   Loop loop, Homes &homes, Masks &masks)
    : depth(depth), extents(extents), loop(loop), homes(homes), masks(masks),
      followsBand(masks.followsBand(group, depth, extents)),
      leavingOut(masks.leavesOut,
                 masks.leavesOut || (followsBand && masks.hasMadeMask())),
      writingOut(homes.emit.isWrittenOut,
                 homes.emit.isWrittenOut || masks.leavesOut) {
  if (!isLoop())
    homes.beginRotation(group, depth + 1,
                        cut(extents, loop.dim, 0,
                            std::min(loop.block, extents[loop.dim].size)));
}
