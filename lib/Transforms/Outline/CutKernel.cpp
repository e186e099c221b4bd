//===- CutKernel.cpp - Make two kernels of one ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Outline/CutKernel.h"

#include "CreateKernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Lower/DeclareKernel.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"

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

static bool isStoredAsHeads(Value matrix) {
  return llvm::any_of(matrix.getUsers(), llvm::IsaPred<tensor::ExpandShapeOp>);
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
    bool isComputed = isBodyProduct(&op) ||
                      llvm::any_of(op.getOperands(), [&](Value operand) {
                        return computed.contains(operand.getDefiningOp());
                      });
    if (!isComputed)
      continue;
    computed.insert(&op);
    if (!isa<linalg::LinalgOp>(op) || isa<linalg::TransposeOp>(op) ||
        op.getNumResults() != 1 || isFollowed(op.getResult(0)))
      continue;
    Value matrix = op.getResult(0);
    // It would be stored twice.
    if (isStoredAsHeads(matrix))
      continue;
    auto [first, second] = findHalves(kernel, matrix);
    bool multiplies = llvm::any_of(second, isBodyProduct);
    bool isApart = llvm::none_of(second, [&, &first = first](Operation *other) {
      return computed.contains(other) && first.contains(other);
    });
    if (!multiplies || !isApart)
      continue;
    cuts.push_back({matrix});
    bool isStored = llvm::any_of(matrix.getUsers(),
                                 llvm::IsaPred<MaterializeInDestinationOp>);
    if (cast<RankedTensorType>(matrix.getType()).getRank() > 1 && !isStored)
      cuts.push_back({matrix, /*isTransposed=*/true});
  }
  return cuts;
}

//===----------------------------------------------------------------------===//
// The halves
//===----------------------------------------------------------------------===//

/// The transposition of `matrix`, or of each one of a batch.
static SmallVector<int64_t> swapLast(Value matrix) {
  int64_t rank = cast<RankedTensorType>(matrix.getType()).getRank();
  SmallVector<int64_t> permutation =
      llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(permutation[rank - 2], permutation[rank - 1]);
  return permutation;
}

/// Turns `matrix`, and turns it back for what reads it; returns what lies in
/// between.
static Value insertTurns(Value matrix) {
  SmallPtrSet<Operation *, 4> readers(matrix.getUsers().begin(),
                                      matrix.getUsers().end());
  OpBuilder builder(matrix.getContext());
  builder.setInsertionPointAfterValue(matrix);
  SmallVector<int64_t> swap = swapLast(matrix);
  Value transposed = emitTranspose(builder, matrix.getLoc(), matrix, swap);
  Value back = emitTranspose(builder, matrix.getLoc(), transposed, swap);
  matrix.replaceUsesWithIf(
      back, [&](OpOperand &use) { return readers.contains(use.getOwner()); });
  return transposed;
}

/// Writes the part of `kernel` that `ops` are. It computes `matrix`, or reads
/// it first.
static KernelPart writePart(func::FuncOp kernel, const Ops &ops, Value matrix) {
  bool isFirst = ops.contains(matrix.getDefiningOp());
  KernelPart part{{}, kernel.getLoc(), {}};
  SmallVector<RegionInput> inputs;
  SmallVector<Value> results;
  unsigned handed = kernel.getNumArguments(); // unless it is a result
  for (auto store : kernel.getOps<MaterializeInDestinationOp>())
    if (store.getSource() == matrix)
      handed = cast<BlockArgument>(store.getDest()).getArgNumber();
  if (!isFirst) {
    inputs.push_back({matrix});
    part.arguments.push_back(handed);
  }
  for (BlockArgument argument : kernel.getArguments())
    for (Operation *user : argument.getUsers()) {
      auto read = dyn_cast<ToTensorOp>(user);
      if (!read || !ops.contains(user))
        continue;
      Value value = read.getResult();
      if (value.hasOneUse() && isa<tensor::ExtractSliceOp>(*value.user_begin()))
        value = value.user_begin()->getResult(0);
      inputs.push_back({value});
      part.arguments.push_back(argument.getArgNumber());
    }
  for (BlockArgument argument : kernel.getArguments())
    for (Operation *user : argument.getUsers())
      if (auto store = dyn_cast<MaterializeInDestinationOp>(user);
          store && ops.contains(user)) {
        results.push_back(store.getSource());
        part.arguments.push_back(argument.getArgNumber());
      }
  if (isFirst && handed == kernel.getNumArguments()) {
    results.push_back(matrix);
    part.arguments.push_back(handed);
  }
  SmallVector<RegionOp> members;
  for (Operation &op : kernel.front())
    if (ops.contains(&op) && isa<linalg::LinalgOp>(op) &&
        !isa<linalg::FillOp>(op) && !matchHeads(&op))
      members.push_back({&op});
  OpBuilder builder(kernel.getContext());
  part.kernel =
      createKernel(builder, kernel.getName(), members, inputs, results);
  part.loc = part.kernel.getLoc();
  StringRef bandName = TrnDialect::BandAttrHelper::getNameStr();
  for (auto [own, number] :
       llvm::zip(part.kernel.getArguments(), part.arguments))
    if (number < kernel.getNumArguments()) {
      own.setLoc(kernel.getArgument(number).getLoc());
      if (Attribute band = kernel.getArgAttr(number, bandName))
        part.kernel.setArgAttr(own.getArgNumber(), bandName, band);
    }
  return part;
}

std::pair<KernelPart, KernelPart> mlir::trn::cutKernel(func::FuncOp kernel,
                                                       const KernelCut &cut) {
  IRMapping values;
  OwningOpRef<func::FuncOp> copy = cast<func::FuncOp>(kernel->clone(values));
  Value matrix = values.lookup(cut.matrix);
  if (cut.isTransposed)
    matrix = insertTurns(matrix);
  Halves halves = findHalves(*copy, matrix);
  return {writePart(*copy, halves.first, matrix),
          writePart(*copy, halves.second, matrix)};
}

SmallVector<KernelPart> mlir::trn::cutEverywhere(func::FuncOp kernel,
                                                 bool isTransposed) {
  SmallVector<KernelPart> parts;
  unsigned matrices = kernel.getNumArguments();
  KernelPart rest{kernel, kernel.getLoc(),
                  llvm::to_vector(llvm::seq(0u, matrices))};
  while (true) {
    SmallVector<KernelCut> cuts = findCuts(rest.kernel);
    auto *cut = llvm::find_if(cuts, [&](const KernelCut &cut) {
      return cut.isTransposed == isTransposed;
    });
    if (cut == cuts.end())
      break;
    auto [first, second] = cutKernel(rest.kernel, *cut);
    for (KernelPart *part : {&first, &second})
      for (unsigned &argument : part->arguments)
        argument = argument < rest.arguments.size() ? rest.arguments[argument]
                                                    : matrices;
    matrices += llvm::is_contained(first.arguments, matrices);
    if (rest.kernel != kernel)
      rest.kernel.erase();
    parts.push_back(first);
    rest = second;
  }
  parts.push_back(rest);
  return parts;
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

void mlir::trn::emitCalls(OpBuilder &builder, Location loc,
                          ArrayRef<KernelPart> parts, ValueRange operands) {
  SmallVector<Value> buffers(operands); // and the matrices between parts
  for (const KernelPart &part : parts) {
    SmallVector<Value> own;
    func::FuncOp kernel = part.kernel;
    for (auto [number, type] :
         llvm::zip(part.arguments, kernel.getArgumentTypes())) {
      if (number == buffers.size())
        buffers.push_back(
            memref::AllocOp::create(builder, loc, cast<MemRefType>(type),
                                    builder.getI64IntegerAttr(64)));
      own.push_back(buffers[number]);
    }
    func::CallOp::create(builder, part.loc, kernel, own);
  }
  for (Value matrix : llvm::drop_begin(buffers, operands.size()))
    memref::DeallocOp::create(builder, loc, matrix);
}

void mlir::trn::replaceCalls(func::FuncOp kernel, ArrayRef<KernelPart> parts) {
  auto uses = SymbolTable::getSymbolUses(kernel, kernel->getParentOp());
  for (const SymbolTable::SymbolUse &use : *uses) {
    auto call = cast<func::CallOp>(use.getUser());
    OpBuilder builder(call);
    emitCalls(builder, call.getLoc(), parts, call.getOperands());
    call.erase();
  }
}
