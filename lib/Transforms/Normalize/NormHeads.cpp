//===- NormHeads.cpp - Norms of all heads at once -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One product computes the queries of all heads. Some models norm each head of
// a row by itself before they rotate it:
//
//   %q = %x * %w                                   [rows, heads * columns]
//   %h = expand %q                                 [rows, heads, columns]
//   %s = sum of %h * %h over columns               [rows, heads]
//   %n = %h * rsqrt(%s) * gain                     [rows, heads, columns]
//
// Heads are batches of such a norm, and batches of a product are steps of a
// kernel, so this would be a kernel of its own. Where rows of all heads are
// computed, engines can norm them there. What is reduced are groups of columns:
//
//   %s = group reduction of %q * %q                [rows, heads]
//   %n = expand (%q * rsqrt(%s) * gain)

#include "NormHeads.h"

#include "ElementwiseOps.h"
#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/GroupMatcher.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/RotationMatcher.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// What is computed of the heads of rows, element by element and by reductions
/// of their columns.
class HeadNorm {
public:
  /// `heads` takes rows apart: [rows, heads, columns].
  explicit HeadNorm(tensor::ExpandShapeOp heads) : heads(heads) {}

  /// Finds the ops; whether elements are computed with numbers of their heads.
  bool match();
  /// Computes elements of whole rows.
  void rewrite();

private:
  /// What a tensor has: the columns of heads, or a number for each head.
  enum class Kind : uint8_t { Columns, Numbers };

  bool matchHeads();
  bool mayRead(OpOperand *operand) const;
  std::optional<Kind> findKind(linalg::GenericOp op) const;
  bool readsNumbers(linalg::GenericOp op) const;
  Value computeRows(linalg::GenericOp op) const;

  tensor::ExpandShapeOp heads;
  int64_t width = 0; // the columns of a head
  llvm::MapVector<Value, Kind> known;
  DenseMap<Value, Value> rows; // of what has the columns of heads
};
} // namespace

static AffineMap mapOfLoops(MLIRContext *context, unsigned count) {
  return AffineMap::getMultiDimIdentityMap(count, context);
}

/// (row, head, column) -> (row, head)
static AffineMap mapOfNumbers(MLIRContext *context) {
  return mapOfLoops(context, 3).dropResult(2);
}

/// Whether all heads read the same by `map`: columns, or rows and columns.
static bool isOfAllHeads(AffineMap map) {
  return map.isProjectedPermutation() && map.getNumResults() > 0 &&
         !map.isFunctionOfDim(1) &&
         map.getResults().back() == getAffineDimExpr(2, map.getContext());
}

/// Whether `operand` is known, or the same for all heads, and read as such by
/// loops over rows, heads and, if it reads columns, these.
bool HeadNorm::mayRead(OpOperand *operand) const {
  auto op = cast<linalg::GenericOp>(operand->getOwner());
  AffineMap map = op.getMatchingIndexingMap(operand);
  MLIRContext *context = op.getContext();
  const auto *it = known.find(operand->get());
  bool reduces = !op.isAllParallelLoops(), hasColumns = op.getNumLoops() == 3;
  if (it == known.end())
    return !reduces && hasColumns && isOfAllHeads(map);
  if (it->second == Kind::Columns)
    return hasColumns && map == mapOfLoops(context, 3);
  return !reduces &&
         map == (hasColumns ? mapOfNumbers(context) : mapOfLoops(context, 2));
}

/// What `op` computes, if it may read all of its operands.
std::optional<HeadNorm::Kind> HeadNorm::findKind(linalg::GenericOp op) const {
  bool hasColumns = op.getNumLoops() == 3;
  bool reduces = hasColumns && isReduction(op) && matchReduction(op);
  AffineMap result = reduces ? mapOfNumbers(op.getContext())
                             : mapOfLoops(op.getContext(), hasColumns ? 3 : 2);
  if (op->getBlock() != heads->getBlock() || op.getNumDpsInits() != 1 ||
      !(reduces || trn::isElementwise(op)) || op.hasIndexSemantics() ||
      op.getIndexingMapsArray().back() != result ||
      !llvm::all_of(op.getDpsInputOperands(),
                    [&](OpOperand *operand) { return mayRead(operand); }))
    return std::nullopt;
  return hasColumns && !reduces ? Kind::Columns : Kind::Numbers;
}

/// Whether it computes columns with a number of each head.
bool HeadNorm::readsNumbers(linalg::GenericOp op) const {
  return op.getNumLoops() == 3 &&
         llvm::any_of(op.getDpsInputs(), [&](Value input) {
           const auto *it = known.find(input);
           return it != known.end() && it->second == Kind::Numbers;
         });
}

/// Rows of several heads.
bool HeadNorm::matchHeads() {
  RankedTensorType type = heads.getResultType();
  FailureOr<Machine> machine = getMachine(heads);
  if (heads.getReassociationIndices() !=
          ArrayRef<ReassociationIndices>{{0}, {1, 2}} ||
      !type.hasStaticShape() || type.getDimSize(0) < 2 ||
      type.getDimSize(1) < 2 || failed(machine))
    return false;
  width = type.getDimSize(2);
  return width > 1 && fitsBlocks(width, *machine) &&
         isOfProduct(heads.getSrc());
}

bool HeadNorm::match() {
  if (!matchHeads())
    return false;
  known[heads.getResult()] = Kind::Columns;
  bool isNorm = false;
  // They become more while they are visited. What reads two of them is visited
  // by the second one, too.
  for (size_t i = 0; i < known.size(); ++i) {
    Value value = known.begin()[i].first;
    for (Operation *user : llvm::to_vector(value.getUsers())) {
      auto generic = dyn_cast<linalg::GenericOp>(user);
      if (!generic || known.contains(generic.getResult(0)))
        continue;
      if (std::optional<Kind> kind = findKind(generic)) {
        known[generic.getResult(0)] = *kind;
        isNorm |= readsNumbers(generic);
      }
    }
  }
  return isNorm;
}

//===----------------------------------------------------------------------===//
// Computing all heads at once
//===----------------------------------------------------------------------===//

/// The rows of what `op` computes of columns.
Value HeadNorm::computeRows(linalg::GenericOp op) const {
  OpBuilder builder(op);
  MLIRContext *context = op.getContext();
  AffineExpr row = builder.getAffineDimExpr(0),
             column = builder.getAffineDimExpr(1);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    Value own = rows.lookup(operand->get());
    inputs.push_back(own ? own : operand->get());
    SmallVector<AffineExpr> indices{row, column};
    if (!own && map == mapOfNumbers(context))
      indices[1] = groupOfColumn(column, width);
    else if (!own)
      indices[1] = repeatColumns(column, width);
    if (!own && map.getNumResults() == 1)
      indices.erase(indices.begin());
    maps.push_back(AffineMap::get(2, 0, indices, context));
  }
  maps.push_back(mapOfLoops(context, 2));
  auto type = cast<RankedTensorType>(heads->getOperand(0).getType())
                  .clone(getElementTypeOrSelf(op.getResult(0)));
  Value empty = tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                        type.getElementType());
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  auto created = linalg::GenericOp::create(builder, op.getLoc(), type, inputs,
                                           empty, maps, loops);
  builder.cloneRegionBefore(op.getRegion(), created.getRegion(),
                            created.getRegion().begin());
  return created.getResult(0);
}

void HeadNorm::rewrite() {
  rows[heads.getResult()] = heads.getSrc();
  SmallVector<linalg::GenericOp> ops;
  for (auto [value, kind] : known)
    if (auto op = value.getDefiningOp<linalg::GenericOp>())
      ops.push_back(op);
  for (linalg::GenericOp op : ops) {
    if (isReduction(op)) {
      auto inputs = llvm::map_to_vector(
          op.getDpsInputs(), [&](Value input) { return rows.lookup(input); });
      OpBuilder builder(op);
      op.getResult(0).replaceAllUsesWith(
          emitGroupReduction(builder, op, inputs));
    } else if (op.getNumLoops() == 3) {
      rows[op.getResult(0)] = computeRows(op);
    }
  }
  for (linalg::GenericOp op : llvm::reverse(ops)) {
    Value own = rows.lookup(op.getResult(0));
    if (own && !op->use_empty()) {
      OpBuilder builder(op);
      op.getResult(0).replaceAllUsesWith(
          reshape(builder, op.getLoc(), own,
                  heads.getResultType().clone(getElementTypeOrSelf(own))));
    }
    if (op->use_empty())
      op.erase();
  }
}

void mlir::trn::normHeads(func::FuncOp func) {
  SmallVector<tensor::ExpandShapeOp> all;
  func.walk([&](tensor::ExpandShapeOp op) { all.push_back(op); });
  for (tensor::ExpandShapeOp op : all)
    if (HeadNorm norm(op); norm.match())
      norm.rewrite();
}
