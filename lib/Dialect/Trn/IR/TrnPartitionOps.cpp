//===- TrnPartitionOps.cpp - Partitions as a whole ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"
#include "VerifyTiles.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::trn;

/// What the ops that have it in their names find.
static constexpr int64_t eight = 8;

LogicalResult BnStatsOp::verify() {
  // bn_stats_c1
  constexpr int64_t valuesOfHalves = 6;
  if (failed(verifyColumn(*this, "dst", getDst(), "src", getSrc(),
                          valuesOfHalves)))
    return failure();
  // bn_stats_c2
  if (failed(verifyPartitions(*this, "src", getSrc())))
    return failure();
  // bn_stats_c3
  return verifyFreeSize(*this, "src", getSrc(), 1,
                        sharedLimits().bnStatsFreeMax);
}

LogicalResult BnAggrOp::verify() {
  // bn_aggr_c1
  if (failed(verifyColumn(*this, "dst", getDst(), "src", getSrc(), 2)))
    return failure();
  // bn_aggr_c2
  if (failed(verifyPartitions(*this, "src", getSrc())))
    return failure();
  // bn_aggr_c3
  MemRefType src = getSrc().getType();
  int64_t size = src.getNumElements() / src.getDimSize(0);
  if (size % 3 != 0)
    return emitOpError("src holds triples of a count, a mean and a sum, but "
                       "its free size is ")
           << size << ", which is no multiple of 3";
  return success();
}

LogicalResult Max8Op::verify() {
  // max8_c1
  if (failed(verifyColumn(*this, "dst", getDst(), "src", getSrc(), eight)))
    return failure();
  // max8_c2
  if (failed(verifyPartitions(*this, "src", getSrc())))
    return failure();
  // max8_c3
  return verifyFreeSize(*this, "src", getSrc(), eight,
                        sharedLimits().searchFreeMax);
}

/// f32 holds every index exactly, and ui32 what is not found, too; narrower
/// types do not.
static LogicalResult verifyIndices(Operation *op, StringRef name, Value tile) {
  Type type = cast<MemRefType>(tile.getType()).getElementType();
  if (type.isF32() || type.isUnsignedInteger(32))
    return success();
  return op->emitOpError()
         << name << " takes indices, which f32 and ui32 hold exactly, "
         << "but is of " << type;
}

LogicalResult FindIndex8Op::verify() {
  // find_index8_c1
  if (failed(verifyColumn(*this, "values", getValues(), "data", getData(),
                          eight)) ||
      failed(verifyColumn(*this, "dst", getDst(), "data", getData(), eight)))
    return failure();
  // find_index8_c2
  if (failed(verifyPartitions(*this, "data", getData())))
    return failure();
  // find_index8_c3
  if (failed(verifyFreeSize(*this, "data", getData(), eight,
                            sharedLimits().searchFreeMax)))
    return failure();
  // find_index8_c4
  return verifyIndices(*this, "dst", getDst());
}

LogicalResult MatchReplace8Op::verify() {
  // match_replace8_c1
  if (failed(verifySameShape(*this, "data", getData(), "dst", getDst())))
    return failure();
  // match_replace8_c2
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // match_replace8_c3
  if (failed(verifyFreeSize(*this, "data", getData(), 1,
                            sharedLimits().searchFreeMax)))
    return failure();
  // match_replace8_c4
  if (failed(
          verifyColumn(*this, "values", getValues(), "data", getData(), eight)))
    return failure();
  if (!getIndices())
    return success();
  if (failed(verifyColumn(*this, "indices", getIndices(), "data", getData(),
                          eight)))
    return failure();
  // match_replace8_c5
  return verifyIndices(*this, "indices", getIndices());
}

LogicalResult PartitionGatherOp::verify() {
  MemRefType data = getData().getType(), dst = getDst().getType();
  // partition_gather_c1
  if (failed(verifySameShape(*this, "indices", getIndices(), "dst", getDst())))
    return failure();
  // partition_gather_c2
  if (data.getDimSize(0) != dst.getDimSize(0))
    return emitOpError("chooses elements of ")
           << data.getDimSize(0) << " partitions for " << dst.getDimSize(0)
           << "; give it as many of both";
  if (failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // partition_gather_c3
  if (data.getElementType() != dst.getElementType())
    return emitOpError("data and dst must have the same element type, but are ")
           << data.getElementType() << " and " << dst.getElementType();
  return success();
}

bool StreamShuffleOp::mayAccumulate(OpOperand &) {
  return llvm::is_contained(getMask(), unmodified);
}

LogicalResult StreamShuffleOp::verify() {
  MemRefType src = getSrc().getType(), dst = getDst().getType();
  // stream_shuffle_c1
  if (src.getShape().drop_front() != dst.getShape().drop_front())
    return emitOpError(
               "src and dst must have the same free dimensions, but are ")
           << src << " and " << dst;
  // stream_shuffle_c2
  if (src.getElementType() != dst.getElementType())
    return emitOpError("src and dst must have the same element type, but are ")
           << src.getElementType() << " and " << dst.getElementType();
  // stream_shuffle_c3
  if (failed(verifyPartitions(*this, "src", getSrc())) ||
      failed(verifyPartitions(*this, "dst", getDst())))
    return failure();
  // stream_shuffle_c4
  int64_t quadrant = sharedLimits().partitionGranule;
  if (int64_t(getMask().size()) != quadrant)
    return emitOpError("mask has ")
           << getMask().size() << " numbers, but a quadrant has " << quadrant
           << " partitions";
  // stream_shuffle_c5
  int64_t partitions = dst.getDimSize(0);
  for (auto [partition, source] : llvm::enumerate(getMask())) {
    if (int64_t(partition) >= partitions || source == unmodified)
      continue;
    // In the last quadrant of dst that has this partition.
    int64_t start = (partitions - 1 - int64_t(partition)) / quadrant * quadrant;
    int64_t most = std::clamp<int64_t>(src.getDimSize(0) - start, 0, quadrant);
    if (source >= 0 && source < most)
      continue;
    InFlightDiagnostic error = emitOpError("takes partition ")
                               << partition << " of a quadrant from " << source
                               << ", but src has ";
    if (most == 0)
      return error << "none there";
    return error << "0 to " << most - 1 << " of them";
  }
  return success();
}
