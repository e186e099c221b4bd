//===- Beta1Printer.cpp - Kernels in the beta of NKI ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Calls return a tile, which is assigned: `a[...] = nisa.tensor_copy(src=b)`.
// Sums in PSUM begin as zeros, and products are added to them. Loops are real
// loops of the device, of a kind that says whether iterations depend on others.
//
//===----------------------------------------------------------------------===//

#include "GroupsInPsum.h"
#include "KernelPrinter.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
class Beta1Printer final : public KernelPrinter {
public:
  using KernelPrinter::KernelPrinter;

private:
  void prepare(func::FuncOp function) override {
    groups.emplace(kernel, function);
  }
  std::string shapeCheck(StringRef input, StringRef shape) const override {
    return (input + ".assert_shape(" + shape + ")").str();
  }
  void printAlloc(const Tensor &tensor) override;
  LogicalResult printLoop(scf::ForOp loop) override;
  LogicalResult printDmaCopy(DmaCopyOp copy) override;
  LogicalResult printDmaTranspose(DmaTransposeOp) override;
  LogicalResult printMatmul(MatmulOp matmul) override;
  LogicalResult printTranspose(TransposeOp transpose) override;
  LogicalResult printMemset(MemsetOp memset) override;
  LogicalResult printIota(IotaOp iota) override;
  void printCall(StringRef dst, Type dstType, StringRef function,
                 Arguments arguments, Type resultType) override;
  std::string engineName(ComputeEngine engine) const override {
    return ("nisa." + stringifyEnum(engine) + "_engine").str();
  }
  std::string slicedView(StringRef base, ArrayRef<int64_t> shape,
                         const Access &access,
                         const Subscripts &subscripts) override;
  FailureOr<std::string> otherView(const Tensor &tensor,
                                   const Access &access) override;

  FailureOr<std::string> load(DmaCopyOp copy);

  std::optional<GroupsInPsum> groups;
};
} // namespace

/// What stands left of an assignment.
static std::string target(StringRef dst) {
  return (dst.ends_with("]") ? dst : dst.str() + "[...]").str();
}

//===----------------------------------------------------------------------===//
// Buffers and loops
//===----------------------------------------------------------------------===//

void Beta1Printer::printAlloc(const Tensor &tensor) {
  text.line(declaration(tensor,
                        groups->accumulate(tensor) ? "nl.zeros" : "nl.ndarray",
                        tensor.type.getElementType()));
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

LogicalResult Beta1Printer::printLoop(scf::ForOp loop) {
  std::string name = takeLoopName(loop);
  text.line("for " + name + " in nl." +
            (carriesValues(kernel, loop) ? "sequential" : "affine") +
            "_range(" + std::to_string(kernel.tripCount(loop)) + "):");
  LogicalResult result = printBody(loop);
  releaseLoopName(loop);
  return result;
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// Slices where each dimension has one dim of the access, in their order; else
/// indices by `nl.arange`, with an axis for each dim.
std::string Beta1Printer::slicedView(StringRef base, ArrayRef<int64_t> shape,
                                     const Access &access,
                                     const Subscripts &subscripts) {
  SmallVector<unsigned, 4> order;
  bool areSlices = true;
  for (const Subscript &one : subscripts) {
    if (one.dim)
      order.push_back(*one.dim);
    areSlices &= one.step == 1 && !one.groupDim;
  }
  bool keepsRank = order.size() == access.dims.size();
  if (areSlices && keepsRank && llvm::is_sorted(order))
    return base.str() + slices(subscripts, shape);

  auto axis = [&](unsigned dim, int64_t size) {
    SmallVector<std::string, 4> places(access.dims.size(), "None");
    places[dim] = ":";
    return "nl.arange(" + std::to_string(size) + ")[" +
           llvm::join(places, ", ") + "]";
  };
  SmallVector<std::string, 4> texts;
  for (const Subscript &one : subscripts) {
    SmallVector<std::string, 3> terms;
    if (!one.dim || !(one.start == LinearExpr()))
      terms.push_back(print(one.start));
    if (one.groupDim)
      terms.push_back(std::to_string(one.size) + " * " +
                      axis(*one.groupDim, one.groups));
    if (one.dim)
      terms.push_back((one.step == 1 ? "" : std::to_string(one.step) + " * ") +
                      axis(*one.dim, one.size));
    texts.push_back(llvm::join(terms, " + "));
  }
  return base.str() + "[" + llvm::join(texts, ", ") + "]";
}

FailureOr<std::string> Beta1Printer::otherView(const Tensor &tensor,
                                               const Access &) {
  // nki_c4
  return refuse("accesses " + nameOf(tensor) +
                " in an order that no indices of its dimensions have, as all "
                "accesses of this version are written");
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void Beta1Printer::printCall(StringRef dst, Type dstType, StringRef function,
                             Arguments arguments, Type resultType) {
  if (dstType != resultType)
    arguments.push_back("dtype=" + typeName(dstType));
  llvm::erase_if(arguments, [](const std::string &one) { return one.empty(); });
  text.line((target(dst) + " = " + function + "(" +
             llvm::join(arguments, ", ") + ")"));
}

/// What a DMA fetches; one row for all partitions is spread on the way.
FailureOr<std::string> Beta1Printer::load(DmaCopyOp copy) {
  Type from = copy.getSrc().getType().getElementType(),
       to = copy.getDst().getType().getElementType();
  std::string type = from == to ? "" : ", dtype=" + typeName(to);
  Access access = kernel.access(copy.getSrc(), copy);
  Access::Dim rows = access.dims.front();
  bool isRepeated = rows.stride == 0 && rows.size > 1;
  if (isRepeated)
    access.dims.front() = {1, 1};
  FailureOr<std::string> src = viewOf(access);
  if (failed(src))
    return failure();
  std::string tile = "nl.load(" + *src + type + ")";
  if (!isRepeated)
    return tile;
  return "nl.broadcast_to(" + tile +
         ", shape=" + tupleOf(copy.getDst().getType().getShape()) + ")";
}

LogicalResult Beta1Printer::printDmaCopy(DmaCopyOp copy) {
  FailureOr<std::string> dst = view(copy.getDst(), copy);
  if (failed(dst))
    return failure();
  MemorySpace from = *getMemorySpace(copy.getSrc().getType()),
              to = *getMemorySpace(copy.getDst().getType());
  if (from == MemorySpace::Hbm && to == MemorySpace::Sbuf) {
    FailureOr<std::string> tile = load(copy);
    if (failed(tile))
      return failure();
    text.line(target(*dst) + " = " + *tile);
    return success();
  }
  FailureOr<std::string> src = view(copy.getSrc(), copy);
  if (failed(src))
    return failure();
  bool keepsType = copy.getSrc().getType().getElementType() ==
                   copy.getDst().getType().getElementType();
  if (from == MemorySpace::Sbuf && to == MemorySpace::Hbm && keepsType)
    text.line("nl.store(" + *dst + ", value=" + *src + ")");
  else
    text.line("nisa.dma_copy(dst=" + *dst + ", src=" + *src + ")");
  return success();
}

LogicalResult Beta1Printer::printDmaTranspose(DmaTransposeOp) {
  // nki_c11
  return refuse("has no form in the beta of NKI, as no DMA of a trn1 "
                "transposes; transpose on the tensor engine");
}

LogicalResult Beta1Printer::printMatmul(MatmulOp matmul) {
  // nki_c7
  if (std::optional<std::string> reason = groups->whyNot(matmul))
    return refuse(*reason);
  FailureOr<std::string> dst = view(matmul.getDst(), matmul);
  FailureOr<std::string> stationary = view(matmul.getStationary(), matmul);
  FailureOr<std::string> moving = view(matmul.getMoving(), matmul);
  if (failed(dst) || failed(stationary) || failed(moving))
    return failure();
  const Tensor &bank = kernel.tensorOf(kernel.access(matmul.getDst(), matmul));
  text.line(target(*dst) + (groups->accumulate(bank) ? " += " : " = ") +
            "nisa.nc_matmul(stationary=" + *stationary + ", moving=" + *moving +
            ")");
  return success();
}

LogicalResult Beta1Printer::printTranspose(TransposeOp transpose) {
  FailureOr<std::string> dst = view(transpose.getDst(), transpose);
  FailureOr<std::string> src = view(transpose.getSrc(), transpose);
  if (failed(dst) || failed(src))
    return failure();
  Type type = transpose.getSrc().getType().getElementType();
  // On trn1 transposes leave f32 in PSUM, whatever they turn.
  printCall(*dst, type, "nisa.nc_transpose",
            {"data=" + *src, engineArgument(transpose.getAssignedEngine())},
            type);
  return success();
}

LogicalResult Beta1Printer::printMemset(MemsetOp memset) {
  FailureOr<std::string> dst = view(memset.getDst(), memset);
  if (failed(dst) || failed(checkMemset(memset)))
    return failure();
  MemRefType type = memset.getDst().getType();
  text.line(target(*dst) + " = nisa.memset(shape=" + tupleOf(type.getShape()) +
            ", value=" + toPythonNumber(memset.getValue().convertToFloat()) +
            ", dtype=" + typeName(type.getElementType()) + ")");
  return success();
}

LogicalResult Beta1Printer::printIota(IotaOp iota) {
  FailureOr<std::string> dst = view(iota.getDst(), iota);
  if (failed(dst))
    return failure();
  MemRefType type = iota.getDst().getType();
  text.line(target(*dst) + " = nisa.iota(" + std::to_string(iota.getStart()) +
            " + " + std::to_string(iota.getPartitionStep()) + " * nl.arange(" +
            std::to_string(type.getDimSize(0)) + ")[:, None] + " +
            std::to_string(iota.getStep()) + " * nl.arange(" +
            std::to_string(type.getDimSize(1)) +
            ")[None, :], dtype=" + typeName(type.getElementType()) + ")");
  return success();
}

std::unique_ptr<KernelPrinter>
nki::createBeta1Printer(const KernelReading &kernel, const Machine &machine,
                        const NKIOptions &options, PythonText &text) {
  return std::make_unique<Beta1Printer>(kernel, machine, options, text);
}
