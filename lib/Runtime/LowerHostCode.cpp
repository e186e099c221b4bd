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
#include "mlir/Dialect/Arith/IR/Arith.h"
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
#include "mlir/Dialect/Linalg/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/AllocationOpInterfaceImpl.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/RuntimeOpVerification.h"
#include "mlir/Dialect/SCF/Transforms/BufferDeallocationOpInterfaceImpl.h"
#include "mlir/Dialect/SCF/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Tensor/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/Transforms/BufferizableOpInterfaceImpl.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;

void mlir::trn::registerHostCompilation(DialectRegistry &registry) {
  arith::registerBufferDeallocationOpInterfaceExternalModels(registry);
  arith::registerBufferizableOpInterfaceExternalModels(registry);
  bufferization::func_ext::registerBufferizableOpInterfaceExternalModels(
      registry);
  cf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  linalg::registerBufferizableOpInterfaceExternalModels(registry);
  linalg::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  memref::registerAllocationOpInterfaceExternalModels(registry);
  memref::registerRuntimeVerifiableOpInterfaceExternalModels(registry);
  scf::registerBufferDeallocationOpInterfaceExternalModels(registry);
  scf::registerBufferizableOpInterfaceExternalModels(registry);
  tensor::registerBufferizableOpInterfaceExternalModels(registry);
  vector::registerBufferizableOpInterfaceExternalModels(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
}

/// More than a huge page helps nobody.
static constexpr uint64_t maxAlignment = 1 << 21;

/// Turns what `entry` returns into trailing arguments. A buffer that is
/// allocated for one result becomes its argument; all else is copied.
static LogicalResult returnThroughArguments(func::FuncOp entry) {
  bool hasOneExit = entry.getBody().hasOneBlock();
  if (hasOneExit) {
    // Only the first mention of a buffer may take it.
    Operation *exit = entry.getBody().front().getTerminator();
    llvm::SmallDenseSet<Value> seen;
    OpBuilder builder(exit);
    for (OpOperand &operand : exit->getOpOperands()) {
      if (seen.insert(operand.get()).second)
        continue;
      auto type = cast<MemRefType>(operand.get().getType());
      Value own = memref::AllocOp::create(builder, exit->getLoc(), type);
      memref::CopyOp::create(builder, exit->getLoc(), operand.get(), own);
      operand.set(own);
    }
  }
  bufferization::BufferResultsToOutParamsOpts options;
  options.filterFn = [&](func::FuncOp *func) { return *func == entry; };
  options.hoistStaticAllocs = hasOneExit; // write results where they belong
  options.modifyPublicFunctions = true;
  return bufferization::promoteBufferResultsToOutParams(
      entry->getParentOfType<ModuleOp>(), options);
}

LogicalResult mlir::trn::bufferizeHostCode(ModuleOp module,
                                           ArrayRef<func::FuncOp> entries) {
  if (failed(decomposeHostCode(module)))
    return failure();
  // The caller's inputs stay as they are.
  Builder builder(module.getContext());
  for (func::FuncOp entry : entries)
    for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
      if (isa<TensorType>(type))
        entry.setArgAttr(index,
                         bufferization::BufferizationDialect::kWritableAttrName,
                         builder.getBoolAttr(false));

  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  // What folds comes behind bufferization: a read of a tensor would become one
  // of the buffer that the tensor is made of, which bufferization does not see.
  bufferization::OneShotBufferizePassOptions options;
  options.bufferizeFunctionBoundaries = true;
  options.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  options.bufferAlignment = HostMemory::alignment;
  options.allowReturnAllocsFromLoops = true;
  pm.addPass(bufferization::createOneShotBufferizePass(options));
  // It may free the buffer that it takes.
  memref::ExpandReallocPassOptions realloc;
  realloc.emitDeallocs = true;
  pm.addPass(memref::createExpandReallocPass(realloc));
  // Accesses of affine are checked as those of memref.
  pm.addPass(createLowerAffinePass());
  if (failed(pm.run(module)))
    return failure();

  for (func::FuncOp entry : entries)
    if (failed(returnThroughArguments(entry)))
      return failure();
  return success();
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

/// Whether neighbours along `loop` are neighbours in memory, or one element.
static bool isContiguousAlong(AffineMap map, unsigned loop) {
  for (auto [position, index] : llvm::enumerate(map.getResults()))
    if (index.isFunctionOfDim(loop) &&
        (position + 1 != map.getNumResults() || !isa<AffineDimExpr>(index)))
      return false;
  return true;
}

/// The last parallel loop of `op` along which all operands are contiguous.
static std::optional<unsigned> findRowLoop(linalg::LinalgOp op) {
  std::optional<unsigned> row;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel &&
        llvm::all_of(op.getIndexingMapsArray(), [loop = loop](AffineMap map) {
          return isContiguousAlong(map, loop);
        }))
      row = loop;
  return row;
}

/// Lets sums run along rows in their innermost loop, so that it uses vectors;
/// down columns a large product takes minutes. Each sum keeps its order.
static LogicalResult orderLoops(ModuleOp module) {
  SmallVector<linalg::LinalgOp> sums;
  module.walk([&](linalg::LinalgOp op) {
    if (op.getNumReductionLoops() != 0 && findRowLoop(op))
      sums.push_back(op);
  });
  IRRewriter rewriter(module.getContext());
  for (linalg::LinalgOp op : sums) {
    rewriter.setInsertionPoint(op);
    auto generic = dyn_cast<linalg::GenericOp>(*op);
    if (!generic) {
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        continue;
      generic = *made;
    }
    unsigned row = *findRowLoop(generic);
    auto order = llvm::to_vector(llvm::seq<unsigned>(generic.getNumLoops()));
    order.erase(order.begin() + row);
    order.push_back(row);
    if (failed(linalg::interchangeGenericOp(rewriter, generic, order)))
      return failure();
  }
  return success();
}

/// What is sure to fail is an error before anything runs.
static LogicalResult prepareAllocations(ModuleOp module) {
  auto verifySize = [](Operation *op, MemRefType type) -> LogicalResult {
    std::optional<int64_t> count =
        type.hasStaticShape() ? countElements(type.getShape()) : 0;
    if (count && *count <= getHostMemory() / getElementBytes(type))
      return success();
    return op->emitError("host code needs a buffer of type ")
           << type << ", but this host has " << getHostMemory()
           << " bytes of memory";
  };
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (auto global = dyn_cast<memref::GlobalOp>(op))
      return verifySize(op, global.getType());
    auto alloc = dyn_cast<memref::AllocOp>(op);
    if (!alloc)
      return WalkResult::advance();
    // That of the run is at least this.
    if (alloc.getAlignment().value_or(0) <= HostMemory::alignment)
      alloc.removeAlignmentAttr();
    else if (*alloc.getAlignment() > maxAlignment)
      return op->emitError("host code asks for an alignment of ")
             << *alloc.getAlignment() << " bytes, but at most " << maxAlignment
             << " are possible";
    return verifySize(op, alloc.getType());
  });
  return failure(result.wasInterrupted());
}

/// Nobody has checked the promises that accesses may make.
static void dropAlignments(ModuleOp module) {
  module.walk([](Operation *op) {
    if (isa<memref::LoadOp, memref::StoreOp>(op))
      op->removeAttr("alignment");
  });
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
/// rounded after it.
static LogicalResult widenNarrowFloats(ModuleOp module) {
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16", "f16"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
  if (failed(pm.run(module)))
    return failure();
  // These passes allow to fold a rounding with the widening behind it.
  module.walk([](Operation *op) {
    if (auto widen = dyn_cast<arith::ExtFOp>(op))
      widen.removeFastmathAttr();
    else if (auto round = dyn_cast<arith::TruncFOp>(op))
      round.removeFastmathAttr();
  });
  return success();
}

/// Frees buffers after their last use; code that frees for itself keeps doing
/// so.
static LogicalResult insertDeallocations(ModuleOp module) {
  bool freesItself =
      module.walk([](memref::DeallocOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  // A function that returns an argument would return a copy otherwise.
  bufferization::BufferDeallocationPipelineOptions options;
  options.privateFunctionDynamicOwnership = true;
  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  if (!freesItself)
    bufferization::buildBufferDeallocationPipeline(pm, options);
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

/// Widens a float of e4m3, which upstream does not lower. Its exponent and
/// fraction are those of a number that is f32 but for the bias of the exponent.
static Value emitWidening(OpBuilder &builder, arith::ExtFOp op) {
  Location loc = op.getLoc();
  bool isFinite = isa<Float8E4M3FNType>(op.getIn().getType());
  Type i32 = builder.getI32Type(), f32 = builder.getF32Type();
  auto number = [&](int32_t value) -> Value {
    return arith::ConstantIntOp::create(builder, loc, i32, value);
  };
  Value byte =
      arith::BitcastOp::create(builder, loc, builder.getI8Type(), op.getIn());
  Value bits = arith::ExtUIOp::create(builder, loc, i32, byte);
  Value rest = arith::AndIOp::create(builder, loc, bits, number(0x7f));
  Value shifted = arith::ShLIOp::create(builder, loc, rest, number(20));
  Value small = arith::BitcastOp::create(builder, loc, f32, shifted);
  Value bias = arith::ConstantOp::create(builder, loc,
                                         builder.getF32FloatAttr(0x1p120f));
  Value value = arith::MulFOp::create(builder, loc, small, bias);
  auto replace = [&](arith::CmpIPredicate predicate, int32_t from, float by) {
    Value other =
        arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(by));
    Value isOther =
        arith::CmpIOp::create(builder, loc, predicate, rest, number(from));
    value = arith::SelectOp::create(builder, loc, isOther, other, value);
  };
  if (!isFinite)
    replace(arith::CmpIPredicate::eq, 0x78, INFINITY);
  replace(arith::CmpIPredicate::uge, isFinite ? 0x7f : 0x79, NAN);
  Value magnitude = arith::BitcastOp::create(builder, loc, i32, value);
  Value sign = arith::AndIOp::create(builder, loc, bits, number(0x80));
  Value signBit = arith::ShLIOp::create(builder, loc, sign, number(24));
  Value all = arith::OrIOp::create(builder, loc, magnitude, signBit);
  Value wide = arith::BitcastOp::create(builder, loc, f32, all);
  if (op.getType() == f32)
    return wide;
  return arith::TruncFOp::create(builder, loc, op.getType(), wide);
}

static void widenWeights(ModuleOp module) {
  module.walk([](arith::ExtFOp op) {
    if (!isa<Float8E4M3Type, Float8E4M3FNType>(op.getIn().getType()) ||
        op.getType().getIntOrFloatBitWidth() > 32)
      return;
    OpBuilder builder(op);
    op->replaceAllUsesWith(ValueRange{emitWidening(builder, op)});
    op->erase();
  });
}

/// Upstream lowers no arithmetic in types like f8E4M3FN.
static LogicalResult checkFloatTypes(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) -> WalkResult {
    if (!isa_and_present<arith::ArithDialect, math::MathDialect>(
            op->getDialect()) ||
        isa<arith::ConstantOp, arith::BitcastOp>(op))
      return WalkResult::advance();
    for (Value value : llvm::concat<Value>(op->getOperands(), op->getResults()))
      if (auto type = dyn_cast<FloatType>(getElementTypeOrSelf(value));
          type && type.getWidth() < 16)
        return op->emitOpError("of host code computes with ")
               << type << ", but this host knows no float below bf16 and f16";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Upstream subtracts one from a power, of which little is left near zero.
static void callExpM1(ModuleOp module) {
  module.walk([&](math::ExpM1Op op) {
    Type type = op.getType();
    if (!type.isF32() && !type.isF64())
      return;
    StringRef name = type.isF32() ? "expm1f" : "expm1";
    auto function = module.lookupSymbol<func::FuncOp>(name);
    if (!function) {
      auto builder = OpBuilder::atBlockBegin(module.getBody());
      function = func::FuncOp::create(builder, op.getLoc(), name,
                                      builder.getFunctionType(type, type));
      function.setPrivate();
    }
    OpBuilder builder(op);
    auto call =
        func::CallOp::create(builder, op.getLoc(), function, op.getOperand());
    op->replaceAllUsesWith(call);
    op->erase();
  });
}

LogicalResult mlir::trn::lowerHostCodeToLLVM(HostCalls &calls) {
  ModuleOp module = calls.getModule();
  dropAttributes(module);
  dropAlignments(module);
  widenWeights(module);
  if (failed(checkRoundingModes(module)) || failed(checkFloatTypes(module)) ||
      failed(insertDeallocations(module)) || failed(prepareAllocations(module)))
    return failure();
  rewriteStridedCopies(module);
  if (failed(orderLoops(module)))
    return failure();
  OutlinedLoops outlined = outlineLoops(module);

  PassManager pm(module.getContext(), ModuleOp::getOperationName());
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(vector::createLowerVectorMultiReductionPass());
  pm.addPass(createConvertVectorToSCFPass());
  if (failed(pm.run(module)) || failed(widenNarrowFloats(module)))
    return failure();
  callExpM1(module);
  pm.clear();
  // The C library of the host may not have the conversions of bf16.
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions vectors;
  vectors.force32BitVectorIndices = false; // masks are right for all indices
  pm.addPass(createConvertVectorToLLVMPass(vectors));
  ConvertMathToLLVMPassOptions math;
  math.approximateLog1p = false;
  pm.addPass(createConvertMathToLLVMPass(math));
  pm.addPass(createConvertMathToLibmPass()); // what LLVM has no intrinsic for
  FinalizeMemRefToLLVMConversionPassOptions memory;
  memory.useGenericFunctions = true;
  pm.addPass(createFinalizeMemRefToLLVMConversionPass(memory));
  pm.addPass(createConvertFuncToLLVMPass());
  pm.addPass(createArithToLLVMConversionPass());
  pm.addPass(createConvertIndexToLLVMPass());
  pm.addPass(createConvertControlFlowToLLVMPass());
  pm.addPass(createUBToLLVMConversionPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
  if (failed(pm.run(module)))
    return failure();
  keepOutlined(outlined, module);
  calls.ownAllocations();
  return success();
}
