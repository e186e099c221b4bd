//===- CutKernel.cpp - Make two kernels of one ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/CutKernel.h"

#include "CreateKernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/EmitKernel.h"
#include "trn/Transforms/EmitLinalg.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::trn;
using bufferization::MaterializeInDestinationOp;
using bufferization::ToTensorOp;

using Ops = llvm::SetVector<Operation *>;

//===----------------------------------------------------------------------===//
// Where
//===----------------------------------------------------------------------===//

static bool isProduct(Operation &op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0;
}

namespace {
/// The ops of either half. Both have what is no product and not computed of
/// one.
struct Halves {
  Ops first, second;
};
} // namespace

static Halves findHalves(func::FuncOp kernel, Value matrix) {
  Halves halves;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitUsesFromAbove = false;
  options.omitBlockArguments = true;
  (void)getBackwardSlice(matrix.getDefiningOp(), &halves.first, options);
  options.filter = [&](Operation *op) { return op != matrix.getDefiningOp(); };
  for (auto store : kernel.getOps<MaterializeInDestinationOp>())
    if (halves.first.contains(store.getSource().getDefiningOp()))
      halves.first.insert(store);
    else
      (void)getBackwardSlice(store.getOperation(), &halves.second, options);
  return halves;
}

/// Whether the op behind `value`, all that reads it, hands over no more: then
/// that is the better place.
static bool isFollowed(Value value) {
  if (!value.hasOneUse())
    return false;
  auto reader = dyn_cast<linalg::GenericOp>(*value.user_begin());
  return reader && reader.getNumDpsInputs() == 1 &&
         reader.getNumReductionLoops() == 0 && reader->getNumResults() == 1 &&
         getElementTypeOrSelf(reader.getResult(0)).getIntOrFloatBitWidth() <=
             getElementTypeOrSelf(value).getIntOrFloatBitWidth();
}

SmallVector<KernelCut> mlir::trn::findCuts(func::FuncOp kernel) {
  SmallVector<KernelCut> cuts;
  DenseSet<Operation *> computed; // of products
  for (Operation &op : kernel.front()) {
    bool isComputed =
        isProduct(op) || llvm::any_of(op.getOperands(), [&](Value operand) {
          return computed.contains(operand.getDefiningOp());
        });
    if (!isComputed)
      continue;
    computed.insert(&op);
    if (!isa<linalg::LinalgOp>(op) || isa<linalg::TransposeOp>(op) ||
        op.getNumResults() != 1 || isFollowed(op.getResult(0)))
      continue;
    Value matrix = op.getResult(0);
    auto [first, second] = findHalves(kernel, matrix);
    bool multiplies = llvm::any_of(
        second, [](Operation *other) { return isProduct(*other); });
    bool isApart = llvm::none_of(second, [&, &first = first](Operation *other) {
      return computed.contains(other) && first.contains(other);
    });
    if (!multiplies || !isApart)
      continue;
    cuts.push_back({matrix});
    bool isStored = llvm::any_of(matrix.getUsers(),
                                 llvm::IsaPred<MaterializeInDestinationOp>);
    if (cast<RankedTensorType>(matrix.getType()).getRank() > 1 && !isStored)
      cuts.push_back({matrix, /*isTurned=*/true});
  }
  return cuts;
}

//===----------------------------------------------------------------------===//
// The halves
//===----------------------------------------------------------------------===//

namespace {
/// Writes one half.
class HalfWriter {
public:
  HalfWriter(func::FuncOp kernel, const KernelCut &cut, const Ops &ops)
      : kernel(kernel), cut(cut), ops(ops), builder(kernel.getContext()) {}

  KernelHalf writeFirst();
  KernelHalf writeSecond();

private:
  MemRefType handedType() const;
  /// The argument that holds the matrix as a result of the whole kernel.
  std::optional<unsigned> storedArgument();
  /// Those of the kernel that are used by such an op of the half.
  template <typename OpT>
  void addArguments() {
    for (BlockArgument argument : kernel.getArguments())
      if (llvm::any_of(argument.getUsers(), [&](Operation *user) {
            return isa<OpT>(user) && ops.contains(user);
          }))
        half.arguments.push_back(argument.getArgNumber());
  }
  void declare(unsigned results);
  void writeBody();

  func::FuncOp kernel;
  const KernelCut &cut;
  const Ops &ops;
  OpBuilder builder;
  KernelHalf half{{}, kernel.getLoc(), {}};
  IRMapping values;
};
} // namespace

/// The transposition of `matrix`, or of each one of a batch.
static SmallVector<int64_t> swapLast(Value matrix) {
  int64_t rank = cast<RankedTensorType>(matrix.getType()).getRank();
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  return permutation;
}

MemRefType HalfWriter::handedType() const {
  auto type = cast<RankedTensorType>(cut.matrix.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (cut.isTurned)
    applyPermutationToVector(shape, swapLast(cut.matrix));
  return MemRefType::get(shape, type.getElementType());
}

std::optional<unsigned> HalfWriter::storedArgument() {
  for (auto store : kernel.getOps<MaterializeInDestinationOp>())
    if (store.getSource() == cut.matrix)
      return cast<BlockArgument>(store.getDest()).getArgNumber();
  return std::nullopt;
}

void HalfWriter::declare(unsigned results) {
  SmallVector<Type> types;
  for (std::optional<unsigned> argument : half.arguments)
    types.push_back(argument ? kernel.getArgumentTypes()[*argument]
                             : handedType());
  for (Operation &op : kernel.front())
    if (ops.contains(&op) && isProduct(op))
      half.loc = op.getLoc();
  half.kernel =
      declareKernel(builder, half.loc, kernel.getName(), types, results);
  builder.setInsertionPointToStart(half.kernel.addEntryBlock());
  for (auto [own, argument] :
       llvm::zip(half.kernel.getArguments(), half.arguments)) {
    own.setLoc(argument ? kernel.getArgument(*argument).getLoc()
                        : cut.matrix.getLoc());
    if (argument)
      values.map(kernel.getArgument(*argument), own);
  }
}

void HalfWriter::writeBody() {
  for (Operation &op : kernel.front().without_terminator())
    if (ops.contains(&op))
      builder.clone(op, values);
  func::ReturnOp::create(builder, half.loc);
  if (kernel->hasAttr(TrnDialect::FlopsAttrHelper::getNameStr()))
    setFlops(half.kernel);
}

KernelHalf HalfWriter::writeFirst() {
  addArguments<ToTensorOp>();
  size_t inputs = half.arguments.size();
  addArguments<MaterializeInDestinationOp>();
  bool isStored = storedArgument().has_value();
  if (!isStored)
    half.arguments.push_back(std::nullopt);
  declare(half.arguments.size() - inputs);
  writeBody();
  if (isStored)
    return half;
  builder.setInsertionPoint(half.kernel.front().getTerminator());
  Location loc = cut.matrix.getLoc();
  Value matrix = values.lookup(cut.matrix);
  if (cut.isTurned)
    matrix = emitTranspose(builder, loc, matrix, swapLast(cut.matrix));
  MaterializeInDestinationOp::create(builder, loc, Type(), matrix,
                                     half.kernel.getArguments().back(),
                                     /*restrict=*/true, /*writable=*/true);
  return half;
}

KernelHalf HalfWriter::writeSecond() {
  half.arguments.push_back(storedArgument());
  addArguments<ToTensorOp>();
  size_t inputs = half.arguments.size();
  addArguments<MaterializeInDestinationOp>();
  declare(half.arguments.size() - inputs);
  Location loc = cut.matrix.getLoc();
  Value matrix = ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(handedType()),
      half.kernel.getArgument(0), /*restrict=*/true);
  if (cut.isTurned)
    matrix = emitTranspose(builder, loc, matrix, swapLast(cut.matrix));
  values.map(cut.matrix, matrix);
  writeBody();
  return half;
}

std::pair<KernelHalf, KernelHalf> mlir::trn::cutKernel(func::FuncOp kernel,
                                                       const KernelCut &cut) {
  Halves halves = findHalves(kernel, cut.matrix);
  return {HalfWriter(kernel, cut, halves.first).writeFirst(),
          HalfWriter(kernel, cut, halves.second).writeSecond()};
}

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

bool mlir::trn::areEqual(func::FuncOp kernel, func::FuncOp other) {
  return other.getFunctionType() == kernel.getFunctionType() &&
         other.getArgAttrsAttr() == kernel.getArgAttrsAttr() &&
         OperationEquivalence::isRegionEquivalentTo(
             &other.getBody(), &kernel.getBody(),
             OperationEquivalence::IgnoreLocations);
}

bool mlir::trn::isOnlyCalled(func::FuncOp kernel) {
  auto uses = SymbolTable::getSymbolUses(kernel, kernel->getParentOp());
  return kernel.isPrivate() && uses && !uses->empty() &&
         llvm::all_of(*uses, [](const SymbolTable::SymbolUse &use) {
           return isa<func::CallOp>(use.getUser());
         });
}

void mlir::trn::replaceCalls(func::FuncOp kernel, KernelHalf first,
                             KernelHalf second) {
  auto uses = SymbolTable::getSymbolUses(kernel, kernel->getParentOp());
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = cast<func::CallOp>(use.getUser());
    OpBuilder builder(call);
    Value matrix; // unless it is a result of the whole kernel
    if (!first.arguments.back())
      matrix = memref::AllocOp::create(
          builder, call.getLoc(),
          cast<MemRefType>(first.kernel.getArgumentTypes().back()),
          builder.getI64IntegerAttr(64));
    for (KernelHalf *half : {&first, &second}) {
      SmallVector<Value> operands;
      for (std::optional<unsigned> argument : half->arguments)
        operands.push_back(argument ? call.getOperand(*argument) : matrix);
      func::CallOp::create(builder, half->loc, half->kernel, operands);
    }
    if (matrix)
      memref::DeallocOp::create(builder, call.getLoc(), matrix);
    call.erase();
  }
}
