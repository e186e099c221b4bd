//===- DecodeKernel.cpp - Kernels as programs -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/Decode.h"

#include "trn/Decode/ViewAnalysis.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/IR/TrnInterfaces.h"
#include "trn/Planning/DescribeSchedule.h"
#include "trn/Program/ChooseQueues.h"
#include "trn/Program/DmaWork.h"
#include "trn/Program/ProgramBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::trn;

std::string mlir::trn::describeLocation(Location location) {
  std::string place, name;
  location->walk([&](Location inner) {
    if (auto named = dyn_cast<NameLoc>(inner); named && name.empty())
      name = named.getName().str();
    auto file = dyn_cast<FileLineColLoc>(inner);
    if (!file)
      return WalkResult::advance();
    llvm::raw_string_ostream(place)
        << file.getFilename().getValue() << ':' << file.getLine() << ':'
        << file.getColumn();
    return WalkResult::interrupt();
  });
  return !place.empty() ? place : !name.empty() ? name : "unknown";
}

namespace {
/// Walks one kernel and builds its program.
class KernelDecoder final : public OperandResolver {
public:
  KernelDecoder(func::FuncOp kernel, const Machine &target)
      : target(target), views(indices), builder(kernel.getName().str()) {
    ops.push_back(kernel);
  }

  LogicalResult decode(func::FuncOp kernel);

  DecodedKernel take() {
    DecodedKernel decoded = {builder.take(), std::move(ops)};
    for (auto [info, op] : llvm::zip_equal(decoded.program.ops, decoded.ops))
      info.location = describeLocation(op->getLoc());
    auto kernel = cast<func::FuncOp>(decoded.ops.front());
    StringRef matrix = TrnDialect::MatrixAttrHelper::getNameStr();
    for (Buffer &buffer : decoded.program.buffers) {
      Operation *op = decoded.ops[buffer.op];
      Location place = buffer.argument < 0
                           ? op->getLoc()
                           : kernel.getArgument(buffer.argument).getLoc();
      buffer.location = describeLocation(place);
      if (auto name = op->getAttrOfType<StringAttr>(matrix))
        buffer.matrix = name.str();
      else if (auto named = dyn_cast<NameLoc>(place))
        buffer.matrix = named.getName().str();
    }
    return decoded;
  }

  FailureOr<Access> access(Value memref) override {
    return views.access(memref, current);
  }
  FailureOr<Condition> condition(Value i1) override {
    return indices.condition(i1, current);
  }
  const Machine &machine() override { return target; }

private:
  LogicalResult decodeArgument(BlockArgument argument, bool isResult);
  LogicalResult decodeBlock(Block &block);
  LogicalResult decodeOp(Operation &op);
  LogicalResult decodeLoop(scf::ForOp loop);
  LogicalResult decodeAlloc(AllocOp alloc);
  LogicalResult decodeScratch(memref::AllocOp alloc);
  LogicalResult decodeDealloc(Operation *dealloc, Value buffer);
  LogicalResult decodeInstruction(InstructionOpInterface op);

  /// Whether a copy reads or writes SBUF or PSUM.
  bool isOnChip(const Instruction &copy) const {
    return llvm::any_of(
        std::array{copy.reads.front(), copy.writes.front()},
        [&](const Access &access) {
          return builder.program().buffers[access.buffer].space != Space::Hbm;
        });
  }
  /// Names `op` as the origin of what is built next.
  void startOp(Operation *op) {
    builder.op(op->getName().getStringRef().str());
    ops.push_back(op);
  }

  const Machine &target;
  IndexAnalysis indices;
  ViewAnalysis views;
  ProgramBuilder builder;
  SmallVector<Operation *> ops;
  /// The buffer of each alloc.
  llvm::DenseMap<Value, int32_t> allocated;
  /// The op that asks the resolver at the moment.
  Operation *current = nullptr;
};
} // namespace

/// The element count of a buffer; an error at `op` if no program can hold it.
static FailureOr<int64_t> getBufferElements(Operation *op, Twine what,
                                            MemRefType type) {
  std::optional<ElementType> element = getElementType(type.getElementType());
  if (!element)
    return op->emitOpError(what)
           << " has element type " << type.getElementType()
           << ", but a kernel computes with bf16, f16, f32, i32 and ui32";
  if (!type.hasStaticShape() || !type.getLayout().isIdentity())
    return op->emitOpError(what)
           << " is " << type
           << ", but the buffers of a kernel have a static shape and the "
              "identity layout";
  std::optional<int64_t> count = countElements(type, byteSize(*element));
  if (!count)
    return op->emitOpError(what)
           << " is " << type << ", which is larger than any memory";
  return *count;
}

LogicalResult KernelDecoder::decode(func::FuncOp kernel) {
  // kernel_c5
  if (!kernel.getBody().hasOneBlock())
    return kernel.emitOpError("has ")
           << kernel.getBody().getBlocks().size()
           << " blocks, but a kernel is a single block";
  // kernel_c2
  if (kernel.getNumResults() != 0)
    return kernel.emitOpError("returns ")
           << kernel.getNumResults()
           << " values, but the results of a kernel are trailing memref "
              "arguments marked trn.result";

  StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
  for (BlockArgument argument : kernel.getArguments())
    if (failed(
            decodeArgument(argument, kernel.getArgAttr(argument.getArgNumber(),
                                                       result) != nullptr)))
      return failure();
  return decodeBlock(kernel.getBody().front());
}

LogicalResult KernelDecoder::decodeArgument(BlockArgument argument,
                                            bool isResult) {
  Operation *kernel = ops.front();
  std::string what = "argument #" + std::to_string(argument.getArgNumber());
  auto type = dyn_cast<MemRefType>(argument.getType());
  // kernel_c3
  if (!type || getMemorySpace(type) != MemorySpace::Hbm)
    return kernel->emitOpError(what)
           << " is " << argument.getType()
           << ", but the arguments of a kernel are memrefs in HBM";
  FailureOr<int64_t> count = getBufferElements(kernel, what, type);
  if (failed(count))
    return failure();
  ElementType element = *getElementType(type.getElementType());
  views.addBuffer(argument, builder.argument(element, *count, isResult),
                  element);
  return success();
}

LogicalResult KernelDecoder::decodeBlock(Block &block) {
  for (Operation &op : block)
    if (failed(decodeOp(op)))
      return failure();
  return success();
}

LogicalResult KernelDecoder::decodeOp(Operation &op) {
  current = &op;
  return TypeSwitch<Operation *, LogicalResult>(&op)
      .Case([&](InstructionOpInterface op) { return decodeInstruction(op); })
      .Case([&](scf::ForOp loop) { return decodeLoop(loop); })
      .Case([&](AllocOp alloc) { return decodeAlloc(alloc); })
      .Case([&](memref::AllocOp alloc) { return decodeScratch(alloc); })
      .Case([&](DeallocOp dealloc) {
        return decodeDealloc(dealloc, dealloc.getBuffer());
      })
      .Case([&](memref::DeallocOp dealloc) {
        return decodeDealloc(dealloc, dealloc.getMemref());
      })
      .Case<scf::YieldOp, func::ReturnOp>([](auto) { return success(); })
      .Default([&](Operation *op) -> LogicalResult {
        indices.visit(op);
        views.visit(op);
        bool computesAddress =
            op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
            llvm::all_of(op->getResultTypes(), [](Type type) {
              return type.isIntOrIndex() || isa<MemRefType>(type);
            });
        if (computesAddress)
          return success(); // judged when something uses it
        // virtual_c1
        return op->emitOpError(
            "cannot be in a kernel, which holds trn instructions and buffers, "
            "scf.for with constant bounds, index arithmetic and static views");
      });
}

LogicalResult KernelDecoder::decodeLoop(scf::ForOp loop) {
  FailureOr<int64_t> tripCount = indices.addLoop(loop);
  if (failed(tripCount))
    return failure();
  builder.beginLoop(*tripCount);
  if (failed(decodeBlock(*loop.getBody())))
    return failure();
  builder.endLoop();
  return success();
}

LogicalResult KernelDecoder::decodeAlloc(AllocOp alloc) {
  auto type = cast<MemRefType>(alloc.getType());
  FailureOr<int64_t> count = getBufferElements(alloc, "buffer", type);
  if (failed(count))
    return failure();
  bool isPsum = getMemorySpace(type) == MemorySpace::Psum;
  // placed_c1
  if (!alloc.getOffset() || (isPsum && !alloc.getBank()))
    return alloc.emitOpError("has no ")
           << (isPsum ? "bank and offset" : "offset")
           << ", but a kernel that runs is placed; run trn-place-buffers first";
  int64_t partitions = type.getRank() == 0 ? 0 : type.getDimSize(0);
  // placed_c2
  if (partitions <= 0 || partitions > target.partitions)
    return alloc.emitOpError("buffer has ")
           << partitions << " partitions, but " << target.name << " has "
           << target.partitions << "; run trn-fold-partitions first";

  startOp(alloc);
  ElementType element = *getElementType(type.getElementType());
  int64_t free = *count / partitions;
  int64_t slots = alloc.getBuffers();
  int32_t buffer =
      isPsum
          ? builder.psum(element, partitions, free, *alloc.getBank(), slots,
                         *alloc.getOffset())
          : builder.sbuf(element, partitions, free, *alloc.getOffset(), slots);
  builder.alloc(buffer);
  views.addBuffer(alloc.getBuffer(), buffer, element);
  allocated[alloc.getBuffer()] = buffer;
  return success();
}

LogicalResult KernelDecoder::decodeScratch(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  // virtual_c4
  if (getMemorySpace(type) != MemorySpace::Hbm)
    return alloc.emitOpError("allocates ") << type << " on chip; use trn.alloc";
  FailureOr<int64_t> count = getBufferElements(alloc, "buffer", type);
  if (failed(count))
    return failure();
  startOp(alloc);
  ElementType element = *getElementType(type.getElementType());
  int32_t buffer = builder.scratch(element, *count);
  if (auto shared = alloc->getAttrOfType<IntegerAttr>(
          TrnDialect::SharedAttrHelper::getNameStr()))
    builder.share(buffer, shared.getInt());
  builder.alloc(buffer);
  views.addBuffer(alloc.getMemref(), buffer, element);
  allocated[alloc.getMemref()] = buffer;
  return success();
}

LogicalResult KernelDecoder::decodeDealloc(Operation *dealloc, Value buffer) {
  auto it = allocated.find(buffer);
  // free_c1
  if (it == allocated.end())
    return dealloc->emitOpError("frees ")
           << (isa<BlockArgument>(buffer) ? "an argument" : "a view")
           << ", but only the result of an alloc in the kernel can be freed";
  startOp(dealloc);
  builder.dealloc(it->second);
  return success();
}

LogicalResult KernelDecoder::decodeInstruction(InstructionOpInterface op) {
  FailureOr<Instruction> instruction = op.decode(*this);
  if (failed(instruction))
    return failure();
  startOp(op);
  if (instruction->semantics == Semantics::Copy)
    mergeCopy(*instruction, isOnChip(*instruction));
  builder.execute(std::move(*instruction));
  return success();
}

/// Arguments are the inputs of the graph, then its results.
static void nameArguments(DecodedKernel &kernel) {
  std::vector<std::string> names;
  for (planning::Role role : {planning::Role::Input, planning::Role::Result})
    for (const planning::Matrix &matrix : kernel.plan->graph.matrices)
      if (matrix.role == role)
        names.push_back(matrix.name);
  for (Buffer &buffer : kernel.program.buffers)
    if (buffer.argument >= 0 && size_t(buffer.argument) < names.size())
      buffer.matrix = names[buffer.argument];
}

FailureOr<DecodedKernel> mlir::trn::decodeKernel(func::FuncOp kernel,
                                                 const Machine &machine) {
  KernelDecoder decoder(kernel, machine);
  if (failed(decoder.decode(kernel)))
    return failure();
  DecodedKernel decoded = decoder.take();
  chooseQueues(decoded.program);
  if (auto flops = kernel->getAttrOfType<IntegerAttr>(
          TrnDialect::FlopsAttrHelper::getNameStr()))
    decoded.modelFlops = flops.getInt();
  if (auto schedule = kernel->getAttrOfType<ScheduleAttr>(
          TrnDialect::ScheduleAttrHelper::getNameStr());
      schedule && schedule.getPlan()) {
    decoded.plan = {schedule.getGraph(), *schedule.getPlan()};
    decoded.schedule = planning::describeSchedule(*decoded.plan);
    nameArguments(decoded);
  }
  return decoded;
}
