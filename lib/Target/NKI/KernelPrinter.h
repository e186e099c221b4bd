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

/// Names and texts. What has no text, or is unknown to a version, is left out.
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
  /// A tile of f32 for an intermediate value.
  FailureOr<std::string> declareTemporary(ArrayRef<int64_t> shape);
  FailureOr<std::string> declareColumn(Value like);
  /// The elements of a buffer, as NKI has to know them.
  Type typeOf(const Tensor &tensor) const;
  LogicalResult printLoop(scf::ForOp loop);
  LogicalResult printDeviceLoop(scf::ForOp loop, int64_t step);
  LogicalResult printBody(scf::ForOp loop);
  std::string takeLoopName(scf::ForOp loop);

  // Instructions.
  LogicalResult printDmaCopy(DmaCopyOp copy);
  LogicalResult printRows(Operation *gatherOrScatter);
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
  FailureOr<std::string> printReciprocalOf(Value tile, Operation *op,
                                           bool isColumn = false);
  LogicalResult printQuotient(TensorTensorOp op);
  /// An operation with a scalar, as an argument of NKI.
  struct ScalarStep {
    std::string op, operand;
    bool isReversed = false;
  };
  FailureOr<ScalarStep> scalarStep(Operation *op, BinaryFunction function,
                                   Value scalars,
                                   std::optional<APFloat> constant,
                                   bool reversed);
  LogicalResult printReducing(TensorScalarOp op, StringRef dst, StringRef data,
                              const ScalarStep &step, Type type);
  LogicalResult printScalarTensorTensor(ScalarTensorTensorOp op);
  LogicalResult printScan(TensorTensorScanOp op);
  LogicalResult printAffineSelect(AffineSelectOp select);
  LogicalResult printPartitionOp(Operation *op);
  std::string printCount(int32_t start, int32_t partitionStep,
                         ArrayRef<int32_t> steps, MemRefType tile);
  /// Where sums of partitions go, and where the instruction leaves them.
  struct Sums {
    std::string view, result;
    Type type;
  };
  FailureOr<Sums> prepareSums(Value memref, bool accumulate, Operation *op);
  void foldSums(const Sums &sums, ReduceFunction function);
  FailureOr<std::string> load(DmaCopyOp copy);
  /// `column` in f32, as factors and summands of rows must be.
  FailureOr<std::string> columnOfF32(Value column, Operation *op);

  /// A call of `nisa.function` into the tile `dst`, given or assigned, which
  /// would be of `resultType` if nobody said another type.
  void printCall(StringRef dst, Type dstType, StringRef function,
                 Arguments arguments, Type resultType,
                 StringRef assignment = " = ");
  std::string typeName(Type type) const; // `nl.bfloat16`
  std::string unqualified(Type type) const { return typeName(type).substr(3); }
  std::string operatorOf(BinaryFunction function) const;
  std::string operatorOf(ReduceFunction function) const;
  std::string nameOf(std::optional<ComputeEngine> engine) const; // or empty

  /// A memref operand of `op`: the name of a tensor, sliced as need be.
  FailureOr<std::string> view(Value memref, Operation *op) {
    return viewOf(kernel.access(memref, op));
  }
  FailureOr<std::string> viewOf(const Access &access);
  /// Its free dimensions as one, if they lie so.
  FailureOr<std::string> matrixView(Value memref, Operation *op);
  StringRef nameOf(const Tensor &tensor) const {
    return accesses.nameOf(tensor);
  }

  /// Why the op that is printed cannot be, by the rules of docs/NKI.md.
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
