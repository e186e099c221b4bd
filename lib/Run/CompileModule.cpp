//===- CompileModule.cpp - The compiler as a step of a run ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/CompileModule.h"

#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Pipelines/CompileFlags.h"
#include "trn/Run/OptionErrors.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

/// Collects what the compiler says about work that it did not do, and about
/// what it did if `all` is asked for.
class RemarkCollector {
public:
  RemarkCollector(MLIRContext *context, bool all)
      : context(context),
        handler(context, [this](Diagnostic &diagnostic) -> LogicalResult {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Remark)
            return failure();
          remarks.push_back({diagnostic.getLocation(), diagnostic.str()});
          return success();
        }) {
    remark::RemarkCategories categories;
    categories.missed = categories.failed = ".*";
    if (all)
      categories.passed = categories.analysis = ".*";
    // Fails only for a malformed expression.
    (void)remark::enableOptimizationRemarks(
        *context, /*streamer=*/nullptr,
        std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
        /*printAsEmitRemarks=*/true);
  }

  /// Later passes have nobody who listens.
  ~RemarkCollector() { context->setRemarkEngine(nullptr); }

  SmallVector<CompilerRemark> remarks;

private:
  MLIRContext *context;
  ScopedDiagnosticHandler handler;
};

/// Keeps the module as the search for plans leaves it, which takes most of the
/// time: levels before the last one are made of that.
struct KeepPlanned : PassInstrumentation {
  explicit KeepPlanned(OwningOpRef<ModuleOp> &planned) : planned(planned) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == "trn-plan-kernels")
      planned = cast<ModuleOp>(op).clone();
  }

  OwningOpRef<ModuleOp> &planned;
};

} // namespace

LogicalResult mlir::trn::readCompileOptions(Operation *op, StringRef text,
                                            CompileOptions &options) {
  if (llvm::Error problem = parseCompileOptions(text, options))
    return emitOptionError(op)
           << "options '" << text << "' of the compiler are not understood: "
           << llvm::toString(std::move(problem));
  return success();
}

static bool isRefusal(const CompilerRemark &remark) {
  StringRef text = remark.text;
  return !text.starts_with("[Passed]") && !text.starts_with("[Analysis]");
}

/// Kernels that the cores of a logical one run as one meet each other.
static LogicalResult verifyCores(ModuleOp module) {
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!kernel->hasAttr(TrnDialect::OtherCoreAttrHelper::getNameStr()))
      continue;
    FailureOr<Machine> machine = getMachine(kernel);
    if (failed(machine) || failed(decodeCores(kernel, *machine)))
      return failure();
  }
  return success();
}

LogicalResult mlir::trn::compileModule(ModuleOp module,
                                       const CompileOptions &options,
                                       SmallVectorImpl<CompilerRemark> *remarks,
                                       OwningOpRef<ModuleOp> *planned) {
  PassManager manager(module->getContext());
  // Once at the end: for long programs it takes as long as the passes.
  manager.enableVerifier(false);
  if (planned)
    manager.addInstrumentation(std::make_unique<KeepPlanned>(*planned));
  buildCompilePipeline(manager, options);
  SmallVector<CompilerRemark> said;
  {
    RemarkCollector collector(module->getContext(), remarks != nullptr);
    if (failed(manager.run(module)) || failed(verify(module)) ||
        failed(verifyCores(module)))
      return failure();
    said = std::move(collector.remarks);
  }
  if (remarks)
    remarks->append(said.begin(), said.end());
  if (llvm::any_of(module.getOps<func::FuncOp>(), isKernel))
    return success();
  // A module may have no place of its own.
  auto functions = module.getOps<func::FuncOp>();
  Location loc =
      functions.empty() ? module.getLoc() : (*functions.begin()).getLoc();
  InFlightDiagnostic error =
      emitError(loc, "the compiler found nothing that it can compile");
  llvm::erase_if(said, [](const auto &remark) { return !isRefusal(remark); });
  if (said.empty())
    error.attachNote(loc)
        << "kernels compute products in linalg on tensors (linalg.matmul, "
           "linalg.contract and the like), reductions of rows, and what is "
           "computed element by element, but there is none of these";
  for (const CompilerRemark &refusal : said)
    error.attachNote(refusal.location) << refusal.text;
  return error;
}
