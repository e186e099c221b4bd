//===- KernelRegion.h - What one kernel computes ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_KERNELREGION_H
#define TRN_LIB_TRANSFORMS_KERNELREGION_H

#include "Chain.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::trn {

/// A chain of products, or an op that computes element by element.
struct RegionNode {
  Chain chain = {};
  Operation *elementwise = nullptr;

  Value result() const {
    return elementwise ? elementwise->getResult(0) : chain.last().result.tensor;
  }
  /// The op after which the result is known.
  Operation *op() const { return result().getDefiningOp(); }
};

/// A tensor that a kernel reads. One that is read in several ways is several
/// inputs, since a kernel's dims are those of one way.
struct RegionInput {
  enum class Use : uint8_t { Rows, Weight, Elementwise };
  Value value;
  Use use;
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

/// Whether all elements of `tensor` are one constant, which kernels hold
/// themselves; other constants are inputs.
bool isSplat(Value tensor);

/// Code of one block that may become one kernel, called where all that it reads
/// is known and before anything reads what it computes.
struct KernelRegion {
  /// At most so many chains read each other's results, as down reads up and
  /// gate: a model is not one kernel, and its layers are equal ones.
  static constexpr int64_t maxLevels = 2;
  static constexpr size_t maxNodes = 64;

  /// In the order of the code.
  SmallVector<RegionNode> nodes;
  /// What it was made of, if it was more than one node.
  std::vector<KernelRegion> parts;

  bool isChain() const { return nodes.size() == 1; }
  const Product &lastProduct() const;
  int64_t numProducts() const;
  /// How many chains are on the longest way through it.
  int64_t numLevels() const;
  /// The product or elementwise op that computes `result`.
  Operation *opOf(Value result) const;
  /// What it reads, in the order of the code.
  SmallVector<RegionInput> inputs() const;
  /// The values that are read elsewhere.
  SmallVector<Value> results() const;
  /// The op before which the kernel is called; null if there is no such place.
  Operation *findPlace() const;
};

/// `chain` alone.
inline KernelRegion regionOf(const Chain &chain) { return {{{chain}}, {}}; }

/// Lets ops of `func` that only overwrite what others compute overwrite new
/// tensors: nobody reads it, so that it would be no result of a kernel.
void dropDestinations(func::FuncOp func);

/// Groups chains of `func` with each other and with the elementwise ops that
/// read their results. Chains that share rows of what they multiply, or of
/// which one reads what the other computes, become one kernel.
std::vector<KernelRegion> growRegions(func::FuncOp func,
                                      ArrayRef<Chain> chains);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_KERNELREGION_H
