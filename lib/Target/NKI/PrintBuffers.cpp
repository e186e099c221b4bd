//===- PrintBuffers.cpp - Buffers as text ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintBuffers.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
class BufferPrinter : OpPrinter {
public:
  using OpPrinter::OpPrinter;

  void printBuffer(Operation *alloc);
  void printResult(const Tensor &result);

private:
  std::string declaration(const Tensor &tensor, StringRef function, Type type,
                          StringRef address = "") const;
  std::string addressOf(const Tensor &tensor) const;
};
} // namespace

std::string BufferPrinter::declaration(const Tensor &tensor, StringRef function,
                                       Type type, StringRef address) const {
  Operation *alloc = tensor.alloc();
  bool isShared =
      !alloc || alloc->hasAttr(TrnDialect::SharedAttrHelper::getNameStr());
  StringRef buffer = isShared                              ? "shared_hbm"
                     : tensor.space() == MemorySpace::Hbm  ? "private_hbm"
                     : tensor.space() == MemorySpace::Psum ? "psum"
                                                           : "sbuf";
  return (nameOf(tensor) + " = " + function + "(" +
          tupleOf(tensor.type.getShape()) + ", dtype=" + typeName(type) +
          ", buffer=nl." + buffer +
          (address.empty() ? "" : ", address=" + address) + ")")
      .str();
}

/// `(partition, byte)`; the slots of a buffer take turns.
std::string BufferPrinter::addressOf(const Tensor &tensor) const {
  auto alloc = dyn_cast<AllocOp>(tensor.alloc());
  if (!options.addresses || !alloc)
    return "";
  int64_t bytes = tensor.type.getNumElements() / tensor.type.getDimSize(0) *
                  (tensor.type.getElementTypeBitWidth() / 8);
  int64_t base = *alloc.getOffset(), step = bytes;
  if (tensor.space() == MemorySpace::Psum) {
    base += *alloc.getBank() * printed.machine.psumBankBytes;
    step = printed.machine.psumBanksOf(bytes) * printed.machine.psumBankBytes;
  }
  // How often it was allocated before, as far as the turn depends on that.
  LinearExpr turn;
  int64_t slots = alloc.getBuffers(), trips = 1 % slots;
  for (auto loop = alloc->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    turn += LinearExpr::counter(kernel.numberOf(loop), trips);
    trips = trips * (kernel.tripCount(loop) % slots) % slots;
  }
  std::string start = base ? std::to_string(base) : "";
  if (!turn.isConstant()) {
    bool isCounter =
        turn.terms.size() == 1 && turn.terms.front().coefficient == 1;
    start +=
        (start.empty() ? "" : " + ") +
        (isCounter ? accesses.print(turn) : "(" + accesses.print(turn) + ")") +
        " % " + std::to_string(slots) + " * " + std::to_string(step);
  }
  if (start.empty())
    start = "0";
  return "(0, " + start + ")";
}

/// Sums of products begin as zeros in the beta.
void BufferPrinter::printBuffer(Operation *alloc) {
  const Tensor &tensor = kernel.tensorOf(alloc);
  StringRef memory = tensor.space() == MemorySpace::Hbm    ? "hbm"
                     : tensor.space() == MemorySpace::Psum ? "psum"
                                                           : "sb";
  accesses.setName(tensor.value,
                   names.take((tensor.nameOr("tile") + "_" + memory).str()));
  bool beginsAsZeros = isBeta() && printed.sums.accumulate(tensor);
  if (tensor.isUsed)
    text.line(declaration(tensor, beginsAsZeros ? "nl.zeros" : "nl.ndarray",
                          typeOf(tensor), addressOf(tensor)));
}

void BufferPrinter::printResult(const Tensor &result) {
  text.line(declaration(result, "nl.ndarray", result.type.getElementType()));
}

void nki::printBuffer(PrintedKernel &kernel, Operation *alloc) {
  BufferPrinter(kernel).printBuffer(alloc);
}

void nki::printResult(PrintedKernel &kernel, const Tensor &result) {
  BufferPrinter(kernel).printResult(result);
}
