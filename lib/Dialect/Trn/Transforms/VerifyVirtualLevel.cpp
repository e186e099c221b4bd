//===- VerifyVirtualLevel.cpp - Kernels of trn ops ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyLevel.h"

#include "trn/Decode/IndexAnalysis.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// What was compiled by a schedule is known by names of the schedule.
static LogicalResult verifyNames(Operation *op, const planning::Graph &graph) {
  auto stage =
      op->getAttrOfType<StringAttr>(TrnDialect::StageAttrHelper::getNameStr());
  // virtual_c8
  if (stage && llvm::none_of(graph.stages, [&](const planning::Stage &one) {
        return graph.matrices[one.result].name == stage.getValue();
      }))
    return op->emitOpError("belongs to stage '")
           << stage.getValue()
           << "', but no stage of trn.schedule computes that";
  auto matrix =
      op->getAttrOfType<StringAttr>(TrnDialect::MatrixAttrHelper::getNameStr());
  // virtual_c9
  if (matrix && llvm::none_of(graph.matrices, [&](const planning::Matrix &one) {
        return one.name == matrix.getValue();
      }))
    return op->emitOpError("holds '")
           << matrix.getValue() << "', which is no matrix of trn.schedule";
  return success();
}

static LogicalResult verifyOp(Operation *op, IndexAnalysis &indices,
                              const Machine &machine) {
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](InstructionOpInterface op) { return op.verifyOn(machine); })
      .Case([&](scf::ForOp loop) {
        return success(succeeded(indices.addLoop(loop)));
      })
      .Case([](memref::AllocOp alloc) { return verifyScratch(alloc); })
      .Case<AllocOp, DeallocOp, memref::DeallocOp, scf::YieldOp,
            func::ReturnOp>([](auto) { return success(); })
      .Default([&](Operation *op) -> LogicalResult {
        // virtual_c1
        indices.visit(op);
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
  IndexAnalysis indices;
  auto schedule = kernel->getAttrOfType<ScheduleAttr>(
      TrnDialect::ScheduleAttrHelper::getNameStr());
  WalkResult result =
      kernel.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
        if (failed(verifyOp(op, indices, machine)) ||
            (schedule && failed(verifyNames(op, schedule.getGraph()))))
          return WalkResult::interrupt();
        return WalkResult::advance();
      });
  return failure(result.wasInterrupted());
}
