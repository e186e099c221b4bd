//===- KernelGraph.cpp - What the body of a kernel computes ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/KernelGraph.h"

#include "ExpressionBuilder.h"
#include "ProductMatcher.h"
#include "trn/Analysis/Dimensions.h"
#include "trn/Dialect/Trn/IR/Memory.h"

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
      : kernel(kernel), dimensions(kernel) {}

  FailureOr<KernelGraph> build();

private:
  LogicalResult visit(Operation *op);
  LogicalResult visitArgument(bufferization::ToTensorOp op);
  LogicalResult visitProduct(linalg::MatmulOp op);
  LogicalResult visitTranspose(linalg::TransposeOp op);
  LogicalResult visitElementwise(linalg::GenericOp op);
  LogicalResult visitResult(Operation *op);
  /// The element of `tensor` as a value of `stage`'s expression.
  FailureOr<unsigned> buildValue(planning::Stage &stage, Value tensor);
  LogicalResult addStage(Value tensor);
  void findMatrices();
  LogicalResult visitStore(bufferization::MaterializeInDestinationOp op);
  void name();

  /// The dim that a dimension of a tensor belongs to.
  unsigned dimOf(Dimension dimension);
  unsigned addUnit();
  unsigned addMatrix(Value tensor, Role role, Location product);
  bool isMatrix(Value value) const { return matrices.contains(value); }

  func::FuncOp kernel;
  Dimensions dimensions;
  Graph graph;
  SmallVector<MatrixLocations> locations;
  /// One dimension of each dim, but of the one of vectors.
  SmallVector<Dimension> dims;
  std::optional<unsigned> unit;
  /// The matrices that tensors hold, in one or the other layout.
  DenseMap<Value, unsigned> matrices;
  /// What has to become a matrix: all others are parts of one expression each.
  DenseSet<Value> stored;
  /// The products that the stage in the making has sums of.
  llvm::MapVector<Operation *, unsigned> sums;
  /// By position of the argument.
  SmallVector<std::optional<unsigned>> arguments;
};
} // namespace

bool mlir::trn::hasTensorBody(func::FuncOp kernel) {
  return !kernel.getBody().empty() &&
         !kernel.getOps<linalg::LinalgOp>().empty();
}

unsigned GraphBuilder::dimOf(Dimension dimension) {
  for (auto [number, known] : llvm::enumerate(dims))
    if (known.first && dimensions.areTied(known, dimension))
      return number;
  dims.push_back(dimension);
  auto type = cast<RankedTensorType>(dimension.first.getType());
  graph.dims.push_back({"", type.getDimSize(dimension.second)});
  return dims.size() - 1;
}

/// The dim of one index that vectors have beside their own.
unsigned GraphBuilder::addUnit() {
  if (!unit) {
    unit = graph.dims.size();
    graph.dims.push_back({"one", 1});
    dims.push_back({});
  }
  return *unit;
}

unsigned GraphBuilder::addMatrix(Value tensor, Role role, Location product) {
  bool isVector = cast<RankedTensorType>(tensor.getType()).getRank() == 1;
  unsigned rows = isVector ? addUnit() : dimOf({tensor, 0});
  unsigned columns = dimOf({tensor, isVector ? 0 : 1});
  ElementType type = *getElementType(getElementTypeOrSelf(tensor));
  graph.matrices.push_back({"", rows, columns, type, role});
  locations.push_back({tensor.getLoc(), product});
  matrices[tensor] = graph.matrices.size() - 1;
  return graph.matrices.size() - 1;
}

static bool isMatrixType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() &&
         (shaped.getRank() == 1 || shaped.getRank() == 2) &&
         shaped.hasStaticShape() && getElementType(shaped.getElementType());
}

LogicalResult GraphBuilder::visitArgument(bufferization::ToTensorOp op) {
  auto argument = dyn_cast<BlockArgument>(op.getBuffer());
  if (!argument)
    return op.emitOpError("reads a buffer that is no argument of the kernel");
  std::optional<unsigned> &read = arguments[argument.getArgNumber()];
  if (read)
    return op.emitOpError("reads an argument that is read already");
  read = addMatrix(op.getResult(), Role::Input, op.getLoc());
  return success();
}

LogicalResult GraphBuilder::visitProduct(linalg::MatmulOp op) {
  if (!isZeroFilled(op.getOutputs()[0]))
    return op.emitOpError("accumulates onto something else than zeros");
  if (!getElementTypeOrSelf(op.getResult(0)).isF32())
    return op.emitOpError("sums in ")
           << getElementTypeOrSelf(op.getResult(0))
           << ", but kernels sum in f32 and round then";
  for (Value operand : op.getInputs())
    if (!isMatrix(operand))
      return op.emitOpError("multiplies what is no matrix of the kernel");
  return visitResult(op);
}

LogicalResult GraphBuilder::visitTranspose(linalg::TransposeOp op) {
  if (isMatrix(op.getInput()))
    matrices[op->getResult(0)] = matrices.lookup(op.getInput());
  return success();
}

LogicalResult GraphBuilder::visitElementwise(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1 || op.getNumParallelLoops() != op.getNumLoops())
    return op.emitOpError("is neither a product nor computed element by "
                          "element");
  return visitResult(op);
}

LogicalResult GraphBuilder::visitResult(Operation *op) {
  return stored.contains(op->getResult(0)) ? addStage(op->getResult(0))
                                           : success();
}

/// Whether `user` reads each element of `value`, which it takes, once.
static bool readsOnce(linalg::GenericOp user, Value value) {
  return llvm::all_of(user->getOpOperands(), [&](OpOperand &operand) {
    return operand.get() != value ||
           user.getMatchingIndexingMap(&operand).isPermutation();
  });
}

/// What is multiplied, stored or repeated, and what several of these are
/// computed from.
void GraphBuilder::findMatrices() {
  DenseSet<Value> ofProducts;
  for (Operation &op : kernel.front())
    if (isa<linalg::MatmulOp>(op) ||
        llvm::any_of(op.getOperands(), [&](Value operand) {
          return ofProducts.contains(operand);
        }))
      ofProducts.insert_range(op.getResults());
  // By tensor: what it is a part of.
  DenseMap<Value, llvm::SmallSetVector<Value, 2>> wholes;
  for (Operation &op : llvm::reverse(kernel.front())) {
    if (!isa<linalg::LinalgOp>(op) || op.getNumResults() != 1)
      continue;
    Value result = op.getResult(0);
    llvm::SmallSetVector<Value, 2> all;
    for (Operation *user : result.getUsers()) {
      if (!isa<linalg::GenericOp, linalg::TransposeOp>(user) ||
          user->getNumResults() != 1) {
        all.insert(result);
        continue;
      }
      Value other = user->getResult(0);
      auto generic = dyn_cast<linalg::GenericOp>(user);
      if (generic && ofProducts.contains(result) && !readsOnce(generic, result))
        all.insert(result);
      if (stored.contains(other) && isa<linalg::GenericOp>(user))
        all.insert(other);
      else if (stored.contains(other))
        all.insert(result);
      else
        all.insert_range(wholes[other]);
    }
    if (all.size() > 1 || all.contains(result))
      stored.insert(result);
    wholes[result] = std::move(all);
  }
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
  if (auto product = dyn_cast_if_present<linalg::MatmulOp>(op)) {
    auto [it, isNew] = sums.insert({product, stage.numSums()});
    if (isNew) {
      // Dims of the op are rows, columns and contraction.
      Value left = product.getInputs()[0], right = product.getInputs()[1];
      unsigned position = *product.getIndexingMapsArray()[0].getResultPosition(
          getAffineDimExpr(2, kernel.getContext()));
      stage.terms.push_back({matrices.lookup(left), matrices.lookup(right),
                             dimOf({left, position}), it->second});
    }
    return stage.expression.addSum(it->second);
  }
  auto generic = dyn_cast_if_present<linalg::GenericOp>(op);
  if (!generic)
    return emitError(tensor.getLoc(), "is computed from what is no matrix of "
                                      "the kernel");
  auto readInput = [&](Value scalar) -> FailureOr<unsigned> {
    auto argument = dyn_cast<BlockArgument>(scalar);
    if (!argument || argument.getOwner() != generic.getBody() ||
        argument.getArgNumber() >= generic.getNumDpsInputs())
      return generic.emitOpError("reads what it overwrites");
    return buildValue(stage, generic.getMatchingOpOperand(argument)->get());
  };
  ExpressionBuilder builder(stage.expression, readInput);
  return builder.build(generic.getBody()->getTerminator()->getOperand(0));
}

LogicalResult GraphBuilder::addStage(Value tensor) {
  planning::Stage stage;
  sums.clear();
  FailureOr<unsigned> root = buildValue(stage, tensor);
  if (failed(root))
    return failure();
  Operation *op = tensor.getDefiningOp();
  if (stage.expression.values[*root].kind == planning::Value::Kind::Constant)
    return op->emitOpError("computes nothing but a constant");
  if (stage.terms.empty() && graph.stages.empty())
    return op->emitOpError("computes nothing of a product");
  if (stage.expression.writtenSize(*root) > planning::Expression::maxSize)
    return op->emitOpError("is an expression of more than ")
           << planning::Expression::maxSize << " values";
  Location product =
      sums.empty() ? op->getLoc() : sums.begin()->first->getLoc();
  SmallVector<unsigned> used;
  stage.expression = stage.expression.canonical(
      *root, *getElementType(getElementTypeOrSelf(tensor)), used);
  SmallVector<planning::Term, 2> terms;
  for (auto [number, sum] : llvm::enumerate(used)) {
    terms.push_back(stage.terms[sum]);
    terms.back().sum = number;
  }
  stage.terms = terms;
  stage.result = addMatrix(tensor, Role::Intermediate, product);
  graph.stages.push_back(stage);
  return success();
}

LogicalResult
GraphBuilder::visitStore(bufferization::MaterializeInDestinationOp op) {
  auto argument = dyn_cast<BlockArgument>(op.getDest());
  if (!argument || !isMatrix(op.getSource()) ||
      !kernel.getArgAttr(argument.getArgNumber(), "trn.result"))
    return op.emitOpError("must store a matrix in a result argument");
  unsigned number = matrices.lookup(op.getSource());
  Matrix &matrix = graph.matrices[number];
  std::optional<unsigned> &stored = arguments[argument.getArgNumber()];
  if (matrix.role != Role::Intermediate || stored)
    return op.emitOpError("must store what a product computes, once");
  stored = number;
  matrix.role = Role::Result;
  if (cast<RankedTensorType>(op.getSource().getType()).getRank() == 1)
    return success();
  matrix.rows = dimOf({op.getSource(), 0});
  matrix.columns = dimOf({op.getSource(), 1});
  return success();
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
      .Case([&](linalg::MatmulOp op) { return visitProduct(op); })
      .Case([&](linalg::GenericOp op) { return visitElementwise(op); })
      .Case([&](linalg::TransposeOp op) { return visitTranspose(op); })
      .Case([&](bufferization::MaterializeInDestinationOp op) {
        return visitStore(op);
      })
      .Case<arith::ConstantOp, tensor::EmptyOp, linalg::FillOp, func::ReturnOp>(
          [](auto) { return success(); })
      .Default([](Operation *op) {
        return op->emitOpError("has no place in a kernel on tensors");
      });
}

/// x, w, o of a product, x, u, v, o of a chain of two, x, w1, w2, w3, o of
/// others, b and c of vectors and matrices that expressions read; m, k, n of
/// dims, and r of a rank.
void GraphBuilder::name() {
  auto call = [](auto &what, const Twine &name) {
    if (what.name.empty())
      what.name = name.str();
  };
  size_t count = graph.stages.size(), products = 0, total = 0;
  for (const planning::Stage &stage : graph.stages)
    total += stage.terms.size();
  auto multiplies = [&](const planning::Term &term) {
    unsigned first = graph.stages[0].result;
    return term.left == first || term.right == first;
  };
  bool isPair = count == 2 && total == 2 &&
                llvm::any_of(graph.stages[1].terms, multiplies);
  auto isResult = [](const Matrix &matrix) {
    return matrix.role == Role::Result;
  };
  bool hasOne = llvm::count_if(graph.matrices, isResult) == 1;
  for (auto [i, stage] : llvm::enumerate(graph.stages)) {
    Matrix &result = graph.matrices[stage.result];
    bool isLast = i + 1 == count && hasOne;
    auto number = std::to_string(i + 1);
    for (const planning::Term &term : stage.terms) {
      Matrix &left = graph.matrices[term.left];
      Matrix &right = graph.matrices[term.right];
      std::string weight = total == 1 ? "w"
                           : isPair   ? (i == 0 ? "u" : "v")
                                      : "w" + std::to_string(products + 1);
      bool isOther = left.name.empty() && right.name.empty();
      call(left, products == 0 ? "x"
                 : isOther     ? "x" + std::to_string(products + 1)
                               : weight);
      call(right, weight);
      call(graph.dims[term.over], products == 0 ? "k"
                                  : isPair      ? "r"
                                                : "r" + Twine(products));
      if (products++ == 0)
        call(graph.dims[left.otherDim(term.over)], "m");
      if (isLast)
        call(graph.dims[right.otherDim(term.over)], "n");
    }
    call(result, isLast             ? "o"
                 : isResult(result) ? "o" + number
                 : isPair           ? "y"
                                    : "y" + number);
  }
  size_t vectors = 0, others = 0;
  for (const planning::Stage &stage : graph.stages)
    for (unsigned operand : stage.expression.matrices()) {
      Matrix &matrix = graph.matrices[operand];
      if (!matrix.name.empty())
        continue;
      size_t &number = unit == matrix.rows ? vectors : others;
      call(matrix, (unit == matrix.rows ? "b" : "c") +
                       (number++ ? std::to_string(number) : ""));
    }
  for (auto [i, dim] : llvm::enumerate(graph.dims))
    call(dim, "d" + Twine(i));
  for (auto [i, matrix] : llvm::enumerate(graph.matrices))
    call(matrix, "a" + Twine(i));
}

FailureOr<KernelGraph> GraphBuilder::build() {
  arguments.resize(kernel.getNumArguments());
  for (Type type : kernel.getArgumentTypes())
    if (!isMatrixType(type))
      return kernel.emitError(
                 "kernel must take static matrices of bf16, f16 or "
                 "f32, but takes ")
             << type;
  findMatrices();
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
  SmallVector<unsigned> numbers(graph.matrices.size());
  std::vector<Matrix> ordered;
  SmallVector<MatrixLocations> places;
  for (auto [position, number] : llvm::enumerate(order)) {
    numbers[number] = position;
    ordered.push_back(graph.matrices[number]);
    places.push_back(locations[number]);
  }
  graph.matrices = std::move(ordered);
  for (planning::Stage &stage : graph.stages) {
    stage.result = numbers[stage.result];
    for (planning::Term &term : stage.terms) {
      term.left = numbers[term.left];
      term.right = numbers[term.right];
    }
    for (planning::Value &value : stage.expression.values)
      if (value.kind == planning::Value::Kind::Matrix)
        value.number = numbers[value.number];
  }
  for (auto [matrix, place] : llvm::zip_equal(graph.matrices, places))
    if (matrix.rows == matrix.columns)
      return emitError(place.value)
             << "is a matrix whose rows and columns the kernel takes for one "
                "dim; give the kernel a matrix that is read in two ways twice";
  name();
  return KernelGraph{std::move(graph), std::move(places)};
}

FailureOr<KernelGraph> mlir::trn::buildKernelGraph(func::FuncOp kernel) {
  return GraphBuilder(kernel).build();
}
