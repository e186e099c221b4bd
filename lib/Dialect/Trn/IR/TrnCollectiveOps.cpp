//===- TrnCollectiveOps.cpp - What cores do together ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "VerifyTiles.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::trn;

template <typename Op>
static LogicalResult verifyTypes(Op op) {
  Type src = op.getSrc().getType().getElementType(),
       dst = op.getDst().getType().getElementType();
  // collective_c1
  if (src == dst)
    return success();
  return op.emitOpError("src and dst must have the same element type, but are ")
         << src << " and " << dst << "; a collective does not convert";
}

/// Each core is in one of the groups.
template <typename Op>
static LogicalResult verifyGroups(Op op) {
  // collective_c3
  ArrayRef<int64_t> groups = op.getGroups();
  const auto cores = int64_t(op.getCores()), all = int64_t(groups.size());
  if (all % cores != 0)
    return op.emitOpError("groups names ")
           << all << " cores, but " << cores << " are a group";
  llvm::BitVector named(all);
  for (int64_t core : groups) {
    if (core < 0 || core >= all || named.test(core))
      return op.emitOpError("groups must name each of the cores 0 to ")
             << all - 1 << " once, but names " << core
             << (core < 0 || core >= all ? "" : " twice");
    named.set(core);
  }
  return verifyTypes(op);
}

/// `whole` is `piece` of all cores, one behind the other.
template <typename Op>
static LogicalResult verifyPieces(Op op, StringRef pieceName, MemRefType piece,
                                  StringRef wholeName, MemRefType whole) {
  // all_gather_c1, reduce_scatter_c1
  const auto dim = int64_t(op.getDim());
  if (dim < 0 || dim >= piece.getRank())
    return op.emitOpError("dim is ")
           << dim << ", but must be between 0 and " << piece.getRank() - 1
           << ", a dimension of " << pieceName;
  SmallVector<int64_t> expected(piece.getShape());
  if (llvm::MulOverflow(expected[dim], int64_t(op.getCores()), expected[dim]))
    expected[dim] = -1; // no array is that long
  if (whole.getShape() == ArrayRef(expected))
    return verifyGroups(op);
  InFlightDiagnostic diagnostic = op.emitOpError();
  diagnostic << wholeName << " must be " << pieceName << " of " << op.getCores()
             << " cores along dimension " << dim << ", but is ";
  llvm::interleave(whole.getShape(), diagnostic, "x");
  diagnostic << " for ";
  llvm::interleave(piece.getShape(), diagnostic, "x");
  return diagnostic;
}

LogicalResult AllReduceOp::verify() {
  // all_reduce_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  return verifyGroups(*this);
}

LogicalResult AllGatherOp::verify() {
  return verifyPieces(*this, "src", getSrc().getType(), "dst",
                      getDst().getType());
}

LogicalResult ReduceScatterOp::verify() {
  return verifyPieces(*this, "dst", getDst().getType(), "src",
                      getSrc().getType());
}

LogicalResult AllToAllOp::verify() {
  // all_to_all_c1
  MemRefType src = getSrc().getType(), dst = getDst().getType();
  SmallVector<int64_t> expected(src.getShape());
  const auto split = int64_t(getSplitDim()), concat = int64_t(getConcatDim()),
             cores = int64_t(getCores());
  for (auto [name, dim] : {std::pair("split", split), {"concat", concat}})
    if (dim < 0 || dim >= src.getRank())
      return emitOpError(name)
             << " is " << dim << ", but must be between 0 and "
             << src.getRank() - 1 << ", a dimension of src";
  if (expected[split] % cores != 0)
    return emitOpError("dimension ")
           << split << " of src has " << expected[split] << " elements, which "
           << cores << " cores do not divide";
  expected[split] /= cores;
  if (llvm::MulOverflow(expected[concat], cores, expected[concat]))
    expected[concat] = -1; // no array is that long
  if (dst.getShape() == ArrayRef(expected))
    return verifyGroups(*this);
  InFlightDiagnostic diagnostic = emitOpError("dst must be ");
  llvm::interleave(expected, diagnostic, "x");
  diagnostic << ", but is ";
  llvm::interleave(dst.getShape(), diagnostic, "x");
  return diagnostic;
}

LogicalResult CollectivePermuteOp::verify() {
  // collective_permute_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // collective_permute_c2
  const auto cores = int64_t(getSources().size());
  if (cores == 0)
    return emitOpError("from must have a core, or -1, for each of the cores, "
                       "but is empty");
  for (auto [core, source] : llvm::enumerate(getSources()))
    if (source < -1 || source >= cores)
      return emitOpError("from has ")
             << source << " for core " << core << ", but there are " << cores
             << " cores; -1 is for none";
  return verifyTypes(*this);
}

static LogicalResult verifyCosts(Operation *op, const Machine &machine) {
  // collective_m1
  if (machine.collectiveGBPerSecond > 0)
    return success();
  return op->emitOpError("the machine ")
         << machine.name
         << " does not say what collectives cost; give it "
            "'collective_gb_per_second'";
}

LogicalResult AllReduceOp::verifyOn(const Machine &machine) {
  return verifyCosts(*this, machine);
}
LogicalResult AllGatherOp::verifyOn(const Machine &machine) {
  return verifyCosts(*this, machine);
}
LogicalResult ReduceScatterOp::verifyOn(const Machine &machine) {
  return verifyCosts(*this, machine);
}
LogicalResult AllToAllOp::verifyOn(const Machine &machine) {
  return verifyCosts(*this, machine);
}
LogicalResult CollectivePermuteOp::verifyOn(const Machine &machine) {
  return verifyCosts(*this, machine);
}

//===----------------------------------------------------------------------===//
// The cores of a logical one
//===----------------------------------------------------------------------===//

static LogicalResult verifySharing(Operation *op, const Machine &machine) {
  // core_barrier_m1, send_receive_m1
  if (machine.hbmCores > 1)
    return success();
  return op->emitOpError("needs two cores that share HBM, but 'hbm_cores' of ")
         << machine.name << " is " << machine.hbmCores;
}

LogicalResult CoreBarrierOp::verifyOn(const Machine &machine) {
  return verifySharing(*this, machine);
}
LogicalResult SendReceiveOp::verifyOn(const Machine &machine) {
  return verifySharing(*this, machine);
}

/// It is as it was, but for what the other core wrote.
bool CoreBarrierOp::mayAccumulate(OpOperand &) { return true; }

LogicalResult SendReceiveOp::verify() {
  // send_receive_c1
  if (failed(verifySameShape(*this, "src", getSrc(), "dst", getDst())))
    return failure();
  // send_receive_c2
  Type src = getSrc().getType().getElementType(),
       dst = getDst().getType().getElementType();
  if (src == dst)
    return success();
  return emitOpError("src and dst must have the same element type, but are ")
         << src << " and " << dst << "; what is sent is not converted";
}
