//===- KernelGraph.cpp - What the body of a kernel computes ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Lower/KernelGraph.h"

#include "FinishGraph.h"
#include "KernelBatches.h"
#include "NameGraph.h"
#include "StoredTensors.h"
#include "trn/Analysis/Dimensions.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Lower/ExpressionBuilder.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/GroupMatcher.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/ProductLoops.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/RotationMatcher.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;
using planning::Graph;
using planning::Matrix;
using planning::Role;

namespace {
class GraphBuilder {
public:
  explicit GraphBuilder(func::FuncOp kernel)
      : kernel(kernel), dimensions(kernel), stored(findStored(kernel)) {}

  FailureOr<KernelGraph> build();

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitArgument(bufferization::ToTensorOp op);
  LogicalResult visitProduct(linalg::LinalgOp op);
  LogicalResult visitGeneric(linalg::GenericOp op);
  LogicalResult visitResult(Operation *op);
  /// The element of `tensor` as a value of `stage`'s expression.
  FailureOr<unsigned> buildValue(planning::Stage &stage, Value tensor);
  /// The same of `scalar` in the body of `op`.
  FailureOr<unsigned> buildScalar(planning::Stage &stage, linalg::GenericOp op,
                                  Value scalar);
  /// Gives columns of `operand` that are read by group the groups.
  LogicalResult readGroups(linalg::GenericOp op, OpOperand *operand);
  FailureOr<unsigned> buildReduction(planning::Stage &stage,
                                     linalg::GenericOp op);
  planning::Term termOf(linalg::LinalgOp product, unsigned sum);
  LogicalResult addStage(Value tensor);
  LogicalResult visitStore(bufferization::MaterializeInDestinationOp op);

  /// The dim that a dimension of a tensor belongs to.
  unsigned dimOf(Dimension dimension);
  unsigned unitDim(unsigned number);
  bool isBatch(Dimension dimension) const {
    return llvm::any_of(batches, [&](Dimension batch) {
      return dimensions.areTied(batch, dimension);
    });
  }
  /// Gives `matrix` the dims of `tensor`, in their order.
  LogicalResult setDims(Matrix &matrix, Value tensor);
  FailureOr<unsigned> addMatrix(Value tensor, Role role, Location product);
  bool isMatrix(Value value) const { return matrices.contains(value); }

  func::FuncOp kernel;
  Dimensions dimensions;
  Graph graph;
  SmallVector<MatrixLocations> locations;
  /// One dimension of each dim, but of those of vectors.
  SmallVector<Dimension> dims;
  SmallVector<unsigned, 2> units;
  /// Dims that are read for groups of others or, if of none, are repeated.
  DenseMap<unsigned, std::optional<unsigned>> groups;
  /// One dimension of each batch.
  SmallVector<Dimension> batches;
  /// The matrices that tensors hold, in one or the other layout.
  DenseMap<Value, unsigned> matrices;
  /// What has to become a matrix.
  DenseSet<Value> stored;
  /// The products that the stage in the making has sums of, and its type.
  llvm::MapVector<Operation *, unsigned> sums;
  ElementType precision = ElementType::F32;
  /// By position of the argument.
  SmallVector<std::optional<unsigned>> arguments;
};
} // namespace

unsigned GraphBuilder::dimOf(Dimension dimension) {
  for (auto [number, known] : llvm::enumerate(dims))
    if (known.first && dimensions.areTied(known, dimension))
      return number;
  dims.push_back(dimension);
  auto type = cast<RankedTensorType>(dimension.first.getType());
  graph.dims.push_back({"", type.getDimSize(dimension.second)});
  return dims.size() - 1;
}

/// A dim of one index that vectors have beside their own, and scalars twice.
unsigned GraphBuilder::unitDim(unsigned number) {
  if (number == units.size()) {
    units.push_back(graph.dims.size());
    graph.dims.push_back({number == 0 ? "one" : "one2", 1});
    dims.push_back({});
  }
  return units[number];
}

LogicalResult GraphBuilder::setDims(Matrix &matrix, Value tensor) {
  matrix.rowBatches.clear();
  matrix.columnBatches.clear();
  SmallVector<unsigned, 2> own;
  int64_t rank = cast<RankedTensorType>(tensor.getType()).getRank();
  for (int64_t i = 0; i < rank; ++i) {
    Dimension dimension(tensor, i);
    if (!isBatch(dimension))
      own.push_back(dimOf(dimension));
    else if (own.size() < 2)
      (own.empty() ? matrix.rowBatches : matrix.columnBatches)
          .push_back(dimOf(dimension));
    else
      return emitError(tensor.getLoc(), "has a batch as its innermost "
                                        "dimension, but must have columns");
  }
  if (own.size() > 2)
    return emitError(tensor.getLoc(), "has ")
           << own.size() << " dimensions beside batches, but matrices have 2";
  // Vectors are rows, unless they have a batch inside.
  bool isColumn = !matrix.columnBatches.empty();
  for (unsigned number = 0; own.size() < 2; ++number)
    own.insert(isColumn ? own.end() : own.begin(), unitDim(number));
  matrix.rows = own[0];
  matrix.columns = own[1];
  return success();
}

FailureOr<unsigned> GraphBuilder::addMatrix(Value tensor, Role role,
                                            Location product) {
  Matrix matrix;
  matrix.type = *getMatrixElementType(getElementTypeOrSelf(tensor));
  matrix.role = role;
  if (failed(setDims(matrix, tensor)))
    return failure();
  graph.matrices.push_back(matrix);
  locations.push_back({tensor.getLoc(), product});
  matrices[tensor] = graph.matrices.size() - 1;
  return graph.matrices.size() - 1;
}

LogicalResult GraphBuilder::visitArgument(bufferization::ToTensorOp op) {
  auto argument = dyn_cast<BlockArgument>(op.getBuffer());
  if (!argument)
    return op.emitOpError("reads a buffer that is no argument of the kernel");
  std::optional<unsigned> &read = arguments[argument.getArgNumber()];
  if (read)
    return op.emitOpError("reads an argument that is read already");
  Value tensor = op.getResult();
  auto slice = tensor.hasOneUse()
                   ? dyn_cast<tensor::ExtractSliceOp>(*tensor.user_begin())
                   : nullptr;
  if (slice)
    tensor = slice.getResult();
  FailureOr<unsigned> number = addMatrix(tensor, Role::Input, op.getLoc());
  if (failed(number))
    return failure();
  read = *number;
  Matrix &matrix = graph.matrices[*number];
  if (auto band = kernel.getArgAttrOfType<BandAttr>(argument.getArgNumber(),
                                                    "trn.band");
      band && !slice)
    matrix.band = band.getBand();
  if (slice && !(matrix.window = windowOf(slice, graph, matrix)))
    return slice.emitOpError(
        "must take a range of rows and columns, or columns "
        "of several matrices, and have as many dimensions "
        "as what it is a part of");
  return success();
}

LogicalResult GraphBuilder::visitProduct(linalg::LinalgOp op) {
  if (!isZeroFilled(op.getDpsInits()[0]))
    return op->emitOpError("accumulates onto something else than zeros");
  if (!getElementTypeOrSelf(op->getResult(0)).isF32())
    return op->emitOpError("sums in ")
           << getElementTypeOrSelf(op->getResult(0))
           << ", but kernels sum in f32 and round then";
  if (!classifyMatrices(op))
    return op->emitOpError("must run over batches, rows, columns and one "
                           "dimension that it sums over, in this order");
  for (Value operand : op.getDpsInputs())
    if (!isMatrix(operand))
      return op->emitOpError("multiplies what is no matrix of the kernel");
  return visitResult(op);
}

LogicalResult GraphBuilder::visitGeneric(linalg::GenericOp op) {
  std::string obstacle;
  if (op.getNumDpsInits() != 1 ||
      (!op.isAllParallelLoops() && !matchReduction(op, &obstacle)))
    return op.emitOpError("is neither a product nor a reduction, nor computed "
                          "element by element")
           << (obstacle.empty() ? "" : ": ") << obstacle;
  return visitResult(op);
}

LogicalResult GraphBuilder::visitResult(Operation *op) {
  Value result = op->getResult(0);
  if (!getFloatElementType(getElementTypeOrSelf(result)))
    return op->emitOpError("computes what only inputs may hold");
  return stored.contains(result) ? addStage(result) : success();
}

planning::Term GraphBuilder::termOf(linalg::LinalgOp product, unsigned sum) {
  SmallVector<unsigned> summed;
  product.getReductionDims(summed);
  Value left = product.getDpsInputs()[0], right = product.getDpsInputs()[1];
  unsigned position = *product.getIndexingMapsArray()[0].getResultPosition(
      getAffineDimExpr(summed.front(), kernel.getContext()));
  return {matrices.lookup(left), matrices.lookup(right),
          dimOf({left, position}), sum};
}

FailureOr<unsigned> GraphBuilder::buildValue(planning::Stage &stage,
                                             Value tensor) {
  if (isMatrix(tensor))
    return stage.expression.addMatrix(matrices.lookup(tensor));
  Operation *op = tensor.getDefiningOp();
  APFloat constant(0.0f);
  auto fill = dyn_cast_if_present<linalg::FillOp>(op);
  if (matchPattern(fill ? fill.getInputs()[0] : tensor,
                   m_ConstantFloat(&constant)))
    return stage.expression.addConstant(constant.convertToDouble());
  if (auto transpose = dyn_cast_if_present<linalg::TransposeOp>(op))
    return buildValue(stage, transpose.getInput());
  if (isKernelProduct(op)) {
    auto [it, isNew] = sums.insert({op, stage.numSums()});
    if (isNew)
      stage.terms.push_back(termOf(cast<linalg::LinalgOp>(op), it->second));
    return stage.expression.addSum(it->second);
  }
  if (std::optional<int64_t> by = matchRotation(op);
      by && isMatrix(op->getOperand(0)))
    return stage.expression.addMatrix(matrices.lookup(op->getOperand(0)), *by);
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  if (!generic)
    return emitError(tensor.getLoc(), "is computed from what is no matrix of "
                                      "the kernel");
  return buildScalar(stage, generic,
                     generic.getBody()->getTerminator()->getOperand(0));
}

FailureOr<unsigned> GraphBuilder::buildScalar(planning::Stage &stage,
                                              linalg::GenericOp op,
                                              Value scalar) {
  auto readInput = [&](Value scalar) -> FailureOr<unsigned> {
    auto argument = dyn_cast<BlockArgument>(scalar);
    if (!argument || argument.getOwner() != op.getBody() ||
        argument.getArgNumber() >= op.getNumDpsInputs())
      return op.emitOpError("reads what it overwrites");
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (failed(readGroups(op, operand)))
      return failure();
    return buildValue(stage, operand->get());
  };
  ExpressionBuilder builder(stage.expression, precision, readInput);
  return builder.build(scalar);
}

LogicalResult GraphBuilder::readGroups(linalg::GenericOp op,
                                       OpOperand *operand) {
  AffineMap map = op.getMatchingIndexingMap(operand);
  std::optional<int64_t> size = sizeOfGroups(map);
  if (!size && !repeatsColumns(map, op.getShape(operand)))
    return success();
  auto of = size ? std::optional(dimOf({op.getResult(0), 1})) : std::nullopt;
  unsigned own = dimOf({operand->get(), map.getNumResults() - 1});
  if (groups.try_emplace(own, of).first->second != of ||
      (of && *size * graph.sizeOf(own) != graph.sizeOf(*of)))
    return op.emitOpError("reads columns for groups, and repeated or for other "
                          "groups, too");
  graph.dims[own].groupsOf = of;
  return success();
}

FailureOr<unsigned> GraphBuilder::buildReduction(planning::Stage &stage,
                                                 linalg::GenericOp op) {
  MatchedReduction matched = *matchReduction(op);
  for (OpOperand *operand : op.getDpsInputOperands())
    for (auto [position, index] :
         llvm::enumerate(op.getMatchingIndexingMap(operand).getResults()))
      if (!stage.reduction && index.isFunctionOfDim(matched.loop))
        stage.reduction = {matched.function, dimOf({operand->get(), position}),
                           matchGroupReduction(op).has_value()};
  if (!stage.reduction)
    return op.emitOpError("reduces a dimension that it reads nothing of");
  precision = ElementType::F32;
  return buildScalar(stage, op, matched.value);
}

LogicalResult GraphBuilder::addStage(Value tensor) {
  planning::Stage stage;
  sums.clear();
  precision = *getFloatElementType(getElementTypeOrSelf(tensor));
  Operation *op = tensor.getDefiningOp();
  auto reduction = reducesRows(op) ? cast<linalg::GenericOp>(op) : nullptr;
  FailureOr<unsigned> root =
      reduction ? buildReduction(stage, reduction) : buildValue(stage, tensor);
  if (failed(root))
    return failure();
  if (stage.expression.values[*root].kind == planning::Value::Kind::Constant)
    return op->emitOpError("computes nothing but a constant");
  if (stage.expression.writtenSize(*root) > planning::Expression::maxSize)
    return op->emitOpError("is an expression of more than ")
           << planning::Expression::maxSize << " values";
  Location product =
      sums.empty() ? op->getLoc() : sums.begin()->first->getLoc();
  SmallVector<unsigned> used;
  stage.expression = stage.expression.canonical(*root, precision, used);
  // What is reduced is not rounded before.
  if (auto &values = stage.expression.values;
      reduction && values.size() == 2 && values[1].function == Function::Copy)
    values.pop_back();
  SmallVector<planning::Term, 2> terms;
  for (auto [number, sum] : llvm::enumerate(used)) {
    terms.push_back(stage.terms[sum]);
    terms.back().sum = number;
  }
  stage.terms = terms;
  FailureOr<unsigned> result = addMatrix(tensor, Role::Intermediate, product);
  if (failed(result))
    return failure();
  stage.result = *result;
  if (unsigned own = graph.matrices[*result].columns;
      stage.reduction && stage.reduction->byGroup)
    groups[own] = graph.dims[own].groupsOf = stage.reduction->over;
  graph.stages.push_back(stage);
  return success();
}

LogicalResult
GraphBuilder::visitStore(bufferization::MaterializeInDestinationOp op) {
  auto argument = dyn_cast<BlockArgument>(op.getDest());
  std::optional<MovedHeads> heads = matchHeads(op.getSource().getDefiningOp());
  Value source = heads ? heads->rows() : op.getSource();
  if (!argument || !isMatrix(source) ||
      !kernel.getArgAttr(argument.getArgNumber(), "trn.result"))
    return op.emitOpError("must store a matrix in a result argument");
  unsigned number = matrices.lookup(source);
  Matrix &matrix = graph.matrices[number];
  std::optional<unsigned> &stored = arguments[argument.getArgNumber()];
  if (matrix.role == Role::Result)
    return emitError(op.getLoc(),
                     "stores a matrix that another result holds, in the same "
                     "layout or transposed, but a kernel stores each once");
  if (matrix.role != Role::Intermediate || stored)
    return op.emitOpError("must store what a product computes, once");
  stored = number;
  matrix.role = Role::Result;
  if (heads)
    matrix.headColumns = heads->numColumns();
  return setDims(matrix, source);
}

LogicalResult GraphBuilder::visit(Operation *op) {
  if (auto linalg = dyn_cast<linalg::LinalgOp>(op);
      linalg && !linalg.hasPureTensorSemantics())
    return op->emitOpError("works on buffers, but what is compiled to a kernel "
                           "works on tensors");
  for (Value value : op->getResults())
    if (isa<ShapedType>(value.getType()) && !isMatrixType(value.getType()))
      return op->emitOpError("yields ")
             << value.getType()
             << ", but kernels compute static matrices of bf16, f16 or f32";
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](bufferization::ToTensorOp op) { return visitArgument(op); })
      .Case<linalg::MatmulOp, linalg::ContractOp>(
          [&](auto op) { return visitProduct(op); })
      .Case([&](linalg::GenericOp op) { return visitGeneric(op); })
      .Case([&](linalg::TransposeOp op) {
        if (isMatrix(op.getInput()))
          matrices[op->getResult(0)] = matrices.lookup(op.getInput());
        return success();
      })
      .Case([&](tensor::ExpandShapeOp op) -> LogicalResult {
        if (op->hasOneUse() && matchHeads(*op->user_begin()))
          return success();
        return op.emitOpError("takes apart what is not stored as heads");
      })
      .Case([&](bufferization::MaterializeInDestinationOp op) {
        return visitStore(op);
      })
      .Case([&](tensor::ExtractSliceOp op) -> LogicalResult {
        if (isMatrix(op.getResult())) // an argument is a range of
          return success();
        return op.emitOpError("must be all that reads an argument; give the "
                              "kernel what is sliced in two ways twice");
      })
      .Case<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp, func::ReturnOp>(
          [](auto) { return success(); })
      .Default([](Operation *op) {
        return op->emitOpError("has no place in a kernel on tensors");
      });
}

FailureOr<KernelGraph> GraphBuilder::build() {
  arguments.resize(kernel.getNumArguments());
  for (Type type : kernel.getArgumentTypes())
    if (!isMatrixType(type))
      return kernel.emitError("kernel must take static matrices, but takes ")
             << type;
  batches = findBatches(kernel, dimensions);
  for (Operation &op : kernel.front())
    if (failed(visit(&op)))
      return failure();
  // In the order of the arguments, and intermediates behind them.
  llvm::SetVector<unsigned> order;
  for (std::optional<unsigned> argument : arguments) {
    if (!argument)
      return kernel.emitError("kernel must read or write every argument once");
    order.insert(*argument);
  }
  order.insert_range(llvm::seq<unsigned>(0, graph.matrices.size()));
  SmallVector<MatrixLocations> places;
  for (unsigned number : finishGraph(graph, order.takeVector()))
    places.push_back(locations[number]);
  for (auto [matrix, place] : llvm::zip_equal(graph.matrices, places))
    if (matrix.rows == matrix.columns)
      return emitError(place.value)
             << "the rows and columns of this matrix would be one dim; give "
                "the kernel a matrix that is read in two ways twice";
  nameGraph(graph, units);
  return KernelGraph{std::move(graph), std::move(places)};
}

FailureOr<KernelGraph> mlir::trn::buildKernelGraph(func::FuncOp kernel) {
  return GraphBuilder(kernel).build();
}
