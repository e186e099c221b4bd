//===- ResizeDim.cpp - Give a product another size ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All tensors with a dimension that is tied to the rows of X get a new type.
//
//===----------------------------------------------------------------------===//

#include "ResizeDim.h"

#include "trn/Analysis/CalledFunctions.h"
#include "trn/Analysis/Dimensions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
class DimResizer {
public:
  /// `functions`: the entry first, then what it calls.
  DimResizer(ArrayRef<func::FuncOp> functions, StringRef name)
      : functions(functions), entry(functions.front()), name(name),
        dimensions(functions) {}

  LogicalResult resize(int64_t size);
  /// Fails where there is none or more than one.
  FailureOr<Dimension> findDim();
  /// Whether `findDim` has failed because there is none.
  bool isAbsent() const { return foundNone; }

private:
  /// The only dimension of `value`, a tensor, that can be meant.
  FailureOr<Dimension> choose(Value value,
                              function_ref<bool(Dimension)> isCandidate);
  InFlightDiagnostic refuse(Operation *op) const {
    return op->emitError(name) << " cannot vary: ";
  }
  bool hasTied(Value value, Dimension dimension) const;
  bool hasIt(Value value) const { return hasTied(value, dim); }
  /// Whether `op` or an op inside reads or makes a tensor that has the dim.
  bool usesIt(Operation *op) const;
  /// Says why the dim cannot pass through `op`.
  LogicalResult checkOp(Operation *op);
  /// Says who else needs the types of `function` if it has the dim.
  LogicalResult checkCallers(func::FuncOp function);
  void retype(Value value, int64_t size);
  /// Lets `function` and its ops say what the types say.
  void updateAttributes(func::FuncOp function);

  ArrayRef<func::FuncOp> functions;
  func::FuncOp entry;
  StringRef name;
  Dimensions dimensions;
  Dimension dim;
  bool foundNone = false;
};
} // namespace

/// Gives every use of a tensor that has no values, or one value everywhere, a
/// tensor of its own: a shared one would tie what only has the same shape.
static void unshareFills(func::FuncOp function) {
  auto isFill = [](Operation &op) {
    auto constant = dyn_cast<arith::ConstantOp>(op);
    return isa<tensor::EmptyOp, linalg::FillOp>(op) ||
           (constant && isa<SplatElementsAttr>(constant.getValue()));
  };
  // Backwards: a fill that has been cloned uses its tensor more than once.
  for (Block &block : function.getBody())
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (isFill(op) && op.getNumResults() == 1)
        for (OpOperand &use : llvm::make_early_inc_range(op.getUses()))
          if (!op.getResult(0).hasOneUse())
            use.set(OpBuilder(&op).clone(op)->getResult(0));
}

/// The dimensions of a value for which `isOne`; none if it is no tensor.
static SmallVector<int64_t> dimsOf(Value value,
                                   function_ref<bool(Dimension)> isOne) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> dims;
  for (int64_t i = 0; type && i != type.getRank(); ++i)
    if (isOne({value, i}))
      dims.push_back(i);
  return dims;
}

bool DimResizer::hasTied(Value value, Dimension dimension) const {
  return !dimsOf(value, [&](Dimension own) {
            return dimensions.areTied(own, dimension);
          }).empty();
}

FailureOr<Dimension>
DimResizer::choose(Value value, function_ref<bool(Dimension)> isCandidate) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> candidates = dimsOf(value, isCandidate);
  auto eraseUnlessAll = [&](auto isUnlikely) {
    if (!llvm::all_of(candidates, isUnlikely))
      llvm::erase_if(candidates, isUnlikely);
  };
  eraseUnlessAll([&](int64_t i) { return dimensions.isBatch({value, i}); });
  // A batch of one beside it is not what is meant.
  eraseUnlessAll([&](int64_t i) { return type.getDimSize(i) == 1; });
  if (candidates.size() == 1)
    return Dimension(value, candidates.front());
  InFlightDiagnostic error = refuse(entry);
  foundNone = candidates.empty();
  if (foundNone)
    return error << "no dimension of " << type << " is " << name;
  error << "dimensions ";
  llvm::interleaveComma(candidates, error);
  return error << " of " << type << " may be it";
}

FailureOr<Dimension> DimResizer::findDim() {
  auto findTensor = [&](ValueRange values, unsigned position,
                        StringRef what) -> FailureOr<Value> {
    if (position < values.size() &&
        isa<RankedTensorType>(values[position].getType()))
      return values[position];
    return refuse(entry) << "the " << what << " of @" << entry.getSymName()
                         << " is no tensor";
  };
  auto isSummed = [&](Dimension d) { return dimensions.isSummed(d); };
  FailureOr<Value> x = findTensor(entry.getArguments(), 0, "first argument");
  if (failed(x))
    return failure();
  if (name == "rows" || name == "m")
    return choose(*x, std::not_fn(isSummed));
  if (name == "k")
    return choose(*x, isSummed);
  bool isRank = name == "r";
  FailureOr<Value> other =
      isRank ? findTensor(entry.getArguments(), 1, "second argument")
             : findTensor(entry.front().getTerminator()->getOperands(), 0,
                          "first result");
  if (failed(other))
    return failure();
  return choose(*other, [&](Dimension d) {
    return !hasTied(*x, d) && (!isRank || isSummed(d));
  });
}

bool DimResizer::usesIt(Operation *op) const {
  auto hasThem = [&](Value value) { return hasIt(value); };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), hasThem) ||
                       llvm::any_of(inner->getResults(), hasThem)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult DimResizer::checkOp(Operation *op) {
  if (dimensions.isOpaque(op))
    return refuse(op) << "nothing is known about how '" << op->getName()
                      << "' depends on it";
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (!isa<SplatElementsAttr>(constant.getValue()))
      return refuse(op) << "a constant has a value for each index";
  if (dimensions.isMixed(op, dim))
    return refuse(op) << "'" << op->getName() << "' computes an index from it";
  // A reshape that keeps the dim is one that ties it.
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
      hasIt(op->getOperand(0)) != hasIt(op->getResult(0)))
    return refuse(op) << "'" << op->getName() << "' splits or merges it";
  return success();
}

LogicalResult DimResizer::checkCallers(func::FuncOp function) {
  bool hasThem = llvm::any_of(function.getArguments(),
                              [&](Value value) { return hasIt(value); });
  for (auto ret : function.getOps<func::ReturnOp>())
    hasThem |= usesIt(ret);
  if (!hasThem)
    return success();
  auto uses = SymbolTable::getSymbolUses(function, function->getParentOp());
  for (SymbolTable::SymbolUse use : *uses) {
    Operation *user = use.getUser();
    if (!isa<func::CallOp>(user) ||
        !llvm::is_contained(functions, user->getParentOp()))
      return refuse(user) << "this needs @" << function.getSymName()
                          << " as it is";
  }
  return success();
}

void DimResizer::retype(Value value, int64_t size) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  SmallVector<int64_t> shape(type.getShape());
  for (auto [i, dimSize] : llvm::enumerate(shape))
    if (dimensions.areTied({value, i}, dim))
      dimSize = size;
  value.setType(type.clone(shape));
}

void DimResizer::updateAttributes(func::FuncOp function) {
  for (auto ret : function.getOps<func::ReturnOp>())
    function.setType(FunctionType::get(function.getContext(),
                                       function.front().getArgumentTypes(),
                                       ret.getOperandTypes()));
  for (auto constant : function.getOps<arith::ConstantOp>())
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      constant.setValueAttr(
          splat.resizeSplat(cast<ShapedType>(constant.getType())));
  for (auto expand : function.getOps<tensor::ExpandShapeOp>())
    expand.setStaticOutputShape(cast<ShapedType>(expand.getType()).getShape());
}

LogicalResult DimResizer::resize(int64_t size) {
  FailureOr<Dimension> found = findDim();
  if (failed(found))
    return failure();
  dim = *found;

  SmallVector<Value> resized;
  for (func::FuncOp function : functions) {
    if (failed(checkCallers(function)))
      return failure();
    llvm::append_range(resized, function.getArguments());
    for (Operation &op : function.getBody().getOps()) {
      llvm::append_range(resized, op.getResults());
      if (usesIt(&op) && failed(checkOp(&op)))
        return failure();
    }
  }
  for (Value value : resized)
    retype(value, size);
  for (func::FuncOp function : functions)
    updateAttributes(function);
  return success();
}

bool mlir::trn::isDimName(StringRef name) {
  return llvm::is_contained({"rows", "m", "k", "r", "n"}, name);
}

bool mlir::trn::hasDim(func::FuncOp entry, StringRef name) {
  ScopedDiagnosticHandler untold(entry.getContext(),
                                 [](Diagnostic &) { return success(); });
  SmallVector<func::FuncOp> functions = findCalledFunctions(entry);
  llvm::for_each(functions, unshareFills);
  DimResizer resizer(functions, name);
  return succeeded(resizer.findDim()) || !resizer.isAbsent();
}

LogicalResult mlir::trn::resizeDim(func::FuncOp entry, StringRef name,
                                   int64_t size) {
  SmallVector<func::FuncOp> functions = findCalledFunctions(entry);
  llvm::for_each(functions, unshareFills);
  return DimResizer(functions, name).resize(size);
}
