//===- ApplyEdit.cpp - Applies one edit -----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HomeEditor.h"
#include "LoopEditor.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

bool search::apply(const Edit &edit, Schedule &schedule) {
  Plan &plan = schedule.plan;
  if (edit.nest >= plan.nests.size() || edit.home >= plan.homes.size())
    return false;
  LoopEditor loops(edit, schedule);
  HomeEditor homes(edit, schedule);
  Home &home = plan.homes[edit.home];
  switch (edit.kind) {
  case Edit::Kind::Block:
    return loops.changeBlock(/*everywhere=*/true);
  case Edit::Kind::BlockHere:
    return loops.changeBlock(/*everywhere=*/false);
  case Edit::Kind::Insert:
    return loops.insert();
  case Edit::Kind::Remove:
    return loops.remove();
  case Edit::Kind::Swap:
    return loops.swap();
  case Edit::Kind::PsumSums:
    return loops.sumInPsum();
  case Edit::Kind::Slots:
    home.slots = edit.value;
    return true;
  case Edit::Kind::Level:
    return homes.move(/*ahead=*/false);
  case Edit::Kind::Prefetch:
    return homes.move(/*ahead=*/true);
  case Edit::Kind::Spill:
    return homes.spill();
  case Edit::Kind::Keep:
    return homes.keep();
  case Edit::Kind::Pack:
    return homes.pack();
  case Edit::Kind::Transposer:
    return homes.transpose(edit.nest, edit.value);
  case Edit::Kind::Number:
    return homes.number();
  case Edit::Kind::Whole:
    home.whole = !home.whole;
    return true;
  case Edit::Kind::Apart:
    home.apart = !home.apart;
    return true;
  case Edit::Kind::Engine:
    plan.nests[edit.nest].engine = RowEngine(edit.value);
    return true;
  case Edit::Kind::Banks:
    plan.nests[edit.nest].banks = edit.value;
    return true;
  case Edit::Kind::Jam:
    plan.jam = edit.value;
    plan.staggered = edit.depth;
    return true;
  case Edit::Kind::Stack:
    plan.stacked = plan.stacked ? std::nullopt : std::optional(edit.dim);
    return true;
  }
  return false;
}
