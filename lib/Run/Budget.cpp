//===- Budget.cpp - Compare reports with budgets --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Budget.h"

#include "Contributors.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/MachineFields.h"
#include "trn/Report/Keys.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

std::string BudgetExcess::explain() {
  return llvm::formatv("{0} of @{1} is {2}, but its budget {3} {4}", key,
                       function.getSymName(), value,
                       isAbove ? "allows at most" : "asks for at least", limit);
}

std::string BudgetExcess::summarize() {
  return llvm::formatv("{0} of @{1} {2} {3} {4}", key, function.getSymName(),
                       value, isAbove ? ">" : "<", limit);
}

static DictionaryAttr getBudget(Operation *function) {
  return function->getAttrOfType<DictionaryAttr>(
      TrnDialect::BudgetAttrHelper::getNameStr());
}

/// The verifier of the attribute admits these two.
static double toDouble(Attribute number) {
  if (auto integer = dyn_cast<IntegerAttr>(number))
    return integer.getValue().signedRoundToDouble();
  return cast<FloatAttr>(number).getValueAsDouble();
}

/// Both as people read them, with more digits where few look the same.
static std::pair<std::string, std::string> formatApart(llvm::json::Value value,
                                                       double limit) {
  std::pair<std::string, std::string> texts{formatValue(value),
                                            formatValue(limit)};
  if (texts.first == texts.second)
    texts = {formatNumber(*value.getAsNumber()), formatNumber(limit)};
  return texts;
}

static void addExcesses(func::FuncOp function, const Metrics &metrics,
                        const Machine &machine,
                        SmallVectorImpl<BudgetExcess> &excesses) {
  DictionaryAttr budget = getBudget(function);
  if (!budget)
    return;
  for (NamedAttribute entry : budget) {
    const MetricKey &key = *findMetricKey(entry.getName());
    llvm::json::Value value = key.value(metrics, machine);
    double number = *value.getAsNumber(), limit = toDouble(entry.getValue());
    bool hasMaximum = key.better == Better::Less;
    if (hasMaximum ? number <= limit : number >= limit)
      continue;
    auto [seen, allowed] = formatApart(value, limit);
    excesses.push_back({function, key.name.str(), seen, allowed, hasMaximum});
  }
}

SmallVector<BudgetExcess>
mlir::trn::findExcesses(func::FuncOp entry, ArrayRef<DecodedKernel> kernels,
                        const Report &report) {
  SmallVector<BudgetExcess> excesses;
  addExcesses(entry, report.total, report.machine, excesses);
  auto module = entry->getParentOfType<ModuleOp>();
  for (const KernelReport &kernel : report.kernels) {
    auto function = module.lookupSymbol<func::FuncOp>(kernel.name);
    if (function != entry)
      addExcesses(function, kernel.metrics, report.machine, excesses);
  }
  return excesses;
}

LogicalResult mlir::trn::checkBudgets(func::FuncOp entry,
                                      ArrayRef<DecodedKernel> kernels,
                                      const Report &report) {
  /// More would hide what matters.
  constexpr size_t maxNotes = 3;
  SmallVector<BudgetExcess> excesses = findExcesses(entry, kernels, report);
  for (BudgetExcess &excess : excesses) {
    InFlightDiagnostic error = excess.function.emitError(excess.explain());
    SmallVector<Contributor> contributors;
    for (const KernelReport &kernel : report.kernels)
      if (excess.function == entry ||
          excess.function.getSymName() == kernel.name)
        for (const DecodedKernel &decoded : kernels)
          if (decoded.program.name == kernel.name)
            addContributors(excess.key, decoded, kernel, report.machine,
                            contributors);
    llvm::sort(contributors, [](const Contributor &a, const Contributor &b) {
      return std::tie(b.share, a.text) < std::tie(a.share, b.text);
    });
    for (const Contributor &contributor :
         ArrayRef(contributors).take_front(maxNotes))
      error.attachNote(contributor.location) << contributor.text;
  }
  return success(excesses.empty());
}
