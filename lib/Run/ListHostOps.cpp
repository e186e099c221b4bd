//===- ListHostOps.cpp - Work on the host for reports ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListHostOps.h"

#include "trn/Analysis/HostOps.h"
#include "trn/Decode/Decode.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::trn;

/// Bytes of all executions.
static std::optional<int64_t> countBytes(const HostOp &op) {
  return op.bytes ? llvm::checkedMul(*op.bytes, op.executions) : std::nullopt;
}

static void addTo(std::vector<HostOpUse> &uses,
                  llvm::StringMap<size_t> &positions, const HostOp &op) {
  HostOpUse use = {op.op->getName().getStringRef().str(),
                   describeLocation(op.op->getLoc()), 1, op.executions,
                   countBytes(op)};
  auto [it, isNew] =
      positions.try_emplace(use.op + " " + use.location, uses.size());
  if (isNew)
    uses.push_back(std::move(use));
  else
    uses[it->second].add(use);
}

void mlir::trn::listHostOps(Report &report, func::FuncOp entry) {
  llvm::StringMap<size_t> hostPositions, loadPositions;
  for (const HostOp &op : findHostOps(entry))
    if (op.isLoad)
      addTo(report.loadOps, loadPositions, op);
    else
      addTo(report.hostOps, hostPositions, op);
}
