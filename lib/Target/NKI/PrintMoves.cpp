//===- PrintMoves.cpp - Transfers, products and fills as text -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintInstructions.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
class MovePrinter : OpPrinter {
public:
  using OpPrinter::OpPrinter;

  LogicalResult printDmaCopy(DmaCopyOp copy);
  LogicalResult printDmaTranspose(DmaTransposeOp transpose);
  LogicalResult printMeeting(Operation *op);
  LogicalResult printMatmul(MatmulOp matmul);
  LogicalResult printTranspose(TransposeOp transpose);
  LogicalResult printMemset(MemsetOp memset);
  LogicalResult printIota(IotaOp iota);
  LogicalResult printAffineSelect(AffineSelectOp select);

private:
  FailureOr<std::string> load(DmaCopyOp copy);
  std::string printCount(int32_t start, int32_t partitionStep,
                         ArrayRef<int32_t> steps, MemRefType tile);
};
} // namespace

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// What a DMA fetches; one row for all partitions is spread on the way.
FailureOr<std::string> MovePrinter::load(DmaCopyOp copy) {
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

LogicalResult MovePrinter::printDmaCopy(DmaCopyOp copy) {
  FailureOr<std::string> dst = view(copy.getDst(), copy);
  if (failed(dst))
    return failure();
  MemorySpace from = *getMemorySpace(copy.getSrc().getType()),
              to = *getMemorySpace(copy.getDst().getType());
  if (isBeta() && from == MemorySpace::Hbm && to == MemorySpace::Sbuf) {
    FailureOr<std::string> tile = load(copy);
    if (succeeded(tile))
      text.line(targetOf(*dst) + " = " + *tile);
    return tile;
  }
  FailureOr<std::string> src = view(copy.getSrc(), copy);
  if (failed(src))
    return failure();
  bool keepsType = copy.getSrc().getType().getElementType() ==
                   copy.getDst().getType().getElementType();
  if (isBeta() && from == MemorySpace::Sbuf && to == MemorySpace::Hbm &&
      keepsType)
    text.line("nl.store(" + *dst + ", value=" + *src + ")");
  else
    printCall(*dst, {}, "dma_copy", {{"src", *src}}, {});
  return success();
}

LogicalResult MovePrinter::printDmaTranspose(DmaTransposeOp transpose) {
  // nki_c11
  if (isBeta())
    return refuse("has no form in the beta of NKI, as no DMA of a trn1 "
                  "transposes; transpose on the tensor engine");
  FailureOr<std::string> dst = view(transpose.getDst(), transpose);
  FailureOr<std::string> src = view(transpose.getSrc(), transpose);
  if (failed(dst) || failed(src))
    return failure();
  printCall(*dst, {}, "dma_transpose", {{"src", *src}}, {});
  return success();
}

/// Each core names the other one.
LogicalResult MovePrinter::printMeeting(Operation *op) {
  // nki_c16
  if (isBeta())
    return refuse("has no form in the beta of NKI, which is for one core of a "
                  "trn1");
  if (auto barrier = dyn_cast<CoreBarrierOp>(op)) {
    FailureOr<std::string> data = view(barrier.getDst(), op);
    if (succeeded(data))
      text.line("nisa.core_barrier(data=" + *data + ", cores=(0, 1))");
    return data;
  }
  auto exchange = cast<SendReceiveOp>(op);
  FailureOr<std::string> dst = view(exchange.getDst(), op);
  FailureOr<std::string> src = view(exchange.getSrc(), op);
  if (failed(dst) || failed(src))
    return failure();
  std::string rank = std::to_string(1 - printed.core);
  printCall(*dst, {}, "sendrecv",
            {{"src", *src},
             {"send_to_rank", rank},
             {"recv_from_rank", rank},
             {"pipe_id", std::to_string(exchange.getPipe())}},
            {});
  return success();
}

//===----------------------------------------------------------------------===//
// The tensor engine
//===----------------------------------------------------------------------===//

/// `tile_size`: the smallest part of the array with that many columns.
static std::string partOfArray(const Machine &machine, int64_t columns) {
  int64_t part =
      std::max(machine.partitionGranule, machine.tensorColumnGranule);
  while (part < columns)
    part *= 2;
  return tupleOf({machine.partitions, part});
}

LogicalResult MovePrinter::printMatmul(MatmulOp matmul) {
  // nki_c7
  if (isBeta())
    if (std::optional<std::string> reason = printed.sums.whyNot(matmul))
      return refuse(*reason);
  FailureOr<std::string> dst = matrixView(matmul.getDst(), matmul);
  FailureOr<std::string> stationary =
      matrixView(matmul.getStationary(), matmul);
  FailureOr<std::string> moving = matrixView(matmul.getMoving(), matmul);
  if (failed(dst) || failed(stationary) || failed(moving))
    return failure();
  Access result = kernel.access(matmul.getDst(), matmul);
  const Tensor &bank = kernel.tensorOf(result);
  std::string position, size; // where it is not the whole array
  if (!result.partition.isConstant() || result.partition.constant != 0) {
    position = "(0, " + accesses.print(result.partition) + ")";
    size = partOfArray(printed.machine, result.dims.front().size);
  }
  printCall(*dst, {}, "nc_matmul",
            {{"stationary", *stationary},
             {"moving", *moving},
             {"accumulate", accesses.accumulates(matmul)},
             {"tile_position", position},
             {"tile_size", size}},
            {}, printed.sums.accumulate(bank) ? " += " : " = ");
  return success();
}

LogicalResult MovePrinter::printTranspose(TransposeOp transpose) {
  FailureOr<std::string> dst = view(transpose.getDst(), transpose);
  FailureOr<std::string> src = view(transpose.getSrc(), transpose);
  if (failed(dst) || failed(src))
    return failure();
  Type type =
      typeOf(kernel.tensorOf(kernel.access(transpose.getDst(), transpose)));
  Type from = transpose.getSrc().getType().getElementType();
  // nki_c3: on trn1 transposes leave f32, whatever they transpose.
  if (!isBeta() && type != from)
    return refuse("leaves " + unqualified(type) + " of " + unqualified(from) +
                  ", but nc_transpose keeps the type; let the transposes into "
                  "a buffer have one type, and convert elsewhere");
  printCall(*dst, {}, "nc_transpose",
            {{"data", *src}, {"engine", nameOf(transpose.getAssignedEngine())}},
            {});
  return success();
}

//===----------------------------------------------------------------------===//
// Fills
//===----------------------------------------------------------------------===//

LogicalResult MovePrinter::printMemset(MemsetOp memset) {
  FailureOr<std::string> dst = view(memset.getDst(), memset);
  float value = memset.getValue().convertToFloat();
  if (failed(dst) || failed(checkFinite(value)))
    return failure();
  MemRefType type = memset.getDst().getType();
  // nki_c6
  if (getMemorySpace(type) == MemorySpace::Psum)
    return refuse("fills PSUM, where no product may be added to it on trn1 and "
                  "trn2; let the first product overwrite");
  std::string engine = nameOf(memset.getAssignedEngine());
  printCall(*dst, type.getElementType(), "memset",
            {{"shape", tupleOf(type.getShape())},
             {"value", toPythonNumber(value)},
             {"engine", isBeta() ? "" : engine}},
            {});
  return success();
}

/// `[[step, size], ...]`, for each free dimension.
static std::string patternOf(ArrayRef<int32_t> steps, MemRefType tile) {
  SmallVector<std::array<int64_t, 2>, 4> pairs;
  for (auto [step, size] : llvm::zip(steps, tile.getShape().drop_front()))
    pairs.push_back({step, size});
  return pairsOf(pairs);
}

/// The same as an expression of indices, with `start` and a step for
/// partitions. Those of more than two dimensions are too long for one line.
std::string MovePrinter::printCount(int32_t start, int32_t partitionStep,
                                    ArrayRef<int32_t> steps, MemRefType tile) {
  std::string sum = std::to_string(start);
  auto add = [&](int32_t step, unsigned dim) {
    std::string index = axis(tile.getDimSize(dim), dim, tile.getRank());
    if (tile.getRank() > 2) {
      printed.temporaries.push_back(names.take("index"));
      text.line(printed.temporaries.back() + " = " + index);
      index = printed.temporaries.back();
    }
    sum += " + " + std::to_string(step) + " * " + index;
  };
  add(partitionStep, 0);
  for (auto [dim, step] : llvm::enumerate(steps))
    add(step, dim + 1);
  return sum;
}

LogicalResult MovePrinter::printIota(IotaOp iota) {
  FailureOr<std::string> dst = view(iota.getDst(), iota);
  if (failed(dst))
    return failure();
  MemRefType type = iota.getDst().getType();
  if (isBeta())
    text.line(targetOf(*dst) + " = nisa.iota(" +
              printCount(iota.getStart(), iota.getPartitionStep(),
                         iota.getSteps(), type) +
              ", dtype=" + typeName(type.getElementType()) + ")");
  else
    printCall(*dst, {}, "iota",
              {{"pattern", patternOf(iota.getSteps(), type)},
               {"offset", std::to_string(iota.getStart())},
               {"channel_multiplier", std::to_string(iota.getPartitionStep())}},
              {});
  return success();
}

static StringRef signOf(BinaryFunction comparison) {
  switch (comparison) {
  case BinaryFunction::Eq:
    return "==";
  case BinaryFunction::Ne:
    return "!=";
  case BinaryFunction::Gt:
    return ">";
  case BinaryFunction::Ge:
    return ">=";
  case BinaryFunction::Lt:
    return "<";
  default:
    return "<=";
  }
}

LogicalResult MovePrinter::printAffineSelect(AffineSelectOp select) {
  FailureOr<std::string> dst = view(select.getDst(), select);
  FailureOr<std::string> src = view(select.getSrc(), select);
  float otherwise = select.getOtherwise().convertToFloat();
  if (failed(dst) || failed(src) || failed(checkFinite(otherwise)))
    return failure();
  MemRefType type = select.getDst().getType();
  ArrayRef<int32_t> steps = select.getSteps();
  std::string predicate;
  if (isBeta())
    predicate =
        (printCount(select.getStart(), select.getPartitionStep(), steps, type) +
         " " + signOf(select.getPredicate()) + " 0")
            .str();
  printCall(*dst, type.getElementType(), "affine_select",
            {{"pred", predicate},
             {"pattern", patternOf(steps, type)},
             {"channel_multiplier", std::to_string(select.getPartitionStep())},
             {"on_true_tile", *src},
             {"on_false_value", toPythonNumber(otherwise)},
             {"cmp_op", operatorOf(select.getPredicate())},
             {"offset", std::to_string(select.getStart())}},
            select.getSrc().getType().getElementType());
  return success();
}

LogicalResult nki::printMove(PrintedKernel &kernel, Operation *op) {
  MovePrinter printer(kernel);
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](DmaCopyOp op) { return printer.printDmaCopy(op); })
      .Case([&](DmaTransposeOp op) { return printer.printDmaTranspose(op); })
      .Case<CoreBarrierOp, SendReceiveOp>(
          [&](Operation *op) { return printer.printMeeting(op); })
      .Case([&](MatmulOp op) { return printer.printMatmul(op); })
      .Case([&](TransposeOp op) { return printer.printTranspose(op); })
      .Case([&](MemsetOp op) { return printer.printMemset(op); })
      .Case([&](IotaOp op) { return printer.printIota(op); })
      .Case([&](AffineSelectOp op) { return printer.printAffineSelect(op); });
}
