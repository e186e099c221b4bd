//===- KernelRegion.h - What one kernel computes ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_KERNELREGION_H
#define TRN_LIB_TRANSFORMS_OUTLINE_KERNELREGION_H

#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::trn {

/// An op that a kernel computes: a product of a function, with the rounding and
/// the transposition that it takes along, or any op of a kernel's body as it
/// is.
struct RegionOp {
  /// The op after which the result is known.
  Operation *op;
  Product *product = nullptr;

  Value result() const { return op->getResult(0); }
  /// What reads its operands.
  Operation *reader() const { return product ? product->contraction : op; }
};

/// A tensor that a kernel reads. One that is read in several ways is several
/// inputs, since a kernel's dims are those of one way.
struct RegionInput {
  enum class Use : uint8_t { Rows, Weight, Elementwise, Across };
  Value value;
  Use use = Use::Elementwise;
  /// The product whose weight it is.
  Operation *contraction = nullptr;
  /// The kernel takes it with its dimensions in another order, if any.
  SmallVector<int64_t> permutation = {};

  bool isTurned() const { return !permutation.empty(); }
  /// The kernel takes this out of its argument, if anything; what is known at
  /// load is sliced then, once.
  tensor::ExtractSliceOp slice() const;
  bool operator==(const RegionInput &other) const {
    return value == other.value && use == other.use &&
           contraction == other.contraction;
  }
};

/// What an op that is no product reads as `operand`. It is read across if the
/// op has its dimensions in another order, or reads it in another way before:
/// x + x^T has two inputs.
RegionInput readElements(OpOperand *operand);

/// All elements of `tensor`, if they are one constant, which kernels hold
/// themselves; other constants are inputs.
SplatElementsAttr findUniform(Value tensor);

/// What keeps a kernel from computing `op`, which is no product, or nothing.
std::string findRegionObstacle(Operation *op);

/// Ops of one block that may become one kernel, called where all that it reads
/// is known and before anything reads what it computes.
struct KernelRegion {
  /// In the order of the code.
  SmallVector<RegionOp> ops;
  /// The host turns all weights that are stored the other way round.
  bool isTurnedByHost = false;

  /// Whether it is a product that no other op joins.
  bool isApart() const {
    return llvm::any_of(ops, [](const RegionOp &member) {
      return member.product && member.product->isApart;
    });
  }
  /// Its last product or, if it has none, its last op.
  Operation *mainOp() const;
  /// How many chains read each other's results, on the longest way through it.
  int64_t numLevels() const;
  /// What one of its ops computes, if that is stored as `result`.
  Value sourceOf(Value result) const;
  /// The product or elementwise op that computes `result`.
  Operation *opOf(Value result) const;
  /// What it reads, in the order of the code.
  SmallVector<RegionInput> inputs() const;
  /// The values that are read elsewhere.
  SmallVector<Value> results() const;
  using PlaceOf = llvm::function_ref<Operation *(Operation *)>;
  /// What reads its results first, or is called before that is: `placeOf` says
  /// where the region is called that an op belongs to, if any.
  Operation *findFirstReader(PlaceOf placeOf = [](Operation *) -> Operation * {
    return nullptr;
  }) const;
  /// The op before which the kernel is called; null if there is no such place.
  /// Regions around it may yet fall into parts, so what it reads is known where
  /// their ops are, too.
  Operation *findPlace(PlaceOf placeOf) const;
  /// Its last elementwise op or chain, and the ops before.
  std::pair<KernelRegion, KernelRegion> splitLast() const;
};

/// Groups what kernels can compute of `func`: `products`, and ops that run over
/// all elements of what they read. Products that share rows of what they
/// multiply, or that read what others compute, become one kernel. Only chains
/// do if `onlyChains` is set. Remarks say what is computed apart, and why.
std::vector<KernelRegion> growRegions(func::FuncOp func, Products &products,
                                      bool onlyChains);

/// The same of `ops`, without remarks.
std::vector<KernelRegion> growRegions(ArrayRef<RegionOp> ops);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_KERNELREGION_H
