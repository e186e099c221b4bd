//===- ResizeRows.cpp - Give X another number of rows ---------------------===//
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

#include "trn/Transforms/ResizeRows.h"

#include "trn/Analysis/Dimensions.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
class RowResizer {
public:
  /// `functions`: the entry first, then what it calls.
  explicit RowResizer(ArrayRef<func::FuncOp> functions)
      : functions(functions), entry(functions.front()), dimensions(functions) {}

  LogicalResult resize(int64_t rows);

private:
  FailureOr<int64_t> findRows();
  bool isRow(Value value, int64_t dimension) const {
    return dimensions.areTied({value, dimension}, row);
  }
  bool hasRows(Value value) const;
  /// Whether `op` or an op inside reads or makes a tensor that has the rows.
  bool usesRows(Operation *op) const;
  /// Says why the rows cannot pass through `op`.
  LogicalResult checkOp(Operation *op);
  /// Says who else needs the types of `function` if it has the rows.
  LogicalResult checkCallers(func::FuncOp function);
  void retype(Value value, int64_t rows);
  /// Lets `function` and its ops say what the types say.
  void updateAttributes(func::FuncOp function);

  ArrayRef<func::FuncOp> functions;
  func::FuncOp entry;
  Dimensions dimensions;
  Dimension row;
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

/// Returns the dimension of the first argument that holds its rows.
FailureOr<int64_t> RowResizer::findRows() {
  auto type = entry.getNumArguments() == 0
                  ? RankedTensorType()
                  : dyn_cast<RankedTensorType>(entry.getArgument(0).getType());
  if (!type)
    return entry.emitError("rows cannot vary: the first argument of @")
           << entry.getSymName() << " is no tensor";
  SmallVector<int64_t> found;
  for (int64_t i = 0; i != type.getRank(); ++i)
    if (!dimensions.isSummed({entry.getArgument(0), i}))
      found.push_back(i);
  auto isBatch = [&](int64_t i) {
    return dimensions.isBatch({entry.getArgument(0), i});
  };
  if (!llvm::all_of(found, isBatch))
    llvm::erase_if(found, isBatch);
  // A batch of one beside the rows is not what is meant.
  if (llvm::any_of(found, [&](int64_t i) { return type.getDimSize(i) != 1; }))
    llvm::erase_if(found, [&](int64_t i) { return type.getDimSize(i) == 1; });
  if (found.size() == 1)
    return found.front();
  InFlightDiagnostic error = entry.emitError("rows cannot vary: ");
  if (found.empty())
    return error << "every dimension of the first argument is summed over";
  error << "dimensions ";
  llvm::interleaveComma(found, error);
  return error << " of the first argument may be its rows, because "
                  "nothing is summed over them";
}

bool RowResizer::hasRows(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  for (int64_t i = 0; type && i != type.getRank(); ++i)
    if (isRow(value, i))
      return true;
  return false;
}

bool RowResizer::usesRows(Operation *op) const {
  auto hasThem = [&](Value value) { return hasRows(value); };
  return op
      ->walk([&](Operation *inner) {
        return llvm::any_of(inner->getOperands(), hasThem) ||
                       llvm::any_of(inner->getResults(), hasThem)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult RowResizer::checkOp(Operation *op) {
  if (dimensions.isOpaque(op))
    return op->emitError("rows cannot vary: nothing is known about how '")
           << op->getName() << "' depends on them";
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (!isa<SplatElementsAttr>(constant.getValue()))
      return op->emitError(
          "rows cannot vary: a constant has a value for each of them");
  if (dimensions.isMixed(op, row))
    return op->emitError("rows cannot vary: '")
           << op->getName() << "' computes an index from them";
  // A reshape of the rows that keeps them is one that ties them.
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
      hasRows(op->getOperand(0)) != hasRows(op->getResult(0)))
    return op->emitError("rows cannot vary: '")
           << op->getName() << "' splits or merges them";
  return success();
}

LogicalResult RowResizer::checkCallers(func::FuncOp function) {
  bool hasThem = llvm::any_of(function.getArguments(),
                              [&](Value value) { return hasRows(value); });
  for (auto ret : function.getOps<func::ReturnOp>())
    hasThem |= usesRows(ret);
  if (!hasThem)
    return success();
  auto uses = SymbolTable::getSymbolUses(function, function->getParentOp());
  for (SymbolTable::SymbolUse use : *uses) {
    Operation *user = use.getUser();
    if (!isa<func::CallOp>(user) ||
        !llvm::is_contained(functions, user->getParentOp()))
      return user->emitError("rows cannot vary: this needs @")
             << function.getSymName() << " as it is";
  }
  return success();
}

void RowResizer::retype(Value value, int64_t rows) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return;
  SmallVector<int64_t> shape(type.getShape());
  for (auto [i, size] : llvm::enumerate(shape))
    if (isRow(value, i))
      size = rows;
  value.setType(type.clone(shape));
}

void RowResizer::updateAttributes(func::FuncOp function) {
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

LogicalResult RowResizer::resize(int64_t rows) {
  FailureOr<int64_t> found = findRows();
  if (failed(found))
    return failure();
  row = {entry.getArgument(0), *found};

  SmallVector<Value> resized;
  for (func::FuncOp function : functions) {
    if (failed(checkCallers(function)))
      return failure();
    llvm::append_range(resized, function.getArguments());
    for (Operation &op : function.getBody().getOps()) {
      llvm::append_range(resized, op.getResults());
      if (usesRows(&op) && failed(checkOp(&op)))
        return failure();
    }
  }
  for (Value value : resized)
    retype(value, rows);
  for (func::FuncOp function : functions)
    updateAttributes(function);
  return success();
}

LogicalResult mlir::trn::resizeRows(func::FuncOp entry, int64_t rows) {
  SmallVector<func::FuncOp> functions = collectFunctions(entry);
  llvm::for_each(functions, unshareFills);
  return RowResizer(functions).resize(rows);
}
