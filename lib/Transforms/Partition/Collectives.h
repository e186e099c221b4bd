//===- Collectives.h - What cores exchange ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_COLLECTIVES_H
#define TRN_LIB_TRANSFORMS_PARTITION_COLLECTIVES_H

#include "Layout.h"

#include "mlir/IR/Builders.h"

namespace mlir::trn {

/// The name of the grid of cores.
constexpr StringLiteral gridName = "cores";

/// Of a tensor that cores have as `have`, what they need as `need`: nothing is
/// split there, or it is one dimension of a sum over all cores. `type` is that
/// of the whole tensor.
Value exchangePieces(OpBuilder &builder, Location loc, Value piece,
                     RankedTensorType type, const Layout &have,
                     const Layout &need, const CoreGrid &grid);

/// Bytes of a tensor of numbers; none of other types, or if nothing says before
/// a run how many it has.
int64_t countBytes(Type type);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_COLLECTIVES_H
