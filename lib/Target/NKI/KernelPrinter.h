//===- KernelPrinter.h - One kernel as a function of Python -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_KERNELPRINTER_H
#define TRN_LIB_TARGET_NKI_KERNELPRINTER_H

#include "KernelReading.h"
#include "PythonText.h"
#include "trn/Machine/Machine.h"
#include "trn/Target/NKI/TranslateToNKI.h"

namespace mlir::trn::nki {

/// The arguments of a call, as text: `op=nl.add`.
using Arguments = SmallVector<std::string, 6>;

/// Prints a kernel, op by op. What all versions of NKI write alike is here; a
/// version prints the rest.
class KernelPrinter {
public:
  KernelPrinter(const KernelReading &kernel, const Machine &machine,
                const NKIOptions &options, PythonText &text)
      : kernel(kernel), machine(machine), options(options), text(text) {}
  virtual ~KernelPrinter() = default;

  LogicalResult print(func::FuncOp function, StringRef name);
  bool saysAll() const { return isComplete; }

protected:
  //===--------------------------------------------------------------------===//
  // What versions differ in
  //===--------------------------------------------------------------------===//

  /// Looks at the whole kernel before any of it is printed.
  virtual void prepare(func::FuncOp) {}
  virtual std::string shapeCheck(StringRef input, StringRef shape) const = 0;
  virtual void printAlloc(const Tensor &tensor) = 0;
  virtual LogicalResult printLoop(scf::ForOp loop) = 0;
  virtual LogicalResult printDmaCopy(DmaCopyOp copy) = 0;
  virtual LogicalResult printDmaTranspose(DmaTransposeOp transpose) = 0;
  virtual LogicalResult printMatmul(MatmulOp matmul) = 0;
  virtual LogicalResult printTranspose(TransposeOp transpose) = 0;
  virtual LogicalResult printMemset(MemsetOp memset) = 0;
  virtual LogicalResult printIota(IotaOp iota) = 0;
  /// `function(arguments)` into the tile `dst`, whose types would be
  /// `resultType` if nobody said anything else.
  virtual void printCall(StringRef dst, Type dstType, StringRef function,
                         Arguments arguments, Type resultType) = 0;
  virtual std::string engineName(ComputeEngine engine) const = 0;
  /// An access by its subscripts of `base`, which is a tensor of `shape`.
  virtual std::string slicedView(StringRef base, ArrayRef<int64_t> shape,
                                 const Access &access,
                                 const Subscripts &subscripts) = 0;
  /// An access that has no subscripts.
  virtual FailureOr<std::string> otherView(const Tensor &tensor,
                                           const Access &access) = 0;

  //===--------------------------------------------------------------------===//
  // What they share
  //===--------------------------------------------------------------------===//

  LogicalResult printBlock(Block &block);
  LogicalResult printBody(scf::ForOp loop);
  std::string takeLoopName(scf::ForOp loop);
  void releaseLoopName(scf::ForOp loop);

  /// A memref operand of `op`: the name of a tensor, sliced as need be.
  FailureOr<std::string> view(Value memref, Operation *op) {
    return viewOf(kernel.access(memref, op));
  }
  FailureOr<std::string> viewOf(const Access &access);
  /// `[0:128, k, m * 64:(m + 1) * 64]`.
  std::string slices(const Subscripts &subscripts,
                     ArrayRef<int64_t> shape) const;
  StringRef nameOf(const Tensor &tensor) const {
    return tensorNames.find(tensor.value)->second;
  }
  std::string print(const LinearExpr &expr) const;
  std::string printEnd(const LinearExpr &start, int64_t size) const;
  /// When a matmul adds, `k > 0`, instead of overwriting.
  std::string accumulates(MatmulOp matmul) const;
  /// A tile of f32 for an intermediate value, as large as the tile `like`.
  FailureOr<std::string> declareTemporary(MemRefType like);
  std::string declaration(const Tensor &tensor, StringRef function, Type type,
                          StringRef address = "") const;

  /// Says that the op that is printed cannot be; the rules are in docs/NKI.md.
  LogicalResult refuse(const Twine &reason) {
    refusal = reason.str();
    return failure();
  }
  LogicalResult refuseConstant(float constant);
  /// Whether NKI fills buffers as `memset` does.
  LogicalResult checkMemset(MemsetOp memset);
  /// `engine=nisa.engine.vector`; empty if nothing is assigned.
  std::string engineArgument(std::optional<ComputeEngine> engine) const;

  const KernelReading &kernel;
  const Machine &machine;
  const NKIOptions &options;
  PythonText &text;
  PythonNames names;
  SmallVector<std::string> loopNames; // by number

private:
  void printSignature(StringRef name);
  void printDocstring();
  LogicalResult printOp(Operation *op);
  void printStage(Operation *op);
  LogicalResult printTensorCopy(TensorCopyOp copy);
  LogicalResult printActivation(ActivationOp activation);
  LogicalResult printTensorTensor(TensorTensorOp op);
  LogicalResult printTensorScalar(TensorScalarOp op);
  LogicalResult printTensorReduce(TensorReduceOp reduce);
  LogicalResult printReciprocal(ReciprocalOp reciprocal);
  FailureOr<std::string> printReciprocalOf(Value tile, Operation *op);
  LogicalResult printQuotient(TensorTensorOp op);
  LogicalResult printQuotient(TensorScalarOp op);
  /// `column` in f32, as factors and summands of rows must be.
  FailureOr<std::string> columnOfF32(Value column, Operation *op);

  llvm::DenseMap<Value, std::string> tensorNames;
  SmallVector<std::string, 2> temporaries; // of the op that is printed
  std::string stage, refusal;
  bool isComplete = true;
};

/// `nl.bfloat16` and so on.
std::string typeName(Type type);
/// `(128, 512)`.
std::string tupleOf(ArrayRef<int64_t> sizes);

std::unique_ptr<KernelPrinter> createBeta1Printer(const KernelReading &kernel,
                                                  const Machine &machine,
                                                  const NKIOptions &options,
                                                  PythonText &text);
std::unique_ptr<KernelPrinter> createV0_6Printer(const KernelReading &kernel,
                                                 const Machine &machine,
                                                 const NKIOptions &options,
                                                 PythonText &text);

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_KERNELPRINTER_H
