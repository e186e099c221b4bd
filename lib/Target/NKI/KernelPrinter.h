//===- KernelPrinter.h - One kernel as a function of Python -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_KERNELPRINTER_H
#define TRN_LIB_TARGET_NKI_KERNELPRINTER_H

#include "AccessText.h"
#include "GroupsInPsum.h"
#include "PythonText.h"
#include "TransposesInPsum.h"
#include "trn/Machine/Machine.h"
#include "trn/Target/NKI/Words.h"

namespace mlir::trn::nki {

/// Names of arguments, and their texts. Without a text, or where a version has
/// no such argument, one is left out.
using Arguments = SmallVector<std::pair<StringRef, std::string>, 8>;

/// Prints a kernel, op by op.
class KernelPrinter {
public:
  KernelPrinter(const KernelReading &kernel, func::FuncOp function,
                const Machine &machine, const NKIOptions &options,
                PythonText &text)
      : kernel(kernel), function(function), machine(machine), options(options),
        text(text), sums(kernel, function), transposes(kernel, function),
        accesses(kernel, options.version) {}

  LogicalResult print(StringRef name);
  bool saysAll() const { return isComplete; }

private:
  bool isBeta() const { return options.version == NKIVersion::Beta1; }

  void printSignature(StringRef name);
  void printDocstring();
  void printStage(Operation *op);
  LogicalResult printBlock(Block &block);
  LogicalResult printOp(Operation *op);

  // Buffers and loops.
  LogicalResult printBuffer(Operation *alloc);
  std::string declaration(const Tensor &tensor, StringRef function, Type type,
                          StringRef address = "") const;
  std::string addressOf(const Tensor &tensor) const;
  /// A tile of f32 for an intermediate value, as large as the tile `like`.
  FailureOr<std::string> declareTemporary(MemRefType like);
  /// The elements of a buffer, as NKI has to know them.
  Type typeOf(const Tensor &tensor) const;
  LogicalResult printLoop(scf::ForOp loop);
  LogicalResult printDeviceLoop(scf::ForOp loop, int64_t step);
  LogicalResult printBody(scf::ForOp loop);
  std::string takeLoopName(scf::ForOp loop);
  void releaseLoopName(scf::ForOp loop);

  // Instructions.
  LogicalResult printDmaCopy(DmaCopyOp copy);
  LogicalResult printDmaTranspose(DmaTransposeOp transpose);
  LogicalResult printMatmul(MatmulOp matmul);
  LogicalResult printTranspose(TransposeOp transpose);
  LogicalResult printMemset(MemsetOp memset);
  LogicalResult printIota(IotaOp iota);
  LogicalResult printTensorCopy(TensorCopyOp copy);
  LogicalResult printActivation(ActivationOp activation);
  LogicalResult printTensorTensor(TensorTensorOp op);
  LogicalResult printTensorScalar(TensorScalarOp op);
  LogicalResult printTensorReduce(TensorReduceOp reduce);
  LogicalResult printReciprocal(ReciprocalOp reciprocal);
  FailureOr<std::string> printReciprocalOf(Value tile, Operation *op);
  LogicalResult printQuotient(TensorTensorOp op);
  LogicalResult printQuotient(TensorScalarOp op);
  FailureOr<std::string> load(DmaCopyOp copy);
  /// `column` in f32, as factors and summands of rows must be.
  FailureOr<std::string> columnOfF32(Value column, Operation *op);

  /// A call of `nisa.function` into the tile `dst`, which it is given or which
  /// it is assigned to. Its type would be `resultType` if nobody said another
  /// one.
  void printCall(StringRef dst, Type dstType, StringRef function,
                 Arguments arguments, Type resultType,
                 StringRef assignment = " = ");
  std::string typeName(Type type) const; // `nl.bfloat16`
  std::string unqualified(Type type) const { return typeName(type).substr(3); }
  std::string operatorOf(BinaryFunction function) const;
  /// `nisa.engine.vector`; empty if nothing is assigned.
  std::string nameOf(std::optional<ComputeEngine> engine) const;

  /// A memref operand of `op`: the name of a tensor, sliced as need be.
  FailureOr<std::string> view(Value memref, Operation *op) {
    return viewOf(kernel.access(memref, op));
  }
  FailureOr<std::string> viewOf(const Access &access);
  StringRef nameOf(const Tensor &tensor) const {
    return accesses.nameOf(tensor);
  }

  /// Says that the op that is printed cannot be; the rules are in docs/NKI.md.
  LogicalResult refuse(const Twine &reason) {
    refusal = reason.str();
    return failure();
  }
  LogicalResult checkFinite(float constant);

  const KernelReading &kernel;
  func::FuncOp function;
  const Machine &machine;
  const NKIOptions &options;
  PythonText &text;
  GroupsInPsum sums;           // of the beta
  TransposesInPsum transposes; // of later versions
  AccessText accesses;
  PythonNames names;
  SmallVector<std::string, 2> temporaries; // of the op that is printed
  std::string stage, refusal;
  bool isComplete = true;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_KERNELPRINTER_H
