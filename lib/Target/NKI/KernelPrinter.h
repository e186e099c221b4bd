//===- KernelPrinter.h - One kernel as a function of Python -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_KERNELPRINTER_H
#define TRN_LIB_TARGET_NKI_KERNELPRINTER_H

#include "OpPrinter.h"

namespace mlir::trn::nki {

/// Prints a kernel, op by op.
class KernelPrinter : OpPrinter {
public:
  using OpPrinter::OpPrinter;

  /// `other` prints what the other core of a logical one runs, if there is one.
  LogicalResult print(StringRef name, KernelPrinter *other = nullptr);
  bool saysAll() const { return isComplete; }

private:
  void printSignature(StringRef name);
  void printDocstring(bool isOfCores);
  LogicalResult printCores(KernelPrinter &other);
  void declareShared(KernelPrinter &other);
  void printStage(Operation *op);
  LogicalResult printBlock(Block &block);
  LogicalResult printOp(Operation *op);

  LogicalResult printLoop(scf::ForOp loop);
  LogicalResult printDeviceLoop(scf::ForOp loop, int64_t step);
  LogicalResult printBody(Block &block);
  std::string takeLoopName(scf::ForOp loop);

  std::string stage;
  /// Scratch that cores share, which is declared already.
  llvm::SmallPtrSet<Operation *, 4> shared;
  bool isComplete = true;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_KERNELPRINTER_H
