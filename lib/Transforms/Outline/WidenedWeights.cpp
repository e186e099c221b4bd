//===- WidenedWeights.cpp - Weights that loading makes larger -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenedWeights.h"

#include "trn/Report/Keys.h"
#include "trn/Transforms/Normalize/LoadedValues.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::trn;

static std::optional<unsigned> bitsOf(RankedTensorType type) {
  Type element = type.getElementType();
  if (!element.isIntOrFloat())
    return std::nullopt;
  return element.getIntOrFloatBitWidth();
}

void mlir::trn::remarkWidenedWeight(const RegionInput &weight, StringRef kernel,
                                    LoadedValues &known) {
  auto type = cast<RankedTensorType>(weight.value.getType());
  if (weight.use != RegionInput::Use::Weight || !type.hasStaticShape() ||
      !known.contains(weight.value))
    return;
  SmallVector<Value> sources = *findLoaded(weight.value);
  for (Value value : sources) {
    auto loaded = dyn_cast<RankedTensorType>(value.getType());
    // Scales and the like are few.
    if (!loaded || !loaded.hasStaticShape() ||
        loaded.getNumElements() < type.getNumElements() ||
        bitsOf(loaded) >= bitsOf(type))
      continue;
    double times = double(*bitsOf(type)) / *bitsOf(loaded);
    remark::analysis(weight.value.getLoc(), remark::RemarkOpts::name("Weight")
                                                .category("trn-outline-kernels")
                                                .function(kernel))
        << llvm::formatv("stored as {0}: {1} times the bytes of {2}",
                         type.getElementType(), formatValue(times),
                         loaded.getElementType())
               .str();
  }
}
