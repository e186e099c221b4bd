//===- PartitionFunctions.h - All values of a partition ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_PARTITIONFUNCTIONS_H
#define TRN_LIB_INTERPRETER_PARTITIONFUNCTIONS_H

#include "trn/Program/Formula.h"

#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace mlir::trn {

using PartitionValues = llvm::SmallVector<std::vector<float>, 2>;

/// Why `function` cannot make values of these numbers of values; empty if it
/// can.
std::string checkSizes(PartitionFunction function,
                       llvm::ArrayRef<int64_t> reads,
                       llvm::ArrayRef<int64_t> writes);

/// Fills in `results`, which have their sizes.
void compute(PartitionFunction function, const PartitionValues &values,
             llvm::ArrayRef<float> parameters, PartitionValues &results);

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_PARTITIONFUNCTIONS_H
