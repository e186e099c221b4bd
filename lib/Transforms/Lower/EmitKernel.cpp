//===- EmitKernel.cpp - Write the program that a schedule stands for ------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Lower/EmitKernel.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/Walk.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;
using namespace mlir::trn;
using planning::BlockView;
using planning::Matrix;
using planning::PlannedBuffer;

namespace {
class KernelEmitter final : public planning::PlanVisitor {
public:
  KernelEmitter(func::FuncOp kernel, const planning::Graph &graph,
                ArrayRef<MatrixLocations> locations)
      : kernel(kernel), graph(graph), locations(locations),
        builder(kernel.getContext()), loc(kernel.getLoc()),
        hbm(graph.matrices.size()) {
    builder.setInsertionPointToStart(&kernel.front());
    unsigned next = 0;
    for (planning::Role role : {planning::Role::Input, planning::Role::Result})
      for (auto [value, matrix] : llvm::zip_equal(hbm, graph.matrices))
        if (matrix.role == role)
          value = kernel.getArgument(next++);
  }

  void enterStage(unsigned number) override { stage = number; }
  void beginLoop(int32_t loop, int64_t trips) override;
  void endLoop(int32_t loop) override;
  void allocate(int32_t number, const PlannedBuffer &buffer) override;
  void copy(const BlockView &from, const BlockView &to) override {
    serveValue((from.buffer ? to : from).matrix);
    insert<DmaCopyOp>(view(from), view(to));
  }
  void transposeByDma(const BlockView &from, const BlockView &to) override {
    serveValue(from.matrix);
    insert<DmaTransposeOp>(view(from), view(to));
  }
  void multiply(const BlockView &stationary, const BlockView &moving,
                const BlockView &bank, const LinearExpr &index) override {
    loc = locations[bank.matrix].product;
    insert<MatmulOp>(view(stationary), view(moving), view(bank),
                     isLater(index));
  }
  void transpose(const BlockView &from, const BlockView &bank) override {
    serveValue(from.matrix);
    insert<TransposeOp>(view(from), view(bank));
  }
  void convert(const BlockView &from, const BlockView &to,
               std::optional<Engine> engine) override {
    serveValue(to.matrix);
    std::optional<ComputeEngine> assigned;
    if (engine)
      assigned = engine == Engine::GpSimd ? ComputeEngine::GpSimd
                                          : ComputeEngine::Vector;
    insert<TensorCopyOp>(view(from), view(to), assigned);
  }
  void add(const BlockView &from, const BlockView &to) override {
    serveValue(to.matrix);
    Value sums = view(to);
    insert<TensorTensorOp>(BinaryFunction::Add, view(from), sums, sums);
  }

  void fill(float value, const BlockView &to) override {
    serveValue(to.matrix);
    Value tile = view(to);
    // GpSimd fills SBUF alone.
    bool isInPsum = getMemorySpace(tile.getType()) == MemorySpace::Psum;
    insert<MemsetOp>(tile, APFloat(value),
                     isInPsum ? ComputeEngine::Vector : ComputeEngine::GpSimd);
  }
  void keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                float otherwise, const BlockView &block) override {
    serveValue(block.matrix);
    Value tile = view(block);
    insert<AffineSelectOp>(
        BinaryFunction::Ge, tile, tile, int32_t(start), int32_t(rowStep),
        ArrayRef<int32_t>{int32_t(columnStep)}, APFloat(otherwise));
  }

  void activate(Function function, const BlockView &from,
                const planning::Argument &scale, const planning::Argument &bias,
                const BlockView &to, const BlockView *sums) override;
  void reduce(Function function, const BlockView &from,
              const BlockView &to) override {
    serveValue(to.matrix);
    insert<TensorReduceOp>(*symbolizeReduceFunction(stringify(function)),
                           view(from), view(to), /*negated=*/false);
  }
  void combine(Function function, const planning::Argument &left,
               const planning::Argument &right, const BlockView &to,
               const planning::Then *then) override;
  void select(const BlockView &condition, const BlockView &taken,
              const BlockView &other, const BlockView &to) override;

private:
  Value viewOf(const planning::Argument &argument) {
    return argument.block ? view(*argument.block) : Value();
  }
  /// What follows moves or rounds values of `matrix`.
  void serveValue(unsigned matrix) { loc = locations[matrix].value; }
  template <typename Op, typename... Args>
  void insert(Args &&...args) {
    auto op = Op::create(builder, loc, std::forward<Args>(args)...);
    StringRef name = graph.matrices[graph.stages[stage].result].name;
    op->setDiscardableAttr(TrnDialect::StageAttrHelper::getNameStr(),
                           builder.getStringAttr(name));
  }
  MemRefType typeOf(int64_t rows, int64_t columns, ElementType type,
                    MemorySpace space) {
    return MemRefType::get({rows, columns},
                           getMatrixType(builder.getContext(), type),
                           MemRefLayoutAttrInterface(),
                           MemorySpaceAttr::get(builder.getContext(), space));
  }
  /// The value of an expression; the same one for all that it dominates.
  Value materialize(const LinearExpr &expr);
  OpFoldResult index(const LinearExpr &expr) {
    if (expr.isConstant())
      return builder.getIndexAttr(expr.constant);
    return materialize(expr);
  }
  /// Whether an accumulation has begun; null if it begins here in any case.
  Value isLater(const LinearExpr &index);
  Value view(const BlockView &region);
  Value viewOfRuns(const BlockView &region, Value source);
  Value viewOfHeads(const BlockView &region);
  Value inHbm(const BlockView &region);
  /// Rows and columns of all batches.
  std::array<int64_t, 2> sizesInHbm(const Matrix &matrix) const;
  Value asMatrix(Value value, const Matrix &matrix);

  func::FuncOp kernel;
  const planning::Graph &graph;
  ArrayRef<MatrixLocations> locations;
  OpBuilder builder;
  Location loc; // of what is inserted
  unsigned stage = 0;
  SmallVector<Value> hbm;      // by matrix; scratch when it is needed
  SmallVector<Value> buffers;  // by number
  SmallVector<Value> counters; // by loop
  SmallVector<std::pair<LinearExpr, Value>> materialized;
  SmallVector<size_t> outside; // by open loop: how many are from before it
};
} // namespace

void KernelEmitter::beginLoop(int32_t loop, int64_t trips) {
  loc = locations[graph.stages[stage].result].product;
  auto op = scf::ForOp::create(builder, loc, materialize(0), materialize(trips),
                               materialize(1));
  counters.resize(std::max<size_t>(counters.size(), loop + 1));
  counters[loop] = op.getInductionVar();
  outside.push_back(materialized.size());
  builder.setInsertionPointToStart(op.getBody());
}

void KernelEmitter::endLoop(int32_t loop) {
  materialized.truncate(outside.pop_back_val());
  builder.setInsertionPointAfter(builder.getBlock()->getParentOp());
}

void KernelEmitter::allocate(int32_t number, const PlannedBuffer &buffer) {
  serveValue(buffer.matrix);
  auto type = typeOf(buffer.rows, buffer.columns, buffer.type,
                     buffer.space == Space::Psum ? MemorySpace::Psum
                                                 : MemorySpace::Sbuf);
  auto alloc = AllocOp::create(builder, loc, type);
  alloc.setBuffers(std::max<int64_t>(1, buffer.slots));
  alloc->setDiscardableAttr(
      TrnDialect::MatrixAttrHelper::getNameStr(),
      builder.getStringAttr(graph.matrices[buffer.matrix].name));
  buffers.push_back(alloc.getBuffer());
}

Value KernelEmitter::materialize(const LinearExpr &expr) {
  if (expr.terms.size() == 1)
    if (int32_t loop = expr.terms.front().loop;
        expr == LinearExpr::counter(loop))
      return counters[loop];
  for (const auto &[known, value] : materialized)
    if (known == expr)
      return value;
  Value value;
  if (expr.isConstant()) {
    value = arith::ConstantIndexOp::create(builder, loc, expr.constant);
  } else {
    AffineExpr sum = builder.getAffineConstantExpr(expr.constant);
    SmallVector<Value> operands;
    for (auto [position, term] : llvm::enumerate(expr.terms)) {
      sum = sum + builder.getAffineDimExpr(position) * term.coefficient;
      operands.push_back(counters[term.loop]);
    }
    value = affine::AffineApplyOp::create(
        builder, loc, AffineMap::get(operands.size(), 0, sum), operands);
  }
  materialized.push_back({expr, value});
  return value;
}

Value KernelEmitter::isLater(const LinearExpr &expr) {
  if (expr.isConstant())
    return expr.constant == 0
               ? Value()
               : arith::ConstantIntOp::create(builder, loc, /*value=*/1,
                                              /*width=*/1);
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                               materialize(expr), materialize(0));
}

std::array<int64_t, 2> KernelEmitter::sizesInHbm(const Matrix &matrix) const {
  int64_t rows = matrix.window ? matrix.window->rows : graph.rowsOf(matrix);
  for (unsigned batch : matrix.rowBatches)
    rows *= graph.sizeOf(batch);
  return {rows, graph.columnsInHbm(matrix)};
}

static bool hasShape(Value value, ArrayRef<int64_t> shape) {
  return cast<MemRefType>(value.getType()).getShape() == shape;
}

/// `value` as a matrix of all batches; it may lack dimensions of one index.
Value KernelEmitter::asMatrix(Value value, const Matrix &matrix) {
  auto group = [](int64_t begin, int64_t end) {
    return llvm::to_vector<2>(llvm::seq(begin, end));
  };
  int64_t rank = cast<MemRefType>(value.getType()).getRank();
  int64_t columns = matrix.rowBatches.size() + 1;
  if (hasShape(value, graph.shapeInHbm(matrix)))
    return memref::CollapseShapeOp::create(
        builder, loc, value,
        ArrayRef<ReassociationIndices>{group(0, columns),
                                       group(columns, rank)});
  if (rank > 1)
    value = memref::CollapseShapeOp::create(
        builder, loc, value, ArrayRef<ReassociationIndices>{group(0, rank)});
  return memref::ExpandShapeOp::create(
      builder, loc, sizesInHbm(matrix), value,
      ArrayRef<ReassociationIndices>{group(0, 2)});
}

/// The matrix of `region`, which lies in HBM.
Value KernelEmitter::inHbm(const BlockView &region) {
  const Matrix &matrix = graph.matrices[region.matrix];
  std::array<int64_t, 2> sizes = sizesInHbm(matrix);
  auto [rows, columns] = sizes;
  Value &value = hbm[region.matrix];
  if (!value || !hasShape(value, sizes)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&kernel.front());
    value = value ? asMatrix(value, matrix)
                  : memref::AllocOp::create(
                        builder, loc,
                        typeOf(rows, columns, matrix.type, MemorySpace::Hbm));
  }
  return value;
}

/// `region`, which begins at an element of `source` and takes all of these as
/// rows of `rowOf`.
static Value viewOfElements(OpBuilder &builder, Location loc,
                            const BlockView &region, Value source,
                            OpFoldResult offset) {
  SmallVector<int64_t> shape{region.rows}, steps{*region.rowOf};
  if (region.runs > 1) {
    shape.push_back(region.runs);
    steps.push_back(region.runStep);
  }
  shape.push_back(region.columns);
  steps.push_back(region.columnStep);
  auto type = cast<MemRefType>(source.getType());
  auto layout = StridedLayoutAttr::get(
      builder.getContext(),
      getConstantIntValue(offset).value_or(ShapedType::kDynamic), steps);
  return memref::ReinterpretCastOp::create(
      builder, loc,
      MemRefType::get(shape, type.getElementType(), layout,
                      type.getMemorySpace()),
      source, offset, getAsIndexOpFoldResult(builder.getContext(), shape),
      getAsIndexOpFoldResult(builder.getContext(), steps));
}

/// Blocks of `source` that lie equally far apart, or in one place.
Value KernelEmitter::viewOfRuns(const BlockView &region, Value source) {
  int64_t width = cast<MemRefType>(source.getType()).getDimSize(1);
  int64_t step = region.runStep ? region.runStep : width;
  BlockView rows{region.matrix, region.buffer, region.row, 0,
                 region.rows,   width};
  Value apart = memref::ExpandShapeOp::create(
      builder, loc, ArrayRef<int64_t>{region.rows, width / step, step},
      view(rows), ArrayRef<ReassociationIndices>{{0}, {1, 2}});
  // Where the first one begins in its piece of so many columns.
  LinearExpr inside = region.column.constant % step;
  for (const LinearExpr::Term &term : region.column.terms)
    if (term.coefficient % step)
      inside += LinearExpr::counter(term.loop) * term.coefficient;
  SmallVector<OpFoldResult> offsets{builder.getIndexAttr(0),
                                    index((region.column - inside) / step),
                                    index(inside)};
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(region.rows),
                                  builder.getIndexAttr(region.runs),
                                  builder.getIndexAttr(region.columns)};
  SmallVector<OpFoldResult> strides{builder.getIndexAttr(1),
                                    builder.getIndexAttr(region.runStep != 0),
                                    builder.getIndexAttr(region.columnStep)};
  return memref::SubViewOp::create(builder, loc, apart, offsets, sizes,
                                   strides);
}

/// [rows, columns] of one head in HBM, or [rows, heads, columns].
Value KernelEmitter::viewOfHeads(const BlockView &region) {
  SmallVector<OpFoldResult> offsets{index(region.column / region.columns),
                                    index(region.row), builder.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes, strides(3, builder.getIndexAttr(1));
  SmallVector<int64_t> shape{region.runs, region.rows, region.columns};
  for (int64_t size : shape)
    sizes.push_back(builder.getIndexAttr(size));
  if (region.runs == 1)
    shape.erase(shape.begin());
  Value source = hbm[region.matrix];
  Value heads = memref::SubViewOp::create(
      builder, loc,
      memref::SubViewOp::inferRankReducedResultType(
          shape, cast<MemRefType>(source.getType()), offsets, sizes, strides),
      source, offsets, sizes, strides);
  if (region.runs == 1)
    return heads;
  AffineMap swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0, 2},
                                                builder.getContext());
  return memref::TransposeOp::create(builder, loc, heads,
                                     AffineMapAttr::get(swap));
}

Value KernelEmitter::view(const BlockView &region) {
  if (!region.buffer && graph.matrices[region.matrix].headColumns)
    return viewOfHeads(region);
  Value source = region.buffer ? buffers[*region.buffer] : inHbm(region);
  if (region.rowOf)
    return viewOfElements(builder, loc, region, source,
                          index(region.row * *region.rowOf + region.column));
  if (region.runs > 1)
    return viewOfRuns(region, source);
  auto type = cast<MemRefType>(source.getType());
  if (region.rows == type.getDimSize(0) &&
      region.columns == type.getDimSize(1) && region.columnStep == 1 &&
      !region.repeated)
    return source;
  LinearExpr row = region.row, column = region.column;
  if (const auto &window = graph.matrices[region.matrix].window;
      window && !region.buffer) {
    row += window->row;
    column += window->column;
  }
  SmallVector<OpFoldResult> offsets{index(row), index(column)};
  SmallVector<OpFoldResult> sizes{builder.getIndexAttr(region.rows),
                                  builder.getIndexAttr(region.columns)};
  SmallVector<OpFoldResult> strides{builder.getIndexAttr(!region.repeated),
                                    builder.getIndexAttr(region.columnStep)};
  MemRefType result = memref::SubViewOp::inferResultType(
      withStrides(type), offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, result, source, offsets, sizes,
                                   strides);
}

void KernelEmitter::activate(Function function, const BlockView &from,
                             const planning::Argument &scale,
                             const planning::Argument &bias,
                             const BlockView &to, const BlockView *sums) {
  serveValue(to.matrix);
  auto constant = [](const planning::Argument &argument, float otherwise) {
    return APFloat(argument.block ? otherwise : argument.constant);
  };
  insert<ActivationOp>(*symbolizeActivationFunction(stringify(function)),
                       view(from), viewOf(scale), viewOf(bias), view(to),
                       sums ? view(*sums) : Value(), constant(scale, 1),
                       constant(bias, 0),
                       sums ? std::optional(ReduceFunction::Add) : std::nullopt,
                       /*accumulate=*/false);
}

void KernelEmitter::combine(Function function, const planning::Argument &left,
                            const planning::Argument &right,
                            const BlockView &to, const planning::Then *then) {
  serveValue(to.matrix);
  auto binary = [](Function function) {
    return *symbolizeBinaryFunction(stringify(function));
  };
  std::optional<planning::WithScalars> scaled =
      findScalars(left, right, to, then);
  if (!scaled)
    return insert<TensorTensorOp>(binary(function), view(*left.block),
                                  view(*right.block), view(to));
  auto constantOf = [&](const planning::Argument &argument) {
    return argument.block ? FloatAttr()
                          : builder.getF32FloatAttr(argument.constant);
  };
  planning::Then second = then ? *then : planning::Then();
  insert<TensorScalarOp>(
      binary(function), view(scaled->tile), viewOf(scaled->scalars),
      viewOf(second.other), view(to), /*sums=*/Value(),
      constantOf(scaled->scalars), scaled->isReversed,
      then ? std::optional(binary(second.function)) : std::nullopt,
      then ? constantOf(second.other) : FloatAttr(), second.isReversed,
      /*reduce_function=*/std::nullopt, /*accumulate=*/false,
      /*assigned_engine=*/std::nullopt);
}

void KernelEmitter::select(const BlockView &condition, const BlockView &taken,
                           const BlockView &other, const BlockView &to) {
  serveValue(to.matrix);
  insert<SelectOp>(view(condition), view(taken), view(other), view(to));
}

void mlir::trn::emitKernel(func::FuncOp kernel,
                           const planning::Schedule &schedule,
                           const Machine &machine,
                           ArrayRef<MatrixLocations> locations) {
  Block &body = kernel.front();
  body.dropAllDefinedValueUses();
  while (!body.without_terminator().empty())
    body.front().erase();
  SmallVector<MatrixLocations> unknown(schedule.graph.matrices.size(),
                                       {kernel.getLoc(), kernel.getLoc()});
  KernelEmitter emitter(kernel, schedule.graph,
                        locations.empty() ? unknown : locations);
  planning::walkInOrder(schedule, machine, emitter);
}
