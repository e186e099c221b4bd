//===- KernelPrinter.cpp - One kernel as a function of Python -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

#include "trn/Planning/PrintSchedule.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

std::string nki::typeName(Type type) {
  return type.isBF16()  ? "nl.bfloat16"
         : type.isF16() ? "nl.float16"
                        : "nl.float32";
}

std::string nki::tupleOf(ArrayRef<int64_t> sizes) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(sizes, os);
  os << (sizes.size() == 1 ? ",)" : ")");
  return text;
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LogicalResult KernelPrinter::print(func::FuncOp function, StringRef name) {
  prepare(function);
  printSignature(name);
  PythonText::Block body(text);
  printDocstring();
  for (const Tensor &input : kernel.inputs())
    text.line(shapeCheck(nameOf(input), tupleOf(input.type.getShape())));
  for (const Tensor &result : kernel.results())
    text.line(declaration(result, "nl.ndarray", result.type.getElementType()));
  if (failed(printBlock(function.front())))
    return failure();
  std::string returned = "return ";
  llvm::raw_string_ostream os(returned);
  llvm::interleaveComma(kernel.results(), os,
                        [&](const Tensor &result) { os << nameOf(result); });
  text.line(returned);
  return success();
}

void KernelPrinter::printSignature(StringRef name) {
  auto take = [&](const Tensor &tensor, StringRef otherwise) {
    return tensorNames[tensor.value] = names.take(tensor.nameOr(otherwise));
  };
  SmallVector<std::string> inputs;
  for (const Tensor &input : kernel.inputs())
    inputs.push_back(take(input, "arg"));
  for (const Tensor &result : kernel.results())
    take(result, "result");
  text.line("@nki.jit");
  text.line("def " + name + "(" + llvm::join(inputs, ", ") + "):");
}

/// `x: bfloat16 [256, 512], m x k`.
static std::string describe(StringRef name, const Tensor &tensor) {
  std::string line = "    ";
  llvm::raw_string_ostream os(line);
  os << name << ": "
     << StringRef(typeName(tensor.type.getElementType())).drop_front(3) << " [";
  llvm::interleaveComma(tensor.type.getShape(), os);
  os << "]";
  if (!tensor.dims.empty())
    os << ", " << llvm::join(tensor.dims, " x ");
  if (tensor.window)
    os << " from (" << tensor.window->row << ", " << tensor.window->column
       << ")";
  return line;
}

/// `yt = u * xt over k`.
static std::string describe(const planning::Graph &graph,
                            const planning::Stage &stage) {
  std::string line;
  llvm::raw_string_ostream os(line);
  planning::printStage(os, graph, stage);
  return line;
}

void KernelPrinter::printDocstring() {
  std::string doc = "\"\"\"";
  llvm::raw_string_ostream os(doc);
  if (const planning::Graph *graph = kernel.graph()) {
    os << "The stages of its schedule:\n\n";
    for (const planning::Stage &stage : graph->stages)
      os << "    " << describe(*graph, stage) << "\n";
  } else {
    os << "A kernel without a schedule.\n";
  }
  os << "\nArgs:\n";
  for (const Tensor &input : kernel.inputs())
    os << describe(nameOf(input), input) << "\n";
  os << "Returns:\n";
  for (const Tensor &result : kernel.results())
    os << describe(nameOf(result), result) << "\n";
  os << "\"\"\"";
  text.prose(doc);
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

FailureOr<std::string> KernelPrinter::declareTemporary(MemRefType like) {
  // nki_c8
  if (options.addresses)
    return refuse("needs a tile for an intermediate value, which has no "
                  "address; leave --addresses out");
  std::string name = names.take("temporary");
  temporaries.push_back(name);
  text.line(name + " = nl.ndarray(" + tupleOf(like.getShape()) +
            ", dtype=nl.float32, buffer=nl.sbuf)");
  return name;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// The stage that all instructions in `op` serve; empty if there are several.
static StringRef stageOf(Operation *op) {
  std::optional<StringRef> found;
  op->walk([&](InstructionOpInterface inner) {
    auto stage = inner->getAttrOfType<StringAttr>(
        TrnDialect::StageAttrHelper::getNameStr());
    StringRef name = stage ? stage.getValue() : "";
    found = !found || *found == name ? name : "";
  });
  return found.value_or("");
}

/// Says what follows where it serves another stage than what stands before.
void KernelPrinter::printStage(Operation *op) {
  // A buffer belongs to what fills it.
  if (!isa<AllocOp, memref::AllocOp, scf::ForOp, InstructionOpInterface>(op))
    return;
  while (!isa<scf::ForOp, InstructionOpInterface>(op) && op->getNextNode())
    op = op->getNextNode();
  StringRef next = stageOf(op);
  const planning::Graph *graph = kernel.graph();
  if (next.empty() || next == stage || !graph)
    return;
  stage = next.str();
  text.separate();
  for (const planning::Stage &stage : graph->stages)
    if (graph->matrices[stage.result].name == next)
      text.comment(describe(*graph, stage));
}

LogicalResult KernelPrinter::printBlock(Block &block) {
  for (Operation &op : block) {
    printStage(&op);
    refusal.clear();
    bool isPrinted = succeeded(printOp(&op));
    for (const std::string &name : temporaries)
      names.release(name);
    temporaries.clear();
    if (isPrinted)
      continue;
    std::string reason = std::exchange(refusal, "");
    if (reason.empty())
      return failure(); // an op inside has said why
    if (!options.bestEffort)
      return op.emitOpError(reason);
    op.emitWarning() << "'" << op.getName() << "' op " << reason;
    text.comment("left out, " + op.getName().getStringRef() + ": " + reason);
    isComplete = false;
  }
  return success();
}

LogicalResult KernelPrinter::printOp(Operation *op) {
  auto printBuffer = [&](Operation *alloc) {
    const Tensor &tensor = kernel.tensorOf(alloc);
    StringRef memory = tensor.space() == MemorySpace::Hbm    ? "hbm"
                       : tensor.space() == MemorySpace::Psum ? "psum"
                                                             : "sb";
    tensorNames[tensor.value] =
        names.take((tensor.nameOr("tile") + "_" + memory).str());
    if (tensor.isUsed)
      printAlloc(tensor);
    return success();
  };
  auto release = [&](Value buffer) {
    names.release(tensorNames[buffer]);
    return success();
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return printLoop(loop); })
      .Case([&](AllocOp alloc) { return printBuffer(alloc); })
      .Case([&](memref::AllocOp alloc) { return printBuffer(alloc); })
      .Case([&](DeallocOp op) { return release(op.getBuffer()); })
      .Case([&](memref::DeallocOp op) { return release(op.getMemref()); })
      .Case([&](DmaCopyOp op) { return printDmaCopy(op); })
      .Case([&](DmaTransposeOp op) { return printDmaTranspose(op); })
      .Case([&](MatmulOp op) { return printMatmul(op); })
      .Case([&](TransposeOp op) { return printTranspose(op); })
      .Case([&](TensorCopyOp op) { return printTensorCopy(op); })
      .Case([&](ActivationOp op) { return printActivation(op); })
      .Case([&](TensorTensorOp op) { return printTensorTensor(op); })
      .Case([&](TensorScalarOp op) { return printTensorScalar(op); })
      .Case([&](TensorReduceOp op) { return printTensorReduce(op); })
      .Case([&](ReciprocalOp op) { return printReciprocal(op); })
      .Case([&](MemsetOp op) { return printMemset(op); })
      .Case([&](IotaOp op) { return printIota(op); })
      .Case([&](SelectOp) {
        // nki_c2
        return refuse("has no form in NKI, whose predicates are tiles of "
                      "integers; compute it by products and sums");
      })
      .Case([&](InstructionOpInterface) {
        // nki_c1
        return refuse("is an instruction of another dialect, which NKI does "
                      "not know; lower it to instructions of trn");
      })
      .Default([](Operation *) { return success(); }); // addresses, views
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
  loopNames.resize(
      std::max<size_t>(loopNames.size(), kernel.numberOf(loop) + 1));
  return loopNames[kernel.numberOf(loop)] = names.take(base);
}

void KernelPrinter::releaseLoopName(scf::ForOp loop) {
  names.release(loopNames[kernel.numberOf(loop)]);
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
