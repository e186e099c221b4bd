//===- FactorConstants.h - The factors of constant weights -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_FACTORIZE_FACTORCONSTANTS_H
#define TRN_LIB_FACTORIZE_FACTORCONSTANTS_H

#include "ReplaceWeights.h"
#include "trn/Support/Safetensors.h"

namespace mlir::trn {

/// Why constants of a group have no factors.
using FactorProblems = llvm::DenseMap<const WeightGroup *, std::string>;

/// Makes the factors of all constants of `groups`, from the Gram matrices of
/// their inputs if these are given, and says which groups have none.
FactorProblems factorConstants(MutableArrayRef<FactoredGroup> groups,
                               const std::optional<SafetensorsFile> &grams,
                               unsigned threads);

} // namespace mlir::trn

#endif // TRN_LIB_FACTORIZE_FACTORCONSTANTS_H
