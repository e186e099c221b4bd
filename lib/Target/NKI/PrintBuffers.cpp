//===- PrintBuffers.cpp - Buffers and loops as text -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

Type KernelPrinter::typeOf(const Tensor &tensor) const {
  return isBeta() ? tensor.type.getElementType() : transposes.typeOf(tensor);
}

std::string KernelPrinter::declaration(const Tensor &tensor, StringRef function,
                                       Type type, StringRef address) const {
  bool isArgument = !tensor.alloc();
  StringRef buffer = isArgument                            ? "shared_hbm"
                     : tensor.space() == MemorySpace::Hbm  ? "private_hbm"
                     : tensor.space() == MemorySpace::Psum ? "psum"
                                                           : "sbuf";
  return (nameOf(tensor) + " = " + function + "(" +
          tupleOf(tensor.type.getShape()) + ", dtype=" + typeName(type) +
          ", buffer=nl." + buffer +
          (address.empty() ? "" : ", address=" + address) + ")")
      .str();
}

FailureOr<std::string>
KernelPrinter::declareTemporary(ArrayRef<int64_t> shape) {
  // nki_c8
  if (options.addresses)
    return refuse("needs a tile for an intermediate value, which has no "
                  "address; leave --addresses out");
  std::string name = names.take("temporary");
  temporaries.push_back(name);
  text.line(name + " = nl.ndarray(" + tupleOf(shape) +
            ", dtype=nl.float32, buffer=nl.sbuf)");
  return name;
}

/// `(partition, byte)`; the slots of a buffer take turns.
std::string KernelPrinter::addressOf(const Tensor &tensor) const {
  auto alloc = dyn_cast<AllocOp>(tensor.alloc());
  if (!options.addresses || !alloc)
    return "";
  int64_t bytes = tensor.type.getNumElements() / tensor.type.getDimSize(0) *
                  (tensor.type.getElementTypeBitWidth() / 8);
  int64_t base = *alloc.getOffset(), step = bytes;
  if (tensor.space() == MemorySpace::Psum) {
    base += *alloc.getBank() * machine.psumBankBytes;
    step = machine.psumBankBytes;
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
LogicalResult KernelPrinter::printBuffer(Operation *alloc) {
  const Tensor &tensor = kernel.tensorOf(alloc);
  StringRef memory = tensor.space() == MemorySpace::Hbm    ? "hbm"
                     : tensor.space() == MemorySpace::Psum ? "psum"
                                                           : "sb";
  accesses.setName(tensor.value,
                   names.take((tensor.nameOr("tile") + "_" + memory).str()));
  bool beginsAsZeros = isBeta() && sums.accumulate(tensor);
  if (tensor.isUsed)
    text.line(declaration(tensor, beginsAsZeros ? "nl.zeros" : "nl.ndarray",
                          typeOf(tensor), addressOf(tensor)));
  return success();
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

std::string KernelPrinter::takeLoopName(scf::ForOp loop) {
  StringRef dim = kernel.dimOf(loop);
  std::string base = dim.empty() ? "i" : toPythonName(dim);
  // Tiles of the blocks of an outer loop, or of what is an argument's name.
  if (!dim.empty() && !names.isFree(base))
    base += "_tile";
  std::string name = names.take(base);
  accesses.setName(loop, name);
  return name;
}

LogicalResult KernelPrinter::printBody(scf::ForOp loop) {
  PythonText::Block body(text);
  unsigned before = text.numLines();
  if (failed(printBlock(*loop.getBody())))
    return failure();
  if (text.numLines() == before)
    text.line("pass");
  return success();
}

/// Whether an iteration of `loop` may read what another one wrote, apart from
/// sums of products, in whatever order they are added.
static bool carriesValues(const KernelReading &kernel, scf::ForOp loop) {
  llvm::DenseSet<Value> read, written;
  loop->walk([&](DestinationStyleOpInterface op) {
    for (OpOperand &operand : op->getOpOperands()) {
      if (!isInstruction(op) || !isa<MemRefType>(operand.get().getType()))
        continue;
      const Tensor &tensor = kernel.tensorOf(kernel.access(operand.get(), op));
      if (tensor.alloc() && loop->isAncestor(tensor.alloc()))
        continue;
      bool writes = op.isDpsInit(&operand);
      (writes ? written : read).insert(tensor.value);
    }
  });
  return llvm::any_of(read, [&](Value one) { return written.contains(one); });
}

/// The vendor's compiler unrolls loops of Python, which takes long for long
/// loops; these run on the device, where they can. In the beta all loops do,
/// and are of a kind that says whether iterations depend on others.
LogicalResult KernelPrinter::printLoop(scf::ForOp loop) {
  if (!isBeta() && !accesses.device && !options.addresses &&
      countInstructions(kernel, loop) > options.unrollLimit)
    if (std::optional<int64_t> step = findDeviceStep(kernel, loop))
      return printDeviceLoop(loop, *step);
  StringRef range = !isBeta()                     ? "range"
                    : carriesValues(kernel, loop) ? "nl.sequential_range"
                                                  : "nl.affine_range";
  std::string name = takeLoopName(loop);
  text.line("for " + name + " in " + range + "(" +
            Twine(kernel.tripCount(loop)) + "):");
  LogicalResult result = printBody(loop);
  names.release(name);
  return result;
}

/// The counter is a register, which counts rows or columns of tensors in HBM.
LogicalResult KernelPrinter::printDeviceLoop(scf::ForOp loop, int64_t step) {
  std::string name = takeLoopName(loop), body = names.take(name + "_body");
  accesses.device = DeviceLoop{kernel.numberOf(loop), step, name};
  text.separate();
  text.line("def " + body + "(" + name + "):");
  LogicalResult result = printBody(loop);
  accesses.device.reset();
  names.release(name);
  text.separate();
  text.line("nl.fori_loop(0, " + std::to_string(kernel.tripCount(loop) * step) +
            ", " + body + (step == 1 ? "" : ", step=" + std::to_string(step)) +
            ")");
  return result;
}
