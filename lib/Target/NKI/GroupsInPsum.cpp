//===- GroupsInPsum.cpp - Sums that begin as zeros ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GroupsInPsum.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

static bool never(const Condition &condition) {
  return condition.expr.isConstant() && !condition.evaluate({});
}
static bool always(const Condition &condition) {
  return condition.expr.isConstant() && condition.evaluate({});
}

GroupsInPsum::GroupsInPsum(const KernelReading &kernel, func::FuncOp function)
    : kernel(kernel) {
  function.walk([&](DestinationStyleOpInterface op) {
    for (Value written : op.getDpsInits())
      if (isInstruction(op) && !isa<MatmulOp>(op))
        others.insert(kernel.tensorOf(kernel.access(written, op)).value);
  });
  function.walk([&](MatmulOp matmul) {
    Value bank = kernel.tensorOf(kernel.access(matmul.getDst(), matmul)).value;
    Condition adds = kernel.adds(matmul);
    if (!never(adds))
      sums.insert(bank);
    if (!always(adds))
      first[bank].push_back(matmul);
  });
}

static bool counts(const LinearExpr &expr, int32_t loop) {
  return llvm::any_of(expr.terms, [&](const LinearExpr::Term &term) {
    return term.loop == loop;
  });
}

/// Whether two accesses to one tile can have an element in common.
static bool mayMeet(const KernelReading &kernel, const Access &a,
                    const Access &b) {
  auto last = [](const Access &access) {
    int64_t reach = 0;
    for (const Access::Dim &dim : llvm::drop_begin(access.dims))
      reach += (dim.size - 1) * dim.stride;
    return reach;
  };
  Interval first = kernel.rangeOf(a.offset), second = kernel.rangeOf(b.offset);
  return first.min <= second.max + last(b) && second.min <= first.max + last(a);
}

/// Whether a matmul that adds under `condition` overwrites in the very first
/// iteration of the loops that it counts, and in no other.
static bool overwritesOnce(const Condition &condition) {
  return (condition.predicate == Condition::Predicate::Ne ||
          condition.predicate == Condition::Predicate::Gt) &&
         condition.expr.constant == 0 &&
         llvm::all_of(condition.expr.terms, [](const LinearExpr::Term &term) {
           return term.coefficient > 0;
         });
}

std::optional<std::string> GroupsInPsum::whyNot(MatmulOp matmul) const {
  Access access = kernel.access(matmul.getDst(), matmul);
  const Tensor &bank = kernel.tensorOf(access);
  auto found = first.find(bank.value);
  if (!accumulate(bank) || found == first.end() ||
      !llvm::is_contained(found->second, matmul))
    return std::nullopt;

  if (others.contains(bank.value))
    return "overwrites what another instruction wrote, but sums begin as zeros "
           "where their tile is declared; allocate a tile for each";
  Condition adds = kernel.adds(matmul);
  if (!never(adds) && !overwritesOnce(adds))
    return "overwrites sums in other iterations than the first one, but sums "
           "begin as zeros where their tile is declared; accumulate where a "
           "counter is not zero";
  // A group may begin again where neither the place nor the condition tells
  // iterations apart.
  for (auto loop = matmul->getParentOfType<scf::ForOp>();
       loop && !loop->isAncestor(bank.alloc());
       loop = loop->getParentOfType<scf::ForOp>()) {
    int32_t number = kernel.numberOf(loop);
    bool isTold = counts(access.offset, number) ||
                  counts(access.partition, number) || counts(adds.expr, number);
    if (!isTold && kernel.tripCount(loop) > 1)
      return "overwrites sums of an earlier iteration, but sums begin as zeros "
             "where their tile is declared; allocate the tile in the loop";
  }
  for (MatmulOp other : found->second)
    if (other != matmul &&
        mayMeet(kernel, access, kernel.access(other.getDst(), other)))
      return "overwrites sums of another product, but sums begin as zeros "
             "where their tile is declared; allocate a tile for each";
  return std::nullopt;
}
