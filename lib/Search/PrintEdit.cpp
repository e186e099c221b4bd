//===- PrintEdit.cpp - Changes to a plan in words -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PrintSchedule.h"
#include "trn/Search/Edits.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;
using llvm::formatv;

std::string search::print(const Edit &edit, const Schedule &schedule) {
  const auto &[graph, plan] = schedule;
  auto dimOf = [&, &graph = graph](unsigned dim) {
    return llvm::StringRef(graph.dims[dim].name);
  };
  llvm::StringRef nest = graph.matrices[graph.stages[edit.nest].result].name;
  auto loopAt = [&, &plan = plan](unsigned depth) {
    return dimOf(plan.nests[edit.nest].loops[depth].dim);
  };
  auto home = [&, &graph = graph, &plan = plan] {
    return llvm::StringRef(graph.matrices[plan.homes[edit.home].matrix].name);
  };
  auto level = [&, &graph = graph, &plan = plan] {
    const Home &own = plan.homes[edit.home];
    return nameOfLevel(graph, plan.nests[own.nests.front()], edit.depth);
  };
  switch (edit.kind) {
  case Edit::Kind::Block:
    return formatv("{0} = {1} in {2} and beside it", loopAt(edit.depth),
                   edit.value, nest);
  case Edit::Kind::BlockHere:
    return formatv("{0} = {1} in {2}", loopAt(edit.depth), edit.value, nest);
  case Edit::Kind::Insert:
    return formatv("loop {0} = {1} at depth {2} of {3}", dimOf(edit.dim),
                   edit.value, edit.depth, nest);
  case Edit::Kind::Remove:
    return formatv("no loop {0} in {1}", loopAt(edit.depth), nest);
  case Edit::Kind::Swap:
    return formatv("loop {0} inside of {1} in {2}", loopAt(edit.depth),
                   loopAt(edit.depth + 1), nest);
  case Edit::Kind::PsumSums:
    return edit.value
               ? formatv("sums of {0} in psum for {1}", nest, edit.value).str()
               : formatv("no sums of {0} in psum", nest).str();
  case Edit::Kind::Slots:
    return formatv("{0} slots {1}", home(), edit.value);
  case Edit::Kind::Level:
    return edit.value
               ? formatv("{0} at {1} slots {2}", home(), level(), edit.value)
                     .str()
               : formatv("{0} at {1}", home(), level()).str();
  case Edit::Kind::Prefetch:
    return formatv("{0} at {1} slots {2} ahead {3}", home(), level(),
                   edit.value, edit.ahead());
  case Edit::Kind::Spill:
    return formatv("{0} through HBM", home());
  case Edit::Kind::Keep:
    return formatv("{0} on chip", home());
  case Edit::Kind::Pack:
    return formatv("{0} packed", nest);
  case Edit::Kind::Transposer:
    return formatv("{0} transposed by the {1}", nest,
                   edit.value ? "tensor engine" : "DMA");
  case Edit::Kind::Number:
    return formatv("{0} interleaved", dimOf(edit.dim));
  case Edit::Kind::Whole:
    return formatv("{0} {1}whole", home(),
                   plan.homes[edit.home].whole ? "not " : "");
  case Edit::Kind::Apart:
    return formatv("{0} {1}apart", home(),
                   plan.homes[edit.home].apart ? "not " : "");
  case Edit::Kind::Engine:
    return formatv("{0} on {1}", nest,
                   edit.value == int64_t(RowEngine::Any)      ? "any engine"
                   : edit.value == int64_t(RowEngine::Scalar) ? "scalar"
                                                              : "vector");
  case Edit::Kind::Banks:
    return formatv("{0} banks {1}", nest, edit.value);
  case Edit::Kind::Jam:
    return edit.depth
               ? formatv("jam = {0} staggered {1}", edit.value, edit.depth)
                     .str()
               : formatv("jam = {0}", edit.value).str();
  case Edit::Kind::Stack:
    return plan.stacked ? std::string("nothing stacked")
                        : formatv("{0} stacked", dimOf(edit.dim)).str();
  }
  llvm_unreachable("unknown kind");
}
