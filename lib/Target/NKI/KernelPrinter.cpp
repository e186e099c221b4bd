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

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

LogicalResult KernelPrinter::print(StringRef name) {
  printSignature(name);
  PythonText::Block body(text);
  printDocstring();
  for (const Tensor &input : kernel.inputs()) {
    std::string shape = tupleOf(input.type.getShape());
    text.line(isBeta() ? nameOf(input) + ".assert_shape(" + shape + ")"
                       : "assert " + nameOf(input) + ".shape == " + shape);
  }
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
    std::string name = names.take(tensor.nameOr(otherwise));
    accesses.setName(tensor.value, name);
    return name;
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
static std::string describe(StringRef name, const Tensor &tensor,
                            StringRef type) {
  std::string line = "    ";
  llvm::raw_string_ostream os(line);
  os << name << ": " << type << " [";
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
  auto list = [&](StringRef title, ArrayRef<Tensor> tensors) {
    os << title << ":\n";
    for (const Tensor &tensor : tensors)
      os << describe(nameOf(tensor), tensor,
                     unqualified(tensor.type.getElementType()))
         << "\n";
  };
  os << "\n";
  list("Args", kernel.inputs());
  list("Returns", kernel.results());
  os << "\"\"\"";
  text.prose(doc);
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
  auto release = [&](Value buffer) {
    names.release(nameOf(kernel.tensorOf(buffer.getDefiningOp())));
    return success();
  };
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](scf::ForOp loop) { return printLoop(loop); })
      .Case([&](AllocOp alloc) { return printBuffer(alloc); })
      .Case([&](memref::AllocOp alloc) { return printBuffer(alloc); })
      .Case([&](DeallocOp op) { return release(op.getBuffer()); })
      .Case([&](memref::DeallocOp op) { return release(op.getMemref()); })
      .Case([&](DmaCopyOp op) { return printDmaCopy(op); })
      .Case<DmaGatherOp, DmaScatterOp>([&](auto op) { return printRows(op); })
      .Case([&](DmaTransposeOp op) { return printDmaTranspose(op); })
      .Case([&](MatmulOp op) { return printMatmul(op); })
      .Case([&](TransposeOp op) { return printTranspose(op); })
      .Case([&](TensorCopyOp op) { return printTensorCopy(op); })
      .Case([&](ActivationOp op) { return printActivation(op); })
      .Case([&](TensorTensorOp op) { return printTensorTensor(op); })
      .Case([&](TensorScalarOp op) { return printTensorScalar(op); })
      .Case(
          [&](ScalarTensorTensorOp op) { return printScalarTensorTensor(op); })
      .Case([&](TensorTensorScanOp op) { return printScan(op); })
      .Case([&](TensorReduceOp op) { return printTensorReduce(op); })
      .Case([&](ReciprocalOp op) { return printReciprocal(op); })
      .Case([&](MemsetOp op) { return printMemset(op); })
      .Case([&](IotaOp op) { return printIota(op); })
      .Case([&](AffineSelectOp op) { return printAffineSelect(op); })
      .Case<PartitionReduceOp, BnStatsOp, BnAggrOp, Max8Op, FindIndex8Op,
            MatchReplace8Op, StreamShuffleOp>(
          [&](auto op) { return printPartitionOp(op); })
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
