//===- VerifyVirtualLevel.cpp - Kernels of trn ops ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Transforms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;

/// Computes an index, a condition or a view, and nothing else.
static bool computesAddress(Operation *op) {
  return op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
         llvm::all_of(op->getResultTypes(), [](Type type) {
           return type.isIntOrIndex() || isStaticView(type);
         });
}

static LogicalResult verifyLoop(scf::ForOp loop) {
  // virtual_c2
  if (!getConstantIntValue(loop.getLowerBound()) ||
      !getConstantIntValue(loop.getUpperBound()) ||
      !getConstantIntValue(loop.getStep()))
    return loop.emitOpError(
        "has bounds or a step that are not constant, but "
        "the loops of a kernel run a fixed number of times");
  // virtual_c3
  if (loop.getNumResults() != 0)
    return loop.emitOpError("carries ")
           << loop.getNumResults()
           << " values between iterations, but the loops of a kernel carry "
              "none; what lives longer is in a buffer";
  return success();
}

static LogicalResult verifyScratch(memref::AllocOp alloc) {
  // virtual_c4
  auto space =
      dyn_cast_or_null<MemorySpaceAttr>(alloc.getType().getMemorySpace());
  if (space && space.getValue() == MemorySpace::Hbm)
    return success();
  return alloc.emitOpError("allocates ")
         << alloc.getType()
         << ", but scratch in a kernel is in #trn.mem<hbm>; buffers on chip "
            "come from trn.alloc";
}

static LogicalResult verifyOp(Operation *op, const Machine &machine) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](InstructionOpInterface op) { return op.verifyOn(machine); })
      .Case([](scf::ForOp loop) { return verifyLoop(loop); })
      .Case([](memref::AllocOp alloc) { return verifyScratch(alloc); })
      .Case<AllocOp, DeallocOp, memref::DeallocOp, scf::YieldOp,
            func::ReturnOp>([](auto) { return success(); })
      .Default([](Operation *op) -> LogicalResult {
        // virtual_c1
        if (computesAddress(op))
          return success();
        return op->emitOpError(
            "cannot stand in a kernel at the virtual level, which holds trn "
            "instructions and buffers, static views, scf.for and index "
            "arithmetic");
      });
}

LogicalResult trn::verifyVirtualLevel(func::FuncOp kernel,
                                      const Machine &machine) {
  WalkResult result =
      kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
        return failed(verifyOp(op, machine)) ? WalkResult::interrupt()
                                             : WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}
