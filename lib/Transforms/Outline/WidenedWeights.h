//===- WidenedWeights.h - Weights that loading makes larger -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_WIDENEDWEIGHTS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_WIDENEDWEIGHTS_H

#include "KernelRegion.h"

namespace mlir::trn {

class LoadedValues;

/// Says of `weight`, which `kernel` reads, if the host makes it of narrower
/// constants or parameters, how many times their bytes are read.
void remarkWidenedWeight(const RegionInput &weight, StringRef kernel,
                         LoadedValues &known);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_WIDENEDWEIGHTS_H
