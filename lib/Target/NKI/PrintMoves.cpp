//===- PrintMoves.cpp - Transfers, products and fills as text -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelPrinter.h"
#include "trn/Program/DmaWork.h"

#include "mlir/Support/DebugStringHelper.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

std::string KernelPrinter::typeName(Type type) const {
  return nki::nameOf(ValueKind::Dtype, debugString(type), options.version)
      .str();
}

/// What stands left of an assignment.
static std::string target(StringRef dst) {
  return (dst.ends_with("]") ? dst : dst.str() + "[...]").str();
}

void KernelPrinter::printCall(StringRef dst, Type dstType, StringRef function,
                              Arguments arguments, Type resultType,
                              StringRef assignment) {
  auto has = [&](StringRef argument) {
    return hasArgument("isa", function, argument, options.version);
  };
  if (dstType != resultType)
    arguments.push_back({"dtype", typeName(dstType)});
  SmallVector<std::string, 8> texts;
  if (has("dst"))
    texts.push_back("dst=" + dst.str());
  for (const auto &[name, value] : arguments)
    if (!value.empty() && has(name))
      texts.push_back(name.str() + "=" + value);
  text.line((has("dst") ? "" : target(dst) + assignment) + "nisa." + function +
            "(" + llvm::join(texts, ", ") + ")");
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

/// What a DMA fetches; one row for all partitions is spread on the way.
FailureOr<std::string> KernelPrinter::load(DmaCopyOp copy) {
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

LogicalResult KernelPrinter::printDmaCopy(DmaCopyOp copy) {
  FailureOr<std::string> dst = view(copy.getDst(), copy);
  if (failed(dst))
    return failure();
  MemorySpace from = *getMemorySpace(copy.getSrc().getType()),
              to = *getMemorySpace(copy.getDst().getType());
  if (isBeta() && from == MemorySpace::Hbm && to == MemorySpace::Sbuf) {
    FailureOr<std::string> tile = load(copy);
    if (succeeded(tile))
      text.line(target(*dst) + " = " + *tile);
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

LogicalResult KernelPrinter::printDmaTranspose(DmaTransposeOp transpose) {
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

//===----------------------------------------------------------------------===//
// The tensor engine
//===----------------------------------------------------------------------===//

FailureOr<std::string> KernelPrinter::matrixView(Value memref, Operation *op) {
  Access access = kernel.access(memref, op);
  if (access.dims.size() > 2) {
    mergeDims({&access.dims}, /*onChip=*/true);
    if (access.dims.size() < 2)
      access.dims.push_back({1, 1});
  }
  return viewOf(access);
}

LogicalResult KernelPrinter::printMatmul(MatmulOp matmul) {
  // nki_c7
  if (isBeta())
    if (std::optional<std::string> reason = sums.whyNot(matmul))
      return refuse(*reason);
  FailureOr<std::string> dst = matrixView(matmul.getDst(), matmul);
  FailureOr<std::string> stationary =
      matrixView(matmul.getStationary(), matmul);
  FailureOr<std::string> moving = matrixView(matmul.getMoving(), matmul);
  if (failed(dst) || failed(stationary) || failed(moving))
    return failure();
  const Tensor &bank = kernel.tensorOf(kernel.access(matmul.getDst(), matmul));
  printCall(*dst, {}, "nc_matmul",
            {{"stationary", *stationary},
             {"moving", *moving},
             {"accumulate", accesses.accumulates(matmul)}},
            {}, sums.accumulate(bank) ? " += " : " = ");
  return success();
}

LogicalResult KernelPrinter::printTranspose(TransposeOp transpose) {
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

LogicalResult KernelPrinter::printMemset(MemsetOp memset) {
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
std::string KernelPrinter::printCount(int32_t start, int32_t partitionStep,
                                      ArrayRef<int32_t> steps,
                                      MemRefType tile) {
  std::string sum = std::to_string(start);
  auto add = [&](int32_t step, unsigned dim) {
    std::string index = axis(tile.getDimSize(dim), dim, tile.getRank());
    if (tile.getRank() > 2) {
      temporaries.push_back(names.take("index"));
      text.line(temporaries.back() + " = " + index);
      index = temporaries.back();
    }
    sum += " + " + std::to_string(step) + " * " + index;
  };
  add(partitionStep, 0);
  for (auto [dim, step] : llvm::enumerate(steps))
    add(step, dim + 1);
  return sum;
}

LogicalResult KernelPrinter::printIota(IotaOp iota) {
  FailureOr<std::string> dst = view(iota.getDst(), iota);
  if (failed(dst))
    return failure();
  MemRefType type = iota.getDst().getType();
  if (isBeta())
    text.line(target(*dst) + " = nisa.iota(" +
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

LogicalResult KernelPrinter::printAffineSelect(AffineSelectOp select) {
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
