//===- ShareWork.h - Work that a logical core shares ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_SHAREWORK_H
#define TRN_LIB_TRANSFORMS_PARTITION_SHAREWORK_H

#include "Seeds.h"
#include "trn/Machine/Machine.h"

namespace mlir::trn {

/// One split argument, which all else follows, and estimates of the least time:
/// of one core that does all, and of cores that share it.
struct SharedWork {
  BlockArgument argument;
  unsigned dim = 0;
  double aloneNs = 0, ns = 0;
};

/// The split of `func` with which the cores of one logical core take the least
/// time; nothing if `seeds`, or one core alone if they do not split it, take no
/// longer, or if sizes are dynamic.
std::optional<SharedWork> shareWork(func::FuncOp func, int64_t cores,
                                    const Machine &machine, const Seeds &seeds);

/// Replaces the seeds of its function by it.
void setSeed(Seeds &seeds, const SharedWork &work);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_SHAREWORK_H
