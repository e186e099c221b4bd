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

#include "trn/Transforms/ResizeDim.h"

#include "trn/Analysis/Dimensions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

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

private:
  FailureOr<Dimension> findDim();
  /// The only one of `candidates`, dimensions of `value`.
  FailureOr<Dimension> choose(Value value, SmallVector<int64_t> candidates);
  InFlightDiagnostic refuse(Operation *op) const {
    return op->emitError(name) << " cannot vary: ";
  }
  bool isIt(Value value, int64_t dimension) const {
    return dimensions.areTied({value, dimension}, dim);
  }
  bool hasIt(Value value) const;
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
};
} // namespace

/// The entry and what it calls, and what that calls.
static SmallVector<func::FuncOp> collectFunctions(func::FuncOp entry) {
  llvm::SetVector<func::FuncOp> functions;
  functions.insert(entry);
  // Calls add functions while this runs.
  for (size_t i = 0; i != functions.size(); ++i) {
    func::FuncOp caller = functions[i];
    for (auto call : caller.getOps<func::CallOp>())
      if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr());
          callee && !callee.isExternal())
        functions.insert(callee);
  }
  return functions.takeVector();
}

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

FailureOr<Dimension> DimResizer::choose(Value value,
                                        SmallVector<int64_t> candidates) {
  auto type = cast<RankedTensorType>(value.getType());
  auto isBatch = [&](int64_t i) { return dimensions.isBatch({value, i}); };
  if (!llvm::all_of(candidates, isBatch))
    llvm::erase_if(candidates, isBatch);
  // A batch of one beside it is not what is meant.
  if (llvm::any_of(candidates,
                   [&](int64_t i) { return type.getDimSize(i) != 1; }))
    llvm::erase_if(candidates,
                   [&](int64_t i) { return type.getDimSize(i) == 1; });
  if (candidates.size() == 1)
    return Dimension(value, candidates.front());
  InFlightDiagnostic error = refuse(entry);
  if (candidates.empty())
    return error << "no dimension of " << type << " is " << name;
  error << "dimensions ";
  llvm::interleaveComma(candidates, error);
  return error << " of " << type << " may be it";
}

/// The dimensions of a tensor for which `isOne`.
static SmallVector<int64_t> dimsOf(Value tensor,
                                   function_ref<bool(Dimension)> isOne) {
  SmallVector<int64_t> dims;
  for (int64_t i = 0; i != cast<RankedTensorType>(tensor.getType()).getRank();
       ++i)
    if (isOne({tensor, i}))
      dims.push_back(i);
  return dims;
}

FailureOr<Dimension> DimResizer::findDim() {
  auto isTensor = [](Value value) {
    return isa<RankedTensorType>(value.getType());
  };
  auto isSummed = [&](Dimension d) { return dimensions.isSummed(d); };
  if (entry.getNumArguments() == 0 || !isTensor(entry.getArgument(0)))
    return refuse(entry) << "the first argument of @" << entry.getSymName()
                         << " is no tensor";
  Value x = entry.getArgument(0);
  if (name == "rows" || name == "m")
    return choose(x, dimsOf(x, [&](Dimension d) { return !isSummed(d); }));
  if (name == "k")
    return choose(x, dimsOf(x, isSummed));
  if (name == "r") {
    if (entry.getNumArguments() < 2 || !isTensor(entry.getArgument(1)))
      return refuse(entry) << "the second argument of @" << entry.getSymName()
                           << " is no tensor";
    return choose(entry.getArgument(1),
                  dimsOf(entry.getArgument(1), [&](Dimension d) {
                    return isSummed(d) && dimsOf(x, [&](Dimension of) {
                                            return dimensions.areTied(d, of);
                                          }).empty();
                  }));
  }
  auto ret = cast<func::ReturnOp>(entry.front().getTerminator());
  if (ret.getNumOperands() == 0 || !isTensor(ret.getOperand(0)))
    return refuse(entry) << "the first result of @" << entry.getSymName()
                         << " is no tensor";
  return choose(
      ret.getOperand(0), dimsOf(ret.getOperand(0), [&](Dimension d) {
        return dimsOf(x,
                      [&](Dimension of) { return dimensions.areTied(d, of); })
            .empty();
      }));
}

bool DimResizer::hasIt(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  for (int64_t i = 0; type && i != type.getRank(); ++i)
    if (isIt(value, i))
      return true;
  return false;
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
    if (isIt(value, i))
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

LogicalResult mlir::trn::resizeDim(func::FuncOp entry, StringRef name,
                                   int64_t size) {
  SmallVector<func::FuncOp> functions = collectFunctions(entry);
  llvm::for_each(functions, unshareFills);
  return DimResizer(functions, name).resize(size);
}
