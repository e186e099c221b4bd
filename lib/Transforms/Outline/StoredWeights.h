//===- StoredWeights.h - Weights that are stored in 8 bits ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_STOREDWEIGHTS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_STOREDWEIGHTS_H

#include "KernelRegion.h"

namespace mlir::trn {

/// What widens the weight of `product`, and nothing else reads, if that is
/// stored in 8 bits. The kernel does it: HBM then holds, and the DMA moves,
/// half of the bytes.
linalg::GenericOp findWidening(const Product &product);

/// `member`, a product, behind what widens its weight.
SmallVector<RegionOp> withWidening(const RegionOp &member);

/// Where the host turns weights, it turns them as they are stored.
void turnStoredWeights(Products &products);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_STOREDWEIGHTS_H
