//===- VerifyTiles.h - Rules that families of ops share ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_DIALECT_TRN_IR_VERIFYTILES_H
#define TRN_LIB_DIALECT_TRN_IR_VERIFYTILES_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::trn {

/// `a` and `b` have equal shapes; the names are those of the operands.
LogicalResult verifySameShape(Operation *op, StringRef aName, Value a,
                              StringRef bName, Value b);

/// A tile of a compute engine spans at most all partitions.
LogicalResult verifyPartitions(Operation *op, StringRef name, Value tile);

/// `count` values for each partition of `tile`.
LogicalResult verifyColumn(Operation *op, StringRef name, Value column,
                           StringRef tileName, Value tile, int64_t count = 1);

/// The free size of a tile is `least` to `most`.
LogicalResult verifyFreeSize(Operation *op, StringRef name, Value tile,
                             int64_t least, int64_t most);

/// What a function takes beside a tile: either a constant or `scalars`.
/// `behind` says which of several.
LogicalResult verifyScalar(Operation *op, StringRef behind, bool hasConstant,
                           Value scalars);

/// A fold has a function and `sums`, and accumulates only then.
LogicalResult verifyFold(Operation *op, bool hasFunction, Value sums,
                         bool accumulates);

/// At most one of two inputs is in PSUM, which has one port.
LogicalResult verifyOneInPsum(Operation *op, Value a, Value b);

/// The chosen engine is one of those that can execute the op.
LogicalResult verifyEngine(Operation *op);

/// Attaches a note that says what `name` is and where it comes from.
InFlightDiagnostic &noteOperand(InFlightDiagnostic &diagnostic, StringRef name,
                                Value value);

} // namespace mlir::trn

#endif // TRN_LIB_DIALECT_TRN_IR_VERIFYTILES_H
