//===- KernelReading.h - The parts of a kernel, and their names -*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_KERNELREADING_H
#define TRN_LIB_TARGET_NKI_KERNELREADING_H

#include "Subscripts.h"
#include "trn/Decode/ViewAnalysis.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/Graph.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::trn::nki {

/// An argument of a kernel, or what it allocates.
struct Tensor {
  Value value;
  MemRefType type;
  /// The matrix that it holds, and the dims that its dimensions count, as the
  /// schedule calls them; empty where nothing tells.
  std::string matrix = {};
  SmallVector<std::string, 4> dims = {};
  /// Where in it the matrix lies, if that is smaller.
  std::optional<planning::Window> window = std::nullopt;
  bool isUsed = false;

  MemorySpace space() const { return *getMemorySpace(type); }
  bool isOnChip() const { return space() != MemorySpace::Hbm; }
  Operation *alloc() const { return value.getDefiningOp(); }
  StringRef nameOr(StringRef otherwise) const {
    return matrix.empty() ? otherwise : StringRef(matrix);
  }
};

/// Whether `op` is an instruction of the dialect. Of others nothing is known.
inline bool isInstruction(Operation *op) {
  return isa<InstructionOpInterface>(op) && isa<TrnDialect>(op->getDialect());
}

/// The tensors, loops and accesses of a placed kernel that keeps the rules of
/// its level.
class KernelReading {
public:
  explicit KernelReading(func::FuncOp kernel);

  ArrayRef<Tensor> inputs() const {
    return ArrayRef(tensors).take_front(numInputs);
  }
  ArrayRef<Tensor> results() const {
    return ArrayRef(tensors).slice(numInputs, numArguments - numInputs);
  }
  const Tensor &tensorOf(const Access &access) const {
    return tensors[access.buffer];
  }
  const Tensor &tensorOf(Operation *alloc) const {
    return tensors[allocated.lookup(alloc)];
  }
  /// What the kernel was compiled from; null if it does not say.
  const planning::Graph *graph() const { return schedule; }

  int32_t numberOf(scf::ForOp loop) const { return numbers.lookup(loop); }
  int64_t tripCount(scf::ForOp loop) const {
    return tripCounts[numberOf(loop)];
  }
  /// The dim that `loop` counts blocks or tiles of; empty if nothing tells.
  StringRef dimOf(scf::ForOp loop) const { return loopDims[numberOf(loop)]; }
  Interval rangeOf(const LinearExpr &expr) const {
    return indices.rangeOf(expr);
  }

  Access access(Value memref, Operation *user) const {
    return *views.access(memref, user);
  }
  /// When `matmul` adds to what PSUM holds; constant if it is the same in all
  /// iterations.
  Condition adds(MatmulOp matmul) const;
  std::optional<Subscripts> subscripts(const Access &access,
                                       ArrayRef<int64_t> shape) const {
    return findSubscripts(access, shape, tensorOf(access).isOnChip(),
                          [&](const LinearExpr &e) { return rangeOf(e); });
  }

private:
  void readBlock(Block &block);
  void addTensor(Value value);
  void nameArguments();
  void nameAllocated(Tensor &tensor);
  void markUsed();
  void nameScratch();
  void nameLoops(bool onChip);

  func::FuncOp kernel;
  const planning::Graph *schedule = nullptr;
  IndexAnalysis indices;
  ViewAnalysis views;
  unsigned numInputs = 0, numArguments = 0;
  SmallVector<Tensor> tensors; // by the buffer of accesses
  llvm::DenseMap<Operation *, int32_t> allocated, numbers;
  SmallVector<int64_t> tripCounts;
  SmallVector<std::string> loopDims;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_KERNELREADING_H
