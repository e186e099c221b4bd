//===- ResizeRows.cpp - Give X another number of rows ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Dimensions of tensors that must be equal, whatever their size, fall into one
// class:
//
//   %y = linalg.matmul ins(%x, %u) outs(%z)     (%x, 0) ~ (%y, 0) ~ (%z, 0)
//                                               (%x, 1) ~ (%u, 0)
//                                               (%u, 1) ~ (%y, 1) ~ (%z, 1)
//
// All tensors with a dimension in the class of the rows get a new type. Equal
// sizes by themselves tie nothing.
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/ResizeRows.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
using Dimension = std::pair<void *, int64_t>;

class RowClasses {
public:
  explicit RowClasses(func::FuncOp entry) : entry(entry) {}

  LogicalResult resize(int64_t rows);

private:
  static Dimension at(Value value, int64_t dimension) {
    return {value.getAsOpaquePointer(), dimension};
  }
  void tie(Value a, int64_t i, Value b, int64_t j) {
    classes.unionSets(at(a, i), at(b, j));
  }
  /// Ties all dimensions of two tensors of one shape.
  void tie(Value a, Value b);
  void tieLinalg(linalg::LinalgOp op);
  /// Ties the dimensions that a reshape neither splits nor merges.
  void tieReshape(Value narrow, Value wide,
                  ArrayRef<ReassociationIndices> groups);
  void tieCall(func::CallOp call);
  void tieReturn(func::ReturnOp ret);
  /// Ties what `op` needs to be equal; false if nothing is known about it.
  bool tieOp(Operation *op);

  FailureOr<int64_t> findRows();
  bool isRow(Value value, int64_t dimension) const {
    return classes.isEquivalent(at(value, dimension), row);
  }
  bool hasRows(Value value) const;
  /// Whether `op` or an op inside reads or makes a tensor that has the rows.
  bool usesRows(Operation *op) const;
  /// Says why the rows cannot pass through `op`.
  LogicalResult checkOp(Operation *op);
  /// Says who else needs the types of `function` if it has the rows.
  LogicalResult checkCallers(func::FuncOp function);
  void retype(Value value, int64_t rows);

  func::FuncOp entry;
  llvm::EquivalenceClasses<Dimension> classes;
  /// Dimensions that a product or a reduction sums over.
  SmallVector<Dimension> summed;
  /// Dimensions that linalg ops index with more than one loop.
  SmallVector<std::pair<Operation *, Dimension>> mixed;
  /// Ops about which nothing is known.
  SmallVector<Operation *> opaque;
  /// The entry and what it calls.
  llvm::SetVector<Operation *> functions;
  Dimension row;
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

void RowClasses::tie(Value a, Value b) {
  auto type = dyn_cast<RankedTensorType>(a.getType());
  for (int64_t i = 0; type && i != type.getRank(); ++i)
    tie(a, i, b, i);
}

void RowClasses::tieLinalg(linalg::LinalgOp op) {
  SmallVector<std::optional<std::pair<Value, int64_t>>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    for (auto [i, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      auto &first = loops[loop.getPosition()];
      if (first)
        tie(first->first, first->second, operand.get(), i);
      else
        first = {operand.get(), i};
    }
  }
  // An index such as d0 + d1 is equal to neither.
  for (OpOperand &operand : op->getOpOperands())
    for (auto [i, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      if (isa<AffineDimExpr>(expr))
        continue;
      mixed.emplace_back(op, at(operand.get(), i));
      for (auto [loop, first] : llvm::enumerate(loops))
        if (first && expr.isFunctionOfDim(loop))
          mixed.emplace_back(op, at(first->first, first->second));
    }
  for (auto [iterator, first] :
       llvm::zip_equal(op.getIteratorTypesArray(), loops))
    if (first && iterator == utils::IteratorType::reduction)
      summed.push_back(at(first->first, first->second));
  for (auto [init, result] : llvm::zip(op.getDpsInits(), op->getResults()))
    tie(init, result);
}

void RowClasses::tieReshape(Value narrow, Value wide,
                            ArrayRef<ReassociationIndices> groups) {
  auto type = cast<RankedTensorType>(wide.getType());
  for (auto [i, group] : llvm::enumerate(groups)) {
    // Beside dimensions of size 1 a dimension stays what it is.
    SmallVector<int64_t> kept = llvm::to_vector(llvm::make_filter_range(
        group, [&](int64_t j) { return type.getDimSize(j) != 1; }));
    if (kept.size() == 1)
      tie(narrow, i, wide, kept.front());
    else if (kept.empty() && group.size() == 1)
      tie(narrow, i, wide, group.front());
  }
}

void RowClasses::tieCall(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee || callee.isExternal()) {
    opaque.push_back(call);
    return;
  }
  functions.insert(callee);
  for (auto [operand, argument] :
       llvm::zip(call.getOperands(), callee.getArguments()))
    tie(operand, argument);
  for (auto ret : callee.getOps<func::ReturnOp>())
    for (auto [operand, result] :
         llvm::zip(ret.getOperands(), call.getResults()))
      tie(operand, result);
}

/// All returns of a function return the same types.
void RowClasses::tieReturn(func::ReturnOp ret) {
  auto first = *ret->getParentOp()->getRegion(0).op_begin<func::ReturnOp>();
  for (auto [a, b] : llvm::zip(first.getOperands(), ret.getOperands()))
    tie(a, b);
}

bool RowClasses::tieOp(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    tieLinalg(linalgOp);
  else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    tieReshape(collapse.getResult(), collapse.getSrc(),
               collapse.getReassociationIndices());
  else if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    tieReshape(expand.getSrc(), expand.getResult(),
               expand.getReassociationIndices());
  else if (auto call = dyn_cast<func::CallOp>(op))
    tieCall(call);
  else if (auto ret = dyn_cast<func::ReturnOp>(op))
    tieReturn(ret);
  else if (OpTrait::hasElementwiseMappableTraits(op))
    for (Value operand : op->getOperands())
      tie(operand, op->getResult(0));
  else
    return isa<tensor::EmptyOp, arith::ConstantOp>(op);
  return true;
}

/// Returns the dimension of the first argument that holds its rows.
FailureOr<int64_t> RowClasses::findRows() {
  auto type = entry.getNumArguments() == 0
                  ? RankedTensorType()
                  : dyn_cast<RankedTensorType>(entry.getArgument(0).getType());
  if (!type)
    return entry.emitError("rows cannot vary: the first argument of @")
           << entry.getSymName() << " is no tensor";
  SmallVector<int64_t> found;
  for (int64_t i = 0; i != type.getRank(); ++i)
    if (llvm::none_of(summed, [&](Dimension dimension) {
          return classes.isEquivalent(dimension, at(entry.getArgument(0), i));
        }))
      found.push_back(i);
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

bool RowClasses::hasRows(Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  for (int64_t i = 0; type && i != type.getRank(); ++i)
    if (isRow(value, i))
      return true;
  return false;
}

bool RowClasses::usesRows(Operation *op) const {
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

LogicalResult RowClasses::checkOp(Operation *op) {
  if (llvm::is_contained(opaque, op))
    return op->emitError("rows cannot vary: nothing is known about how '")
           << op->getName() << "' depends on them";
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    if (!isa<SplatElementsAttr>(constant.getValue()))
      return op->emitError(
          "rows cannot vary: a constant has a value for each of them");
  if (llvm::any_of(mixed, [&](const auto &entry) {
        return entry.first == op && classes.isEquivalent(entry.second, row);
      }))
    return op->emitError("rows cannot vary: '")
           << op->getName() << "' computes an index from them";
  // A reshape of the rows that keeps them is one that ties them.
  auto keeps = [&](Value source, Value result) {
    return hasRows(source) == hasRows(result);
  };
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
      !keeps(op->getOperand(0), op->getResult(0)))
    return op->emitError("rows cannot vary: '")
           << op->getName() << "' splits or merges them";
  return success();
}

LogicalResult RowClasses::checkCallers(func::FuncOp function) {
  bool hasThem = llvm::any_of(function.getArguments(),
                              [&](Value value) { return hasRows(value); });
  for (auto ret : function.getOps<func::ReturnOp>())
    hasThem |= usesRows(ret);
  if (!hasThem)
    return success();
  auto uses = SymbolTable::getSymbolUses(function, function->getParentOp());
  for (SymbolTable::SymbolUse use : *uses) {
    Operation *user = use.getUser();
    if (!isa<func::CallOp>(user) || !functions.contains(user->getParentOp()))
      return user->emitError("rows cannot vary: this needs @")
             << function.getSymName() << " as it is";
  }
  return success();
}

/// `type` with `rows` where `isRow` says so.
static Type resizeType(Type type, int64_t rows,
                       function_ref<bool(int64_t)> isRow) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return type;
  SmallVector<int64_t> shape(tensor.getShape());
  for (auto [i, size] : llvm::enumerate(shape))
    if (isRow(i))
      size = rows;
  return tensor.clone(shape);
}

void RowClasses::retype(Value value, int64_t rows) {
  value.setType(resizeType(value.getType(), rows,
                           [&](int64_t i) { return isRow(value, i); }));
}

LogicalResult RowClasses::resize(int64_t rows) {
  functions.insert(entry);
  // Calls add functions while this runs.
  for (size_t i = 0; i != functions.size(); ++i) {
    auto function = cast<func::FuncOp>(functions[i]);
    unshareFills(function);
    for (Operation &op : function.getBody().getOps())
      if (!tieOp(&op))
        opaque.push_back(&op);
  }
  FailureOr<int64_t> found = findRows();
  if (failed(found))
    return failure();
  row = at(entry.getArgument(0), *found);

  SmallVector<Value> resized;
  for (Operation *function : functions) {
    auto func = cast<func::FuncOp>(function);
    if (failed(checkCallers(func)))
      return failure();
    llvm::append_range(resized, func.getArguments());
    for (Operation &op : func.getBody().getOps()) {
      llvm::append_range(resized, op.getResults());
      if (usesRows(&op) && failed(checkOp(&op)))
        return failure();
    }
  }
  for (Value value : resized)
    retype(value, rows);
  for (Operation *function : functions) {
    auto func = cast<func::FuncOp>(function);
    for (auto ret : func.getOps<func::ReturnOp>())
      func.setType(FunctionType::get(func.getContext(),
                                     func.front().getArgumentTypes(),
                                     ret.getOperandTypes()));
    for (auto constant : func.getOps<arith::ConstantOp>())
      if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
        constant.setValueAttr(
            splat.resizeSplat(cast<ShapedType>(constant.getType())));
    for (auto expand : func.getOps<tensor::ExpandShapeOp>())
      expand.setStaticOutputShape(
          cast<ShapedType>(expand.getType()).getShape());
  }
  return success();
}

LogicalResult mlir::trn::resizeRows(func::FuncOp entry, int64_t rows) {
  return RowClasses(entry).resize(rows);
}
