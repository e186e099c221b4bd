//===- WidenedWeights.cpp - Weights that loading makes larger -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenedWeights.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Report/Keys.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether the value is known when weights are loaded, if nothing computes it.
static bool isLoaded(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto func = dyn_cast<func::FuncOp>(argument.getOwner()->getParentOp());
    return func && func.getArgAttr(argument.getArgNumber(),
                                   TrnDialect::ParamAttrHelper::getNameStr());
  }
  return value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>();
}

/// The tensors that the host makes `weight` of when it loads them; nothing if
/// it needs something else, too.
static SmallVector<RankedTensorType> findLoaded(Value weight) {
  SmallVector<RankedTensorType> loaded;
  llvm::SetVector<Value> values;
  values.insert(weight);
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (isLoaded(value)) {
      if (auto type = dyn_cast<RankedTensorType>(value.getType()))
        loaded.push_back(type);
      continue;
    }
    Operation *op = value.getDefiningOp();
    if (!op || !isMemoryEffectFree(op))
      return {};
    values.insert_range(op->getOperands());
    getUsedValuesDefinedAbove(op->getRegions(), values);
  }
  return loaded;
}

static std::optional<unsigned> bitsOf(RankedTensorType type) {
  Type element = type.getElementType();
  if (!element.isIntOrFloat())
    return std::nullopt;
  return element.getIntOrFloatBitWidth();
}

void mlir::trn::remarkWidenedWeight(const RegionInput &weight,
                                    StringRef kernel) {
  auto type = cast<RankedTensorType>(weight.value.getType());
  if (weight.use != RegionInput::Use::Weight || !type.hasStaticShape())
    return;
  for (RankedTensorType loaded : findLoaded(weight.value)) {
    // Scales and the like are few.
    if (!loaded.hasStaticShape() ||
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
