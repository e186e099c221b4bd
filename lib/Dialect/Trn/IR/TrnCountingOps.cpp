//===- TrnCountingOps.cpp - Counts of GpSimd ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepsFormat.h"
#include "VerifyTiles.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;

ParseResult trn::parseSteps(OpAsmParser &parser, DenseI32ArrayAttr &steps) {
  if (succeeded(parser.parseOptionalKeyword("step"))) {
    int32_t step;
    if (parser.parseInteger(step))
      return failure();
    steps = parser.getBuilder().getDenseI32ArrayAttr(step);
    return success();
  }
  if (parser.parseKeyword("steps"))
    return failure();
  steps = dyn_cast_or_null<DenseI32ArrayAttr>(
      DenseI32ArrayAttr::parse(parser, Type()));
  return success(static_cast<bool>(steps));
}

void trn::printSteps(OpAsmPrinter &printer, Operation *,
                     DenseI32ArrayAttr steps) {
  if (steps.size() == 1) {
    printer << "step " << steps[0];
    return;
  }
  printer << "steps ";
  steps.print(printer);
}

namespace {
struct Count {
  int64_t start, partitionStep;
  ArrayRef<int32_t> steps;
};
} // namespace

/// The largest numbers that all integers up to them are exact in f32.
static constexpr int64_t exactLimit = int64_t(1) << 24;

static LogicalResult verifyExact(Operation *op, const Count &count,
                                 MemRefType tile) {
  SmallVector<int64_t> parameters = {count.start, count.partitionStep};
  parameters.append(count.steps.begin(), count.steps.end());
  for (int64_t parameter : parameters)
    if (std::abs(parameter) > exactLimit)
      return op->emitOpError("starts or steps by ")
             << parameter << ", but f32 holds integers exactly only up to "
             << exactLimit << "; count in smaller steps";
  // The least and the most that it counts to. An index beyond the limit is
  // beyond it in small numbers, too.
  int64_t least = count.start, most = count.start;
  for (auto [size, step] :
       llvm::zip(tile.getShape(), ArrayRef<int64_t>(parameters).drop_front())) {
    int64_t reach = std::min(size - 1, 4 * exactLimit) * step;
    (reach < 0 ? least : most) += reach;
  }
  for (int64_t value : {least, most})
    if (std::abs(value) > exactLimit)
      return op->emitOpError("counts to ")
             << value << ", but f32 holds integers exactly only up to "
             << exactLimit << "; count in smaller pieces and add an offset";
  return success();
}

static LogicalResult verifySteps(Operation *op, size_t steps, MemRefType tile) {
  if (int64_t(steps) == tile.getRank() - 1)
    return success();
  return op->emitOpError("has ")
         << steps << " steps, but its tile has " << tile.getRank() - 1
         << " free dimensions; give one for each";
}

LogicalResult IotaOp::verify() {
  MemRefType dst = getDst().getType();
  // iota_c1
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // iota_c3
  if (failed(verifySteps(*this, getSteps().size(), dst)))
    return failure();
  // iota_c2
  return verifyExact(*this, {getStart(), getPartitionStep(), getSteps()}, dst);
}

/// Whether it compares two values.
static bool isComparison(BinaryFunction function) {
  return function >= BinaryFunction::Eq && function <= BinaryFunction::Le;
}

LogicalResult AffineSelectOp::verify() {
  MemRefType dst = getDst().getType();
  // affine_select_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // affine_select_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // affine_select_c4
  if (failed(verifySteps(*this, getSteps().size(), dst)))
    return failure();
  // affine_select_c3
  if (failed(verifyExact(*this, {getStart(), getPartitionStep(), getSteps()},
                         dst)))
    return failure();
  // affine_select_c5
  if (!isComparison(getPredicate()))
    return emitOpError("compares its count with zero, but ")
           << stringifyBinaryFunction(getPredicate())
           << " is no comparison; use eq, ne, gt, ge, lt or le";
  return success();
}
