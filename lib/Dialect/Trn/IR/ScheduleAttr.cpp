//===- ScheduleAttr.cpp - Schedules as text -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphParser.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/PrintSchedule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Whether the parser reads `name` as one word, and not as one with a number.
static bool isName(StringRef name) {
  auto isFirst = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  auto isNext = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  return !name.empty() && isFirst(name.front()) && llvm::all_of(name, isNext);
}

template <typename Named>
static LogicalResult
verifyNames(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef kind,
            const std::vector<Named> &all) {
  llvm::StringSet<> names;
  // schedule_c1
  for (const Named &one : all) {
    if (!isName(one.name))
      return emitError() << "trn.schedule: the name of a " << kind
                         << " must be a word of letters, digits, _ and $, but "
                            "is '"
                         << one.name << "'";
    if (!names.insert(one.name).second)
      return emitError() << "trn.schedule: there are two " << kind
                         << " entries called '" << one.name << "'";
  }
  return success();
}

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     Graph graph, std::optional<Plan> plan) {
  if (failed(verifyNames(emitError, "dim", graph.dims)) ||
      failed(verifyNames(emitError, "matrix", graph.matrices)))
    return failure();
  // schedule_c1
  for (const Dim &dim : graph.dims)
    if (dim.name == "kernel")
      return emitError() << "trn.schedule: no dim can be called 'kernel', "
                            "which is the level outside of all loops";
  llvm::Error error = graph.check();
  if (!error && plan)
    error = plan->checkNumbers(graph);
  if (error)
    return emitError() << "trn.schedule: " << llvm::toString(std::move(error));
  return success();
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printGraph(printer.getStream(), getGraph());
  if (getPlan()) {
    printer << ", ";
    printPlan(printer.getStream(), getGraph(), *getPlan());
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Bands
//===----------------------------------------------------------------------===//

Attribute BandAttr::parse(AsmParser &parser, Type) {
  Band band;
  if (parser.parseLess() || parseBand(parser, band) || parser.parseGreater())
    return {};
  return get(parser.getContext(), band);
}

void BandAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printBand(printer.getStream(), getBand());
  printer << ">";
}
