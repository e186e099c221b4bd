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

  LogicalResult print(StringRef name);
  bool saysAll() const { return isComplete; }

private:
  void printSignature(StringRef name);
  void printDocstring();
  void printStage(Operation *op);
  LogicalResult printBlock(Block &block);
  LogicalResult printOp(Operation *op);

  LogicalResult printLoop(scf::ForOp loop);
  LogicalResult printDeviceLoop(scf::ForOp loop, int64_t step);
  LogicalResult printBody(scf::ForOp loop);
  std::string takeLoopName(scf::ForOp loop);

  std::string stage;
  bool isComplete = true;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_KERNELPRINTER_H
