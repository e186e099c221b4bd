//===- HostChecks.cpp - Host code that checks itself ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream knows how to verify most ops at run time; what it does not is here.
// All happens before structured ops become loops: their accesses follow from
// their shapes, so that one check does for all of them.
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "HostPrints.h"
#include "trn/Support/HostTensor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/RuntimeVerifiableOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether a tensor program needs `op` around its kernels. Bufferization frees
/// nothing too early and writes nothing that is read later.
static bool isHarmless(Operation *op) {
  auto isBuffer = [](Type type) { return isa<BaseMemRefType>(type); };
  if (llvm::none_of(op->getOperandTypes(), isBuffer))
    return true;
  return isa<bufferization::ToTensorOp, func::CallOp, func::ReturnOp,
             memref::DimOp>(op);
}

bool mlir::trn::handlesBuffers(const HostCode &code) {
  return llvm::any_of(code.functions, [](func::FuncOp func) {
    return func
        .walk([](Operation *op) {
          return isHarmless(op) ? WalkResult::advance()
                                : WalkResult::interrupt();
        })
        .wasInterrupted();
  });
}

int64_t mlir::trn::getElementBytes(MemRefType type) {
  Type element = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * llvm::divideCeil(
                   complex.getElementType().getIntOrFloatBitWidth(), 8);
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : sizeof(int64_t);
}

namespace {

/// Inserts the checks of one op at a time.
class Checker {
public:
  Checker(HostCalls &calls, bool handlesBuffers)
      : calls(calls), handlesBuffers(handlesBuffers),
        builder(calls.getModule().getContext()) {}

  LogicalResult check(Operation *op);
  /// An assert of the program's, or one that upstream made for a site.
  void replaceAssert(cf::AssertOp op, std::optional<size_t> site = {});

private:
  void checkUpstream(RuntimeVerifiableOpInterface op);
  LogicalResult checkDivision(Operation *op, bool isSigned);
  void checkSizes(memref::AllocOp op);
  void checkSizes(memref::SubViewOp op);
  void checkLoop(LoopLikeOpInterface loop);
  void checkView(Operation *op);
  void checkAccess(Operation *op, Value memref, bool writes);
  void checkAccesses(MemoryEffectOpInterface op);
  LogicalResult checkPrint(Operation *call);
  void lendGlobal(memref::GetGlobalOp op);

  Value compare(arith::CmpIPredicate predicate, Value left, Value right) {
    return builder.createOrFold<arith::CmpIOp>(left.getLoc(), predicate, left,
                                               right);
  }
  Value constant(Location loc, Type type, const APInt &value) {
    return arith::ConstantOp::create(builder, loc, type,
                                     builder.getIntegerAttr(type, value));
  }
  Value index(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  void require(Operation *op, Value condition, const Twine &failure) {
    if (!matchPattern(condition, m_One()))
      calls.require(builder, op->getLoc(), condition,
                    calls.addSite(op, failure));
  }

  HostCalls &calls;
  bool handlesBuffers;
  OpBuilder builder;
};

} // namespace

/// Upstream calls what it finds "out-of-bounds access", for example.
void Checker::checkUpstream(RuntimeVerifiableOpInterface op) {
  // Static shapes were verified with the op.
  auto isStatic = [](Type type) {
    auto shaped = dyn_cast<ShapedType>(type);
    return !shaped || (shaped.hasRank() && shaped.hasStaticShape());
  };
  if (isa<linalg::LinalgOp>(op.getOperation()) &&
      llvm::all_of(op->getOperandTypes(), isStatic))
    return;
  std::string types;
  llvm::raw_string_ostream os(types);
  for (Type operand : op->getOperandTypes())
    if (isa<BaseMemRefType>(operand))
      os << (types.empty() ? " of " : ", ") << operand;
  op.generateRuntimeVerification(
      builder, op.getLoc(), [&](Operation *, StringRef failure) {
        return std::to_string(calls.addSite(op, "fails: " + failure + types));
      });
}

/// Instead of ending the process.
void Checker::replaceAssert(cf::AssertOp op, std::optional<size_t> site) {
  builder.setInsertionPoint(op);
  if (!site)
    site = calls.addSite(op, "finds its condition false: " + op.getMsg());
  if (!matchPattern(op.getArg(), m_One()))
    calls.require(builder, op.getLoc(), op.getArg(), *site);
  op.erase();
}

LogicalResult Checker::checkDivision(Operation *op, bool isSigned) {
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  Location loc = op->getLoc();
  if (!type.isIntOrIndex())
    return op->emitError("host code divides integers of type ")
           << type << ", but only scalars are checked for zero";
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  APInt known;
  bool isKnown = matchPattern(divisor, m_ConstantInt(&known));
  if (!isKnown || known.isZero())
    require(op,
            compare(arith::CmpIPredicate::ne, divisor,
                    constant(loc, type, APInt::getZero(width))),
            "divides by zero");
  if (!isSigned || (isKnown && !known.isAllOnes()))
    return success();
  Value isSmall = compare(arith::CmpIPredicate::ne, dividend,
                          constant(loc, type, APInt::getSignedMinValue(width)));
  Value isOther = compare(arith::CmpIPredicate::ne, divisor,
                          constant(loc, type, APInt::getAllOnes(width)));
  require(op, builder.createOrFold<arith::OrIOp>(loc, isSmall, isOther),
          "divides the least " + Twine(width) +
              "-bit integer by -1, which overflows");
  return success();
}

/// No product of sizes overflows.
void Checker::checkSizes(memref::AllocOp op) {
  if (op.getDynamicSizes().empty())
    return;
  Location loc = op.getLoc();
  int64_t limit = getHostMemory() / getElementBytes(op.getType());
  for (int64_t size : op.getType().getShape())
    if (!ShapedType::isDynamic(size))
      limit /= std::max<int64_t>(size, 1);
  Value left = index(loc, limit);
  for (Value size : op.getDynamicSizes()) {
    require(op, compare(arith::CmpIPredicate::sge, size, index(loc, 0)),
            "has a negative size");
    require(op, compare(arith::CmpIPredicate::sle, size, left),
            "needs more than the " + Twine(getHostMemory()) +
                " bytes of memory that this host has");
    Value divisor =
        builder.createOrFold<arith::MaxSIOp>(loc, size, index(loc, 1));
    left = builder.createOrFold<arith::DivSIOp>(loc, left, divisor);
  }
}

/// Upstream checks where a view ends, which a negative size or an overflow
/// hides.
void Checker::checkSizes(memref::SubViewOp op) {
  Location loc = op.getLoc();
  for (auto [dim, size, stride] :
       llvm::enumerate(op.getMixedSizes(), op.getMixedStrides())) {
    auto value = dyn_cast<Value>(size);
    if (!value)
      continue;
    require(op, compare(arith::CmpIPredicate::sge, value, index(loc, 0)),
            "has a negative size in dimension " + Twine(dim));
    if (isConstantIntValue(stride, 0))
      continue;
    Value available =
        builder.createOrFold<memref::DimOp>(loc, op.getSource(), dim);
    require(op, compare(arith::CmpIPredicate::sle, value, available),
            "runs out of bounds along dimension " + Twine(dim));
  }
}

/// Each induction variable reaches its upper bound.
void Checker::checkLoop(LoopLikeOpInterface loop) {
  auto steps = loop.getLoopSteps(), ends = loop.getLoopUpperBounds();
  if (!steps || !ends)
    return;
  Location loc = loop.getLoc();
  auto counted = dyn_cast<scf::ForOp>(*loop);
  bool isUnsigned = counted && counted.getUnsignedCmp();
  for (auto [known, bound] : llvm::zip_equal(*steps, *ends)) {
    if (isConstantIntValue(known, 1))
      continue;
    Value step = getValueOrCreateConstantIndexOp(builder, loc, known);
    Value end = getValueOrCreateConstantIndexOp(builder, loc, bound);
    Type type = step.getType();
    unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
    require(loop,
            compare(isUnsigned ? arith::CmpIPredicate::ne
                               : arith::CmpIPredicate::sgt,
                    step, constant(loc, type, APInt::getZero(width))),
            "has a step that is not positive");
    // The last step leads to less than the upper bound and a step.
    Value greatest = constant(loc, type,
                              isUnsigned ? APInt::getMaxValue(width)
                                         : APInt::getSignedMaxValue(width));
    Value room = builder.createOrFold<arith::SubIOp>(loc, greatest, step);
    require(loop,
            compare(isUnsigned ? arith::CmpIPredicate::ule
                               : arith::CmpIPredicate::sle,
                    end, room),
            "steps over the greatest " + Twine(width) + "-bit integer");
  }
}

/// Memory must hold all of a view that says for itself how large it is, or
/// whose type does not tell where it comes from.
void Checker::checkView(Operation *op) {
  auto view = cast<TypedValue<MemRefType>>(op->getResult(0));
  Location loc = op->getLoc();
  auto parent = op->getParentOfType<func::FuncOp>();
  int64_t rank = view.getType().getRank(), count = 2 + 2 * rank;
  Type i64 = builder.getI64Type();
  OpBuilder atEntry = OpBuilder::atBlockBegin(&parent.getBody().front());
  Value list =
      memref::AllocaOp::create(atEntry, loc, MemRefType::get({count}, i64));
  builder.setInsertionPointAfter(op);
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, view);
  SmallVector<Value> values = {index(loc, getElementBytes(view.getType())),
                               metadata.getOffset()};
  llvm::append_range(values, metadata.getSizes());
  llvm::append_range(values, metadata.getStrides());
  for (auto [position, value] : llvm::enumerate(values)) {
    Value wide = arith::IndexCastOp::create(builder, loc, i64, value);
    memref::StoreOp::create(builder, loc, wide, list, index(loc, position));
  }
  calls.call(builder, loc, HostCalls::Callee::CheckView,
             createI64(builder, loc, calls.addSite(op)),
             {createAddress(builder, loc,
                            isa<memref::ViewOp>(op) ? op->getOperand(0) : view),
              createAddress(builder, loc, view),
              createAddress(builder, loc, list),
              createI64(builder, loc, count)});
}

/// That memory lives and may be written.
void Checker::checkAccess(Operation *op, Value memref, bool writes) {
  Location loc = op->getLoc();
  calls.call(
      builder, loc, HostCalls::Callee::CheckAccess,
      createI64(builder, loc, calls.addSite(op)),
      {createAddress(builder, loc, memref), createI64(builder, loc, writes)});
}

void Checker::checkAccesses(MemoryEffectOpInterface op) {
  SmallVector<MemoryEffects::EffectInstance> effects;
  op.getEffects(effects);
  for (const MemoryEffects::EffectInstance &effect : effects) {
    bool writes = isa<MemoryEffects::Write>(effect.getEffect());
    Value memref = effect.getValue();
    if (!memref || !isa<MemRefType>(memref.getType()) ||
        !(writes || isa<MemoryEffects::Read>(effect.getEffect())))
      continue;
    checkAccess(op, memref, writes);
  }
}

/// Only buffers of known rank are checked where they are made.
LogicalResult Checker::checkPrint(Operation *call) {
  Value memref = call->getOperand(0);
  if (auto cast = memref.getDefiningOp<memref::CastOp>())
    memref = cast.getSource();
  auto type = dyn_cast<MemRefType>(memref.getType());
  if (!type)
    return call->emitOpError("prints a buffer of unknown rank; cast it from a "
                             "type with a rank for the call");
  Location loc = call->getLoc();
  // Upstream prints a first element, whether there is one or not.
  for (int64_t dim = 0; dim != type.getRank(); ++dim)
    require(call,
            compare(arith::CmpIPredicate::sgt,
                    builder.createOrFold<memref::DimOp>(loc, memref, dim),
                    index(loc, 0)),
            "prints a buffer without elements");
  if (handlesBuffers)
    checkAccess(call, memref, /*writes=*/false);
  return success();
}

void Checker::lendGlobal(memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  int64_t bytes = op.getType().getNumElements() * getElementBytes(op.getType());
  builder.setInsertionPointAfter(op);
  calls.call(builder, op.getLoc(), HostCalls::Callee::LendGlobal,
             createI64(builder, op.getLoc(), calls.addSite(op)),
             {createAddress(builder, op.getLoc(), op.getResult()),
              createI64(builder, op.getLoc(), bytes),
              createI64(builder, op.getLoc(), !global.getConstant()),
              createI64(builder, op.getLoc(),
                        !global.getConstant() && global.isUninitialized())});
}

/// Whether only the run tells how much memory is behind a view of known rank.
static bool isRawView(Operation *op) {
  if (auto cast = dyn_cast<memref::CastOp>(op))
    return isa<UnrankedMemRefType>(cast.getSource().getType());
  return isa<memref::ReinterpretCastOp, memref::ViewOp>(op) ||
         (isa<memref::ReshapeOp>(op) &&
          isa<MemRefType>(op->getResult(0).getType()));
}

LogicalResult Checker::check(Operation *op) {
  builder.setInsertionPoint(op);
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    replaceAssert(assertion);
    return success();
  }
  if (isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
          arith::FloorDivSIOp, index::DivSOp, index::RemSOp, index::CeilDivSOp,
          index::FloorDivSOp>(op))
    return checkDivision(op, /*isSigned=*/true);
  if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp, index::DivUOp,
          index::RemUOp, index::CeilDivUOp>(op))
    return checkDivision(op, /*isSigned=*/false);
  if (isa<ub::UnreachableOp>(op)) {
    require(op, constant(op->getLoc(), builder.getI1Type(), APInt(1, 0)),
            "is reached");
    return success();
  }
  if (isa<memref::CopyOp>(op) &&
      llvm::any_of(op->getOperandTypes(), llvm::IsaPred<UnrankedMemRefType>))
    return op->emitOpError("copies a buffer of unknown rank; cast it to a type "
                           "with a rank first");
  if (callsPrint(op))
    return checkPrint(op);
  if (auto alloc = dyn_cast<memref::AllocOp>(op))
    checkSizes(alloc);
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    checkSizes(subview);
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op);
      effects && handlesBuffers && !isa<CallOpInterface>(op))
    checkAccesses(effects);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    checkLoop(loop);
  if (isRawView(op))
    checkView(op);
  else if (auto verifiable = dyn_cast<RuntimeVerifiableOpInterface>(op))
    checkUpstream(verifiable);
  if (auto global = dyn_cast<memref::GetGlobalOp>(op))
    lendGlobal(global);
  return success();
}

/// The stack is small, and nobody watches it.
static void moveAllocasToHeap(ModuleOp module) {
  module.walk([](memref::AllocaOp op) {
    OpBuilder builder(op);
    auto alloc = memref::AllocOp::create(
        builder, op.getLoc(), op.getType(), op.getDynamicSizes(),
        op.getSymbolOperands(), op.getAlignmentAttr());
    op.replaceAllUsesWith(alloc.getResult());
    op.erase();
  });
}

/// Upstream checks casts from unranked memrefs only with the right rank. So
/// they go through a type that knows nothing but the rank.
static void splitUnrankedCasts(HostCalls &calls) {
  SmallVector<memref::CastOp> casts;
  calls.getModule().walk([&](memref::CastOp op) {
    if (isa<UnrankedMemRefType>(op.getSource().getType()))
      casts.push_back(op);
  });
  for (memref::CastOp op : casts) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    auto type = cast<MemRefType>(op.getType());
    Value rank = memref::RankOp::create(builder, loc, op.getSource());
    Value expected =
        arith::ConstantIndexOp::create(builder, loc, type.getRank());
    Value isRight = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, rank, expected);
    calls.require(builder, loc, isRight,
                  calls.addSite(op, "casts a buffer to rank " +
                                        Twine(type.getRank()) +
                                        ", which it does not have"));
    SmallVector<int64_t> unknown(type.getRank(), ShapedType::kDynamic);
    auto layout =
        StridedLayoutAttr::get(op.getContext(), ShapedType::kDynamic, unknown);
    Value ranked =
        memref::CastOp::create(builder, loc,
                               MemRefType::get(unknown, type.getElementType(),
                                               layout, type.getMemorySpace()),
                               op.getSource());
    op.getSourceMutable().assign(ranked);
  }
}

LogicalResult mlir::trn::insertHostChecks(bool handlesBuffers,
                                          HostCalls &calls) {
  splitUnrankedCasts(calls);
  moveAllocasToHeap(calls.getModule());
  SmallVector<Operation *> ops;
  calls.getModule().walk([&](Operation *op) { ops.push_back(op); });
  Checker checker(calls, handlesBuffers);
  for (Operation *op : ops)
    if (failed(checker.check(op)))
      return failure();
  // Those that are left are upstream's and name their site.
  SmallVector<cf::AssertOp> asserts;
  calls.getModule().walk([&](cf::AssertOp op) { asserts.push_back(op); });
  for (cf::AssertOp op : asserts)
    checker.replaceAssert(op, std::stoul(op.getMsg().str()));
  return success();
}
