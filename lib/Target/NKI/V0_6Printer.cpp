//===- V0_6Printer.cpp - Kernels in NKI 0.6 -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls write a tile that they are given: `nisa.tensor_copy(dst=a, src=b)`.
// Loops of Python are unrolled by the vendor's compiler, which takes long for
// long loops; these run on the device, where they can: `nl.fori_loop`.
//
//===----------------------------------------------------------------------===//

#include "DeviceLoops.h"
#include "KernelPrinter.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
class V0_6Printer final : public KernelPrinter {
public:
  using KernelPrinter::KernelPrinter;

private:
  void prepare(func::FuncOp function) override;
  std::string shapeCheck(StringRef input, StringRef shape) const override {
    return ("assert " + input + ".shape == " + shape).str();
  }
  void printAlloc(const Tensor &tensor) override;
  LogicalResult printLoop(scf::ForOp loop) override;
  LogicalResult printDmaCopy(DmaCopyOp copy) override;
  LogicalResult printDmaTranspose(DmaTransposeOp transpose) override;
  LogicalResult printMatmul(MatmulOp matmul) override;
  LogicalResult printTranspose(TransposeOp transpose) override;
  LogicalResult printMemset(MemsetOp memset) override;
  LogicalResult printIota(IotaOp iota) override;
  void printCall(StringRef dst, Type dstType, StringRef function,
                 Arguments arguments, Type resultType) override;
  std::string engineName(ComputeEngine engine) const override {
    return ("nisa.engine." + stringifyEnum(engine)).str();
  }
  std::string slicedView(StringRef base, ArrayRef<int64_t> shape,
                         const Access &access,
                         const Subscripts &subscripts) override;
  FailureOr<std::string> otherView(const Tensor &tensor,
                                   const Access &access) override;

  std::string addressOf(const Tensor &tensor) const;
  LogicalResult printDeviceLoop(scf::ForOp loop, int64_t step);
  /// A tile in PSUM, as NKI has to know it.
  Type typeOf(const Tensor &tensor) const {
    auto narrow = narrowBanks.find(tensor.value);
    return narrow == narrowBanks.end() ? tensor.type.getElementType()
                                       : narrow->second;
  }

  /// Tiles in PSUM that transposes alone write, with the type of these.
  llvm::DenseMap<Value, Type> narrowBanks;
  /// The loop of the device that is printed, and what a step of it counts.
  std::optional<DeviceLoop> device;
};
} // namespace

/// Here a transpose keeps the type of what it turns, in the dialect it may
/// leave f32; the values are the same.
void V0_6Printer::prepare(func::FuncOp function) {
  llvm::DenseSet<Value> wide;
  function.walk([&](DestinationStyleOpInterface op) {
    if (!isInstruction(op))
      return;
    for (OpOperand &written : op.getDpsInitsMutable()) {
      const Tensor &tensor = kernel.tensorOf(kernel.access(written.get(), op));
      if (tensor.space() != MemorySpace::Psum)
        continue;
      auto transpose = dyn_cast<TransposeOp>(*op);
      Type type =
          transpose ? transpose.getSrc().getType().getElementType() : Type();
      auto [known, isNew] = narrowBanks.insert({tensor.value, type});
      if (!type || (!isNew && known->second != type))
        wide.insert(tensor.value);
    }
  });
  for (Value bank : wide)
    narrowBanks.erase(bank);
}

//===----------------------------------------------------------------------===//
// Buffers and loops
//===----------------------------------------------------------------------===//

/// `(partition, byte)`; the slots of a buffer take turns.
std::string V0_6Printer::addressOf(const Tensor &tensor) const {
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
    start += (start.empty() ? "" : " + ") +
             (isCounter ? print(turn) : "(" + print(turn) + ")") + " % " +
             std::to_string(slots) + " * " + std::to_string(step);
  }
  if (start.empty())
    start = "0";
  return "(0, " + start + ")";
}

void V0_6Printer::printAlloc(const Tensor &tensor) {
  text.line(
      declaration(tensor, "nl.ndarray", typeOf(tensor), addressOf(tensor)));
}

LogicalResult V0_6Printer::printLoop(scf::ForOp loop) {
  if (!device && countInstructions(kernel, loop) > options.unrollLimit &&
      !options.addresses)
    if (std::optional<int64_t> step = findDeviceStep(kernel, loop))
      return printDeviceLoop(loop, *step);
  std::string name = takeLoopName(loop);
  text.line("for " + name + " in range(" +
            std::to_string(kernel.tripCount(loop)) + "):");
  LogicalResult result = printBody(loop);
  releaseLoopName(loop);
  return result;
}

/// The counter is a register, which counts rows or columns of tensors in HBM.
LogicalResult V0_6Printer::printDeviceLoop(scf::ForOp loop, int64_t step) {
  std::string name = takeLoopName(loop), body = names.take(name + "_body");
  device = DeviceLoop{kernel.numberOf(loop), step, name};
  text.separate();
  text.line("def " + body + "(" + name + "):");
  LogicalResult result = printBody(loop);
  device.reset();
  releaseLoopName(loop);
  text.separate();
  text.line("nl.fori_loop(0, " + std::to_string(kernel.tripCount(loop) * step) +
            ", " + body + (step == 1 ? "" : ", step=" + std::to_string(step)) +
            ")");
  return result;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static std::string pairs(ArrayRef<std::array<int64_t, 2>> pattern) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(pattern, os, [&](const std::array<int64_t, 2> &pair) {
    os << "[" << pair[0] << ", " << pair[1] << "]";
  });
  return text + "]";
}

/// Slices, then groups of rows in a dimension of their own, then dimensions in
/// the order of the access.
std::string V0_6Printer::slicedView(StringRef base, ArrayRef<int64_t> shape,
                                    const Access &access,
                                    const Subscripts &subscripts) {
  // All that a register does is in `.ap`.
  if (device && device->counts(access.offset))
    return *otherView(kernel.tensorOf(access), access);
  std::string view =
      base.str() + (isAll(subscripts, shape) ? "" : slices(subscripts, shape));
  SmallVector<unsigned, 4> order;
  for (const Subscript &one : subscripts) {
    if (one.groupDim) {
      view += ".reshape_dim(" + std::to_string(order.size()) + ", " +
              tupleOf({one.groups, one.size}) + ")";
      order.push_back(*one.groupDim);
    }
    if (one.dim)
      order.push_back(*one.dim);
  }
  if (llvm::is_sorted(order))
    return view;
  SmallVector<unsigned, 4> sorted(order);
  llvm::sort(sorted);
  SmallVector<int64_t, 4> positions;
  for (unsigned dim : sorted)
    positions.push_back(llvm::find(order, dim) - order.begin());
  return view + ".permute(" + tupleOf(positions) + ")";
}

/// The strides and sizes themselves.
FailureOr<std::string> V0_6Printer::otherView(const Tensor &tensor,
                                              const Access &access) {
  SmallVector<std::array<int64_t, 2>, 4> pattern;
  for (const Access::Dim &dim : access.dims)
    pattern.push_back({dim.stride, dim.size});
  LinearExpr offset = access.offset;
  if (tensor.isOnChip()) {
    int64_t row = tensor.type.getNumElements() / tensor.type.getDimSize(0);
    pattern.front()[0] = row;
    offset += access.partition * row;
  }
  std::string dynamic;
  if (device)
    dynamic = device->takeRegister(offset, tensor.type.getShape());
  return (nameOf(tensor) + ".ap(pattern=" + pairs(pattern) +
          (offset == LinearExpr() ? "" : ", offset=" + print(offset)) +
          dynamic + ")")
      .str();
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void V0_6Printer::printCall(StringRef dst, Type, StringRef function,
                            Arguments arguments, Type) {
  llvm::erase_if(arguments, [](const std::string &one) { return one.empty(); });
  text.line(
      (function + "(dst=" + dst + ", " + llvm::join(arguments, ", ") + ")")
          .str());
}

LogicalResult V0_6Printer::printDmaCopy(DmaCopyOp copy) {
  FailureOr<std::string> dst = view(copy.getDst(), copy);
  FailureOr<std::string> src = view(copy.getSrc(), copy);
  if (failed(dst) || failed(src))
    return failure();
  printCall(*dst, {}, "nisa.dma_copy", {"src=" + *src}, {});
  return success();
}

LogicalResult V0_6Printer::printDmaTranspose(DmaTransposeOp transpose) {
  FailureOr<std::string> dst = view(transpose.getDst(), transpose);
  FailureOr<std::string> src = view(transpose.getSrc(), transpose);
  if (failed(dst) || failed(src))
    return failure();
  printCall(*dst, {}, "nisa.dma_transpose", {"src=" + *src}, {});
  return success();
}

LogicalResult V0_6Printer::printMatmul(MatmulOp matmul) {
  FailureOr<std::string> dst = view(matmul.getDst(), matmul);
  FailureOr<std::string> stationary = view(matmul.getStationary(), matmul);
  FailureOr<std::string> moving = view(matmul.getMoving(), matmul);
  if (failed(dst) || failed(stationary) || failed(moving))
    return failure();
  printCall(*dst, {}, "nisa.nc_matmul",
            {"stationary=" + *stationary, "moving=" + *moving,
             "accumulate=" + accumulates(matmul)},
            {});
  return success();
}

LogicalResult V0_6Printer::printTranspose(TransposeOp transpose) {
  FailureOr<std::string> dst = view(transpose.getDst(), transpose);
  FailureOr<std::string> src = view(transpose.getSrc(), transpose);
  if (failed(dst) || failed(src))
    return failure();
  const Tensor &tensor =
      kernel.tensorOf(kernel.access(transpose.getDst(), transpose));
  Type from = transpose.getSrc().getType().getElementType();
  // nki_c3
  if (typeOf(tensor) != from)
    return refuse(
        Twine("leaves ") + typeName(typeOf(tensor)).substr(3) + " of " +
        typeName(from).substr(3) +
        ", but nc_transpose keeps the type; let the transposes into a "
        "buffer have one type, and convert elsewhere");
  printCall(*dst, {}, "nisa.nc_transpose",
            {"data=" + *src, engineArgument(transpose.getAssignedEngine())},
            {});
  return success();
}

LogicalResult V0_6Printer::printMemset(MemsetOp memset) {
  FailureOr<std::string> dst = view(memset.getDst(), memset);
  if (failed(dst) || failed(checkMemset(memset)))
    return failure();
  printCall(*dst, {}, "nisa.memset",
            {"value=" + toPythonNumber(memset.getValue().convertToFloat()),
             engineArgument(memset.getAssignedEngine())},
            {});
  return success();
}

LogicalResult V0_6Printer::printIota(IotaOp iota) {
  FailureOr<std::string> dst = view(iota.getDst(), iota);
  if (failed(dst))
    return failure();
  int64_t columns = cast<MemRefType>(iota.getDst().getType()).getDimSize(1);
  printCall(*dst, {}, "nisa.iota",
            {"pattern=" + pairs({{iota.getStep(), columns}}),
             "offset=" + std::to_string(iota.getStart()),
             "channel_multiplier=" + std::to_string(iota.getPartitionStep())},
            {});
  return success();
}

std::unique_ptr<KernelPrinter>
nki::createV0_6Printer(const KernelReading &kernel, const Machine &machine,
                       const NKIOptions &options, PythonText &text) {
  return std::make_unique<V0_6Printer>(kernel, machine, options, text);
}
