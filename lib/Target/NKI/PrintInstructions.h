//===- PrintInstructions.h - Instructions as text ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_PRINTINSTRUCTIONS_H
#define TRN_LIB_TARGET_NKI_PRINTINSTRUCTIONS_H

#include "OpPrinter.h"

namespace mlir::trn::nki {

/// Print ops of a kernel, one each. They fail with a reason in its `refusal`,
/// which is a rule of docs/NKI.md.

/// Transfers, products, transpositions, and fills.
LogicalResult printMove(PrintedKernel &kernel, Operation *op);
/// Gathers and scatters.
LogicalResult printRows(PrintedKernel &kernel, Operation *op);
/// What engines compute of tiles alone, element by element or to columns.
LogicalResult printElementwise(PrintedKernel &kernel, Operation *op);
/// What they compute of tiles and scalars or columns, and scans.
LogicalResult printScalars(PrintedKernel &kernel, Operation *op);
/// Statistics, searches and shuffles.
LogicalResult printPartitionOp(PrintedKernel &kernel, Operation *op);

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_PRINTINSTRUCTIONS_H
