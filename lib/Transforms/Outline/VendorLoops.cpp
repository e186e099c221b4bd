//===- VendorLoops.cpp - Products as the vendor's tutorial does -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VendorLoops.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Search/BlockedPlan.h"
#include "trn/Transforms/Lower/KernelGraph.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether `weight` is made of a parameter with `part` in its name.
static bool isNamed(Value weight, StringRef part) {
  if (part.empty())
    return true;
  auto hasPart = [&](Value loaded) {
    auto argument = dyn_cast<BlockArgument>(loaded);
    if (!argument)
      return false;
    auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    auto name = func.getArgAttrOfType<StringAttr>(
        argument.getArgNumber(), TrnDialect::ParamAttrHelper::getNameStr());
    return name && name.getValue().contains(part);
  };
  std::optional<SmallVector<Value>> loaded = findLoaded(weight);
  return loaded && llvm::any_of(*loaded, hasPart);
}

void mlir::trn::setApart(Products &products, StringRef part) {
  for (Product &product : llvm::make_second_range(products))
    product.isApart =
        product.batches.empty() && isNamed(product.rhs.tensor, part);
}

static TrnDialect::ScheduleAttrHelper scheduleOf(func::FuncOp kernel) {
  return kernel.getContext()
      ->getLoadedDialect<TrnDialect>()
      ->getScheduleAttrHelper();
}

void mlir::trn::planVendorLoops(func::FuncOp kernel, Operation *op,
                                const Machine &machine) {
  auto plan = [&]() -> llvm::Expected<planning::Schedule> {
    llvm::Expected<KernelGraph> source = readKernel(kernel);
    if (!source)
      return source.takeError();
    return search::blockedPlan(source->graph, machine);
  };
  llvm::Expected<planning::Schedule> found = plan();
  if (found)
    scheduleOf(kernel).setAttr(
        kernel,
        ScheduleAttr::get(kernel.getContext(), found->graph, found->plan));
  else
    emitRemark(op->getLoc(), "not in the loops of nki-xw: ")
        << llvm::toString(found.takeError());
}

bool mlir::trn::haveEqualPlans(func::FuncOp kernel, func::FuncOp other) {
  return scheduleOf(kernel).getAttr(kernel) == scheduleOf(other).getAttr(other);
}
