//===- VerifyLevel.cpp - What may cross from one stage to the next --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each stage of compilation relies on what the one before leaves. The rules are
// written down here and not in the passes, so that a pipeline, or a person who
// writes IR by hand, learns of a fault at the border and not three passes
// later.
//
//===----------------------------------------------------------------------===//

#include "VerifyLevel.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Dialect/Trn/Transforms/Transforms.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

namespace mlir::trn {
#define GEN_PASS_DEF_VERIFYLEVEL
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

//===----------------------------------------------------------------------===//
// Kernels and host code
//===----------------------------------------------------------------------===//

/// A plain memref in HBM, as kernels take it from host code.
static bool isKernelArgument(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  return memref && !memref.getMemorySpace() && isStaticView(memref) &&
         memref.getLayout().isIdentity() &&
         getElementType(memref.getElementType());
}

static LogicalResult verifySignature(func::FuncOp kernel) {
  // kernel_c1
  if (!kernel.isPrivate())
    return kernel.emitOpError(
        "a kernel is private, but this one is visible from other modules");
  // kernel_c2
  if (kernel.getNumResults() != 0)
    return kernel.emitOpError("a kernel returns nothing, but this one returns ")
           << kernel.getNumResults()
           << " values; its results are trailing arguments with trn.result";
  // kernel_c3
  for (auto [index, type] : llvm::enumerate(kernel.getArgumentTypes()))
    if (!isKernelArgument(type))
      return kernel.emitOpError("argument #")
             << index << " is " << type
             << ", but a kernel takes contiguous static memrefs of bf16, f16 "
                "or f32 without a memory space";
  // kernel_c4
  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  for (unsigned i = 1; i < kernel.getNumArguments(); ++i)
    if (kernel.getArgAttr(i - 1, result) && !kernel.getArgAttr(i, result))
      return kernel.emitOpError("argument #")
             << i << " is no result, but follows one; results come last";
  // kernel_c5
  if (!kernel.isExternal() && !kernel.getBody().hasOneBlock())
    return kernel.emitOpError("the body of a kernel is one block, but this one "
                              "has ")
           << kernel.getBody().getBlocks().size();
  return success();
}

static bool isOnCore(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && isa_and_present<MemorySpaceAttr>(memref.getMemorySpace());
}

/// The type of a value on the core that `op` makes; null if there is none.
static Type findTypeOnCore(Operation *op) {
  auto types = llvm::to_vector(op->getResultTypes());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      llvm::append_range(types, block.getArgumentTypes());
  auto found = llvm::find_if(types, isOnCore);
  return found == types.end() ? Type() : *found;
}

LogicalResult trn::verifyHostCode(func::FuncOp function) {
  WalkResult result = function.walk([](Operation *op) -> WalkResult {
    // host_c1
    if (isa_and_present<TrnDialect>(op->getDialect()))
      return op->emitOpError("stands in host code, but only functions with "
                             "trn.kernel hold trn ops");
    // host_c2
    if (Type type = findTypeOnCore(op))
      return op->emitOpError("yields or takes ")
             << type
             << " in host code, which has no access to the memories of a core";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Tensor level
//===----------------------------------------------------------------------===//

static bool isDynamic(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && !shaped.hasStaticShape();
}

/// A tile op or what surrounds it. Minima and conditions stem from partial
/// tiles, which peeling turns into code of their own.
static bool isTensorLevelOp(Operation *op) {
  if (isa<affine::AffineApplyOp, scf::ForOp, scf::YieldOp, func::FuncOp,
          func::ReturnOp>(op))
    return true;
  return isa_and_present<
      arith::ArithDialect, bufferization::BufferizationDialect,
      linalg::LinalgDialect, memref::MemRefDialect, tensor::TensorDialect>(
      op->getDialect());
}

static LogicalResult verifyTensorLevel(func::FuncOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) {
    // tensor_c1
    for (Type type : op->getResultTypes())
      if (isDynamic(type)) {
        op->emitOpError("yields ") << type
                                   << ", but every shape is static at the "
                                      "tensor level; peel partial tiles";
        return WalkResult::interrupt();
      }
    // tensor_c2
    if (!isTensorLevelOp(op)) {
      op->emitOpError(
          "cannot stand in a kernel at the tensor level, which "
          "holds tile ops on tensors, scf.for and index arithmetic");
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

LogicalResult trn::verifyKernel(func::FuncOp kernel, Level level,
                                const Machine &machine) {
  if (failed(verifySignature(kernel)))
    return failure();
  if (kernel.isExternal())
    return success();
  if (level == Level::Tensor)
    return verifyTensorLevel(kernel);
  if (failed(verifyVirtualLevel(kernel, machine)))
    return failure();
  return level == Level::Placed ? verifyPlacedLevel(kernel, machine)
                                : success();
}

static LogicalResult verifyLevel(func::FuncOp function, Level level) {
  if (!isKernel(function))
    return verifyHostCode(function);
  FailureOr<Machine> machine = getMachine(function);
  if (failed(machine))
    return failure();
  return verifyKernel(function, level, *machine);
}

namespace {
struct VerifyLevelPass final : trn::impl::VerifyLevelBase<VerifyLevelPass> {
  using Base::Base;

  void runOnOperation() override {
    if (failed(verifyLevel(getOperation(), level)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
