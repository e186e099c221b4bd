//===- KernelGraph.cpp - What the body of a kernel computes ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/KernelGraph.h"

#include "ProductMatcher.h"
#include "trn/Analysis/Dimensions.h"
#include "trn/Dialect/Trn/IR/Memory.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
  LogicalResult visitStore(bufferization::MaterializeInDestinationOp op);
  void name();

  /// The dim that a dimension of a tensor belongs to.
  unsigned dimOf(Dimension dimension);
  unsigned addMatrix(Value tensor, Role role, Location product);
  bool isMatrix(Value value) const { return matrices.contains(value); }

  func::FuncOp kernel;
  Dimensions dimensions;
  Graph graph;
  SmallVector<MatrixLocations> locations;
  /// One dimension of each dim.
  SmallVector<Dimension> dims;
  /// The matrices that tensors hold, in one or the other layout.
  DenseMap<Value, unsigned> matrices;
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
    if (dimensions.areTied(known, dimension))
      return number;
  dims.push_back(dimension);
  auto type = cast<RankedTensorType>(dimension.first.getType());
  graph.dims.push_back({"", type.getDimSize(dimension.second)});
  return dims.size() - 1;
}

unsigned GraphBuilder::addMatrix(Value tensor, Role role, Location product) {
  unsigned rows = dimOf({tensor, 0}), columns = dimOf({tensor, 1});
  ElementType type = *getElementType(getElementTypeOrSelf(tensor));
  graph.matrices.push_back({"", rows, columns, type, role});
  locations.push_back({tensor.getLoc(), product});
  matrices[tensor] = graph.matrices.size() - 1;
  return graph.matrices.size() - 1;
}

static bool isMatrixType(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  return shaped && shaped.hasRank() && shaped.getRank() == 2 &&
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
  return success();
}

LogicalResult GraphBuilder::visitTranspose(linalg::TransposeOp op) {
  if (!isMatrix(op.getInput()))
    return op.emitOpError("transposes what is no matrix of the kernel");
  matrices[op->getResult(0)] = matrices.lookup(op.getInput());
  return success();
}

LogicalResult GraphBuilder::visitElementwise(linalg::GenericOp op) {
  Value yielded = skipRounding(op.getBody()->getTerminator()->getOperand(0));
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      op.getNumLoops() != 2 || yielded != op.getBody()->getArgument(0))
    return op.emitOpError("neither rounds nor transposes a matrix");
  Value result = op->getResult(0);
  auto product = op.getInputs()[0].getDefiningOp<linalg::MatmulOp>();
  if (!product)
    return op.emitOpError("must round a product");
  // Dims of the op are rows, columns and contraction.
  AffineMap map = product.getIndexingMapsArray()[0];
  Value left = product.getInputs()[0];
  unsigned position =
      *map.getResultPosition(getAffineDimExpr(2, kernel.getContext()));
  planning::Term term{matrices.lookup(left),
                      matrices.lookup(product.getInputs()[1]),
                      dimOf({left, position})};
  graph.stages.push_back(
      {addMatrix(result, Role::Intermediate, product.getLoc()), {term}});
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

/// x, w, o of a product, x, u, v, o of a chain, x, w1, w2, w3, o of a longer
/// one; m, k, n of their dims, and r of a rank.
void GraphBuilder::name() {
  auto call = [](auto &what, const Twine &name) {
    if (what.name.empty())
      what.name = name.str();
  };
  size_t count = graph.stages.size();
  for (auto [i, stage] : llvm::enumerate(graph.stages)) {
    const planning::Term &term = stage.terms.front();
    Matrix &left = graph.matrices[term.left];
    Matrix &right = graph.matrices[term.right];
    bool isLast = i + 1 == count;
    auto number = std::to_string(i + 1);
    std::string weight = count == 1   ? "w"
                         : count == 2 ? (isLast ? "v" : "u")
                                      : "w" + number;
    call(left, i == 0 ? "x" : weight);
    call(right, weight);
    call(graph.matrices[stage.result], isLast       ? "o"
                                       : count == 2 ? "y"
                                                    : "y" + number);
    call(graph.dims[term.over], i == 0       ? "k"
                                : count == 2 ? "r"
                                             : "r" + std::to_string(i));
    if (i == 0)
      call(graph.dims[left.otherDim(term.over)], "m");
    if (isLast)
      call(graph.dims[right.otherDim(term.over)], "n");
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
  }
  name();
  return KernelGraph{std::move(graph), std::move(places)};
}

FailureOr<KernelGraph> mlir::trn::buildKernelGraph(func::FuncOp kernel) {
  return GraphBuilder(kernel).build();
}
