//===- WeightValues.h - The values of constant weights ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_FACTORIZE_WEIGHTVALUES_H
#define TRN_LIB_FACTORIZE_WEIGHTVALUES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/Error.h"

namespace mlir::trn {

/// The name of the resource that holds `values`, if one does.
std::optional<StringRef> getResourceName(ElementsAttr values);

/// The values of a constant of bf16, f16 or f32 in row-major order; fails, with
/// the reason, if they are not known or not finite.
llvm::Expected<std::vector<float>> readWeight(ElementsAttr values);

/// A constant of `type` with `values`, rounded to nearest even: a resource of
/// about this name if `isResource`. Fails if they do not fit the type.
llvm::Expected<ElementsAttr> makeWeight(RankedTensorType type,
                                        ArrayRef<float> values, bool isResource,
                                        StringRef name);

} // namespace mlir::trn

#endif // TRN_LIB_FACTORIZE_WEIGHTVALUES_H
