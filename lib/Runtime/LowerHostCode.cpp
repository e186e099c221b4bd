//===- LowerHostCode.cpp - Host code to the LLVM dialect ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream passes do the work; what is special here is said at each step.
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "trn/Runtime/Runtime.h"

#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/FuncBufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/ControlFlow/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Linalg/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

using namespace mlir;
using namespace mlir::trn;

void mlir::trn::registerHostCompilation(DialectRegistry &registry) {
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

/// Buffers start at a cache line.
static constexpr int64_t bufferAlignment = 64;

/// Ops that bufferization does not know become ops that it knows.
static LogicalResult decompose(ModuleOp module) {
  IRRewriter rewriter(module.getContext());
  SmallVector<linalg::AggregatedOpInterface> aggregated;
  module.walk([&](linalg::AggregatedOpInterface op) {
    aggregated.push_back(op); // for example linalg.softmax
  });
  for (linalg::AggregatedOpInterface op : aggregated) {
    rewriter.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return op.emitOpError("cannot be decomposed");
    rewriter.replaceOp(op, *results);
  }
  RewritePatternSet patterns(module.getContext());
  tensor::populateDecomposeTensorConcatPatterns(patterns);
  walkAndApplyPatterns(module, std::move(patterns));
  return success();
}

LogicalResult mlir::trn::bufferizeHostCode(func::FuncOp entry) {
  auto module = entry->getParentOfType<ModuleOp>();
  if (failed(decompose(module)))
    return failure();
  // The caller's inputs stay as they are.
  StringAttr writable =
      StringAttr::get(entry.getContext(),
                      bufferization::BufferizationDialect::kWritableAttrName);
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (isa<TensorType>(type))
      entry.setArgAttr(index, writable,
                       BoolAttr::get(entry.getContext(), false));

  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addNestedPass<func::FuncOp>(createConvertElementwiseToLinalgPass());
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.bufferAlignment = bufferAlignment;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  if (failed(pm.run(module)))
    return failure();

  bufferization::BufferResultsToOutParamsOpts outParams;
  outParams.filterFn = [&](func::FuncOp *func) { return *func == entry; };
  outParams.hoistStaticAllocs = true; // write results where they belong
  outParams.modifyPublicFunctions = true;
  return bufferization::promoteBufferResultsToOutParams(module, outParams);
}

/// Copies between strided memrefs would call a runtime library otherwise.
static void rewriteStridedCopies(ModuleOp module) {
  SmallVector<memref::CopyOp> copies;
  module.walk([&](memref::CopyOp copy) {
    auto isStrided = [](Value memref) {
      auto type = dyn_cast<MemRefType>(memref.getType());
      return type && !type.getLayout().isIdentity();
    };
    if (isStrided(copy.getSource()) || isStrided(copy.getTarget()))
      copies.push_back(copy);
  });
  for (memref::CopyOp copy : copies) {
    OpBuilder builder(copy);
    linalg::CopyOp::create(builder, copy.getLoc(), copy.getSource(),
                           copy.getTarget());
    copy.erase();
  }
}

/// An allocation that fails would end the process, so those that are sure to
/// fail are errors here.
static LogicalResult prepareAllocations(ModuleOp module) {
  WalkResult result = module.walk([](memref::AllocOp alloc) {
    if (!alloc.getAlignment())
      alloc.setAlignment(bufferAlignment);
    MemRefType type = alloc.getType();
    int64_t bytes = type.getElementType().isIntOrFloat()
                        ? llvm::divideCeil(type.getElementTypeBitWidth(), 8)
                        : sizeof(int64_t);
    std::optional<int64_t> count =
        type.hasStaticShape() ? countElements(type.getShape()) : 0;
    if (count && *count <= getHostMemory() / bytes)
      return WalkResult::advance();
    alloc.emitError("host code needs a buffer of type ")
        << type << ", but this host has " << getHostMemory()
        << " bytes of memory";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Attributes on functions and their arguments speak to our passes and to
/// bufferization, and mean nothing to LLVM.
static void dropAttributes(ModuleOp module) {
  module->setDiscardableAttrs(DictionaryAttr::get(module.getContext()));
  for (auto func : module.getOps<func::FuncOp>()) {
    func.removeArgAttrsAttr();
    func.removeResAttrsAttr();
  }
}

/// The CPU computes in f32: narrower types are widened for every operation and
/// rounded after it. The conversions of bf16 become integer arithmetic, since
/// the C library of the host may not have them.
static void addNarrowFloatPasses(OpPassManager &pm) {
  pm.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16", "f16"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
}

/// Frees buffers after their last use; code that frees for itself keeps doing
/// so.
static LogicalResult insertDeallocations(ModuleOp module) {
  bool freesItself =
      module.walk([](memref::DeallocOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  if (!freesItself)
    bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
  return pm.run(module);
}

/// The conversions of this host round to nearest even, whatever is asked for.
static LogicalResult checkRoundingModes(ModuleOp module) {
  WalkResult result = module.walk([](arith::TruncFOp truncate) {
    auto mode = truncate.getRoundingmode();
    if (!mode || *mode == arith::RoundingMode::to_nearest_even)
      return WalkResult::advance();
    truncate.emitError("host code rounds ")
        << stringifyRoundingMode(*mode)
        << ", but this host only rounds to_nearest_even";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult mlir::trn::lowerHostCodeToLLVM(ModuleOp module) {
  dropAttributes(module);
  if (failed(checkRoundingModes(module)) ||
      failed(insertDeallocations(module)) || failed(prepareAllocations(module)))
    return failure();
  rewriteStridedCopies(module);

  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  addNarrowFloatPasses(pm);
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass()); // what LLVM has no intrinsic for
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  return pm.run(module);
}
