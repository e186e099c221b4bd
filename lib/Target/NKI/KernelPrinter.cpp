//===- KernelPrinter.cpp - One kernel as a function of Python -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"

#include "PrintBuffers.h"
#include "PrintInstructions.h"
#include "trn/Decode/Decode.h"
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

LogicalResult KernelPrinter::print(StringRef name, KernelPrinter *other) {
  printSignature(name);
  PythonText::Block body(text);
  printDocstring(/*isOfCores=*/other != nullptr);
  for (const Tensor &input : kernel.inputs()) {
    std::string shape = tupleOf(input.type.getShape());
    text.line(isBeta() ? nameOf(input) + ".assert_shape(" + shape + ")"
                       : "assert " + nameOf(input) + ".shape == " + shape);
  }
  for (const Tensor &result : kernel.results())
    printResult(printed, result);
  if (failed(other ? printCores(*other) : printBlock(printed.function.front())))
    return failure();
  text.setPlace("");
  std::string returned = "return ";
  llvm::raw_string_ostream os(returned);
  llvm::interleaveComma(kernel.results(), os,
                        [&](const Tensor &result) { os << nameOf(result); });
  text.line(returned);
  return success();
}

/// Declares scratch that both cores have, under one name.
void KernelPrinter::declareShared(KernelPrinter &other) {
  StringRef attribute = TrnDialect::SharedAttrHelper::getNameStr();
  auto forEachShared = [&](KernelPrinter &printer, auto visit) {
    printer.printed.function.walk([&](memref::AllocOp alloc) {
      if (Attribute number = alloc->getAttr(attribute))
        visit(alloc, number);
    });
  };
  llvm::DenseMap<Attribute, std::string> known;
  auto declare = [&](KernelPrinter &printer) {
    forEachShared(printer, [&](memref::AllocOp alloc, Attribute number) {
      const Tensor &tensor = printer.kernel.tensorOf(alloc);
      if (!tensor.isUsed || !known.try_emplace(number).second)
        return;
      printBuffer(printer.printed, alloc);
      known[number] = printer.nameOf(tensor).str();
    });
  };
  declare(*this);
  declare(other);
  for (KernelPrinter *printer : {this, &other})
    forEachShared(*printer, [&](memref::AllocOp alloc, Attribute number) {
      std::string name = known.lookup(number);
      printer->shared.insert(alloc);
      if (name.empty())
        return;
      if (printer->names.isFree(name))
        printer->names.take(name);
      printer->accesses.setName(alloc.getMemref(), name);
    });
}

/// The two bodies, one for each core.
LogicalResult KernelPrinter::printCores(KernelPrinter &other) {
  auto copyNames = [&](ArrayRef<Tensor> own, ArrayRef<Tensor> theirs) {
    for (auto [from, to] : llvm::zip_equal(own, theirs))
      other.accesses.setName(to.value, other.names.take(nameOf(from)));
  };
  copyNames(kernel.inputs(), other.kernel.inputs());
  copyNames(kernel.results(), other.kernel.results());
  declareShared(other);
  text.separate();
  text.line("if nl.program_id(0) == 0:");
  if (failed(printBody(printed.function.front())))
    return failure();
  text.line("else:");
  if (failed(other.printBody(other.printed.function.front())))
    return failure();
  isComplete &= other.isComplete;
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

void KernelPrinter::printDocstring(bool isOfCores) {
  std::string doc = "\"\"\"";
  llvm::raw_string_ostream os(doc);
  if (const planning::Graph *graph = kernel.graph()) {
    os << "The stages of its schedule:\n\n";
    for (const planning::Stage &stage : graph->stages)
      os << "    " << describe(*graph, stage) << "\n";
  } else {
    os << "A kernel without a schedule.\n";
  }
  if (isOfCores)
    os << "\nThe two cores of a logical core run it.\n";
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
    text.setPlace(describeLocation(op.getLoc()));
    printStage(&op);
    printed.refusal.clear();
    bool isPrinted = succeeded(printOp(&op));
    for (const std::string &name : printed.temporaries)
      names.release(name);
    printed.temporaries.clear();
    if (isPrinted)
      continue;
    std::string reason = std::exchange(printed.refusal, "");
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
      .Case<AllocOp, memref::AllocOp>([&](Operation *alloc) {
        if (!shared.contains(alloc))
          printBuffer(printed, alloc);
        return success();
      })
      .Case([&](DeallocOp op) { return release(op.getBuffer()); })
      .Case([&](memref::DeallocOp op) { return release(op.getMemref()); })
      .Case<DmaCopyOp, DmaTransposeOp, MatmulOp, TransposeOp, MemsetOp, IotaOp,
            AffineSelectOp, CoreBarrierOp, SendReceiveOp>(
          [&](Operation *op) { return printMove(printed, op); })
      .Case<DmaGatherOp, DmaScatterOp>(
          [&](Operation *op) { return printRows(printed, op); })
      .Case<TensorCopyOp, ActivationOp, TensorTensorOp, TensorReduceOp,
            ReciprocalOp>(
          [&](Operation *op) { return printElementwise(printed, op); })
      .Case<TensorScalarOp, ScalarTensorTensorOp, TensorTensorScanOp>(
          [&](Operation *op) { return printScalars(printed, op); })
      .Case<PartitionReduceOp, BnStatsOp, BnAggrOp, Max8Op, FindIndex8Op,
            MatchReplace8Op, PartitionGatherOp, StreamShuffleOp>(
          [&](Operation *op) { return printPartitionOp(printed, op); })
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
  std::string name = names.take(base);
  accesses.setName(loop, name);
  return name;
}

LogicalResult KernelPrinter::printBody(Block &block) {
  PythonText::Block body(text);
  unsigned before = text.numLines();
  if (failed(printBlock(block)))
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
  LogicalResult result = printBody(*loop.getBody());
  names.release(name);
  return result;
}

/// The counter is a register, which counts rows or columns of tensors in HBM.
LogicalResult KernelPrinter::printDeviceLoop(scf::ForOp loop, int64_t step) {
  std::string name = takeLoopName(loop), body = names.take(name + "_body");
  accesses.device = DeviceLoop{kernel.numberOf(loop), step, name};
  text.separate();
  text.line("def " + body + "(" + name + "):");
  LogicalResult result = printBody(*loop.getBody());
  accesses.device.reset();
  names.release(name);
  text.separate();
  text.line("nl.fori_loop(0, " + std::to_string(kernel.tripCount(loop) * step) +
            ", " + body + (step == 1 ? "" : ", step=" + std::to_string(step)) +
            ")");
  return result;
}
