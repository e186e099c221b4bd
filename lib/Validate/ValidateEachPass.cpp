//===- ValidateEachPass.cpp - Do passes keep the values? ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Validate/ValidateEachPass.h"

#include "ExamineStage.h"
#include "trn/Dialect/Trn/IR/ModuleCopy.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

class PassValidation : public PassInstrumentation {
public:
  PassValidation(uint64_t seed, bool &isWrong) : seed(seed), isWrong(isWrong) {}

  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;

private:
  void report(Operation *op, StringRef problem);

  uint64_t seed;
  bool &isWrong;
  /// Of the module when it was looked at last.
  std::optional<OperationFingerPrint> print;
  /// The module when its values were known last, and these.
  std::string bytecode;
  SmallVector<FunctionValues> known;
  /// What changed it since then: names, and pipelines of the module.
  SmallVector<std::string> names, pipelines;
};

} // namespace

static Operation *getModule(Operation *op) {
  while (Operation *parent = op->getParentOp())
    op = parent;
  return op;
}

static std::string toBytecode(Operation *module) {
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  // Only versions that are asked for can be refused.
  (void)writeBytecodeToFile(module, os);
  return bytecode;
}

/// What others may call; kernels by themselves if there is no such function.
static SmallVector<func::FuncOp> findEntries(Operation *module) {
  SmallVector<func::FuncOp> all, exported;
  for (Block &block : module->getRegion(0))
    for (auto function : block.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      all.push_back(function);
      if (function.isPublic())
        exported.push_back(function);
    }
  return exported.empty() ? all : exported;
}

/// `pass` on ops like `op`, as an element of a pipeline of the module.
static std::string describePipeline(Pass *pass, Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  pass->printAsTextualPipeline(os);
  for (; op->getParentOp(); op = op->getParentOp())
    text = op->getName().getStringRef().str() + "(" + text + ")";
  return text;
}

void PassValidation::runBeforePass(Pass *, Operation *op) {
  if (print)
    return;
  Operation *module = getModule(op);
  print.emplace(module);
  bytecode = toBytecode(module);
  SmallVector<func::FuncOp> entries = findEntries(module);
  for (func::FuncOp entry : entries) {
    StageOutcome outcome =
        examineStage(module->getContext(), bytecode,
                     {entry.getSymName().str(), 0, {}}, seed);
    if (outcome.kind == StageOutcome::Same)
      known.push_back(std::move(outcome.function));
    else
      emitRemark(entry.getLoc())
          << "passes are not validated on @" << entry.getSymName()
          << ", which cannot be run: " << outcome.problem;
  }
  if (entries.empty())
    emitRemark(module->getLoc()) << "passes are not validated on a module that "
                                    "has no function with a body";
  else if (known.empty()) {
    isWrong = true;
    emitError(entries.front().getLoc())
        << "no pass can be validated: no function of the module can be run";
  }
}

void PassValidation::runAfterPass(Pass *pass, Operation *op) {
  Operation *module = getModule(op);
  if (isWrong || *print == OperationFingerPrint(module))
    return;
  print.emplace(module);
  names.push_back(pass->getArgument().str());
  pipelines.push_back(describePipeline(pass, op));

  std::string now = toBytecode(module);
  SmallVector<FunctionValues> functions;
  for (const FunctionValues &was : known) {
    StageOutcome outcome = examineStage(module->getContext(), now, was, seed);
    switch (outcome.kind) {
    case StageOutcome::Wrong:
      return report(op, outcome.problem);
    case StageOutcome::CannotRun:
      emitRemark(op->getLoc())
          << "values after " << names.back()
          << " are not compared, as the module cannot be run there: "
          << outcome.problem;
      return;
    case StageOutcome::Same:
      functions.push_back(std::move(outcome.function));
    }
  }
  known = std::move(functions);
  bytecode = std::move(now);
  names.clear();
  pipelines.clear();
}

/// Returns the path of a file for `trn-opt --run-reproducer`.
static llvm::Expected<std::string> writeReproducer(Operation *module,
                                                   StringRef pipeline) {
  int file;
  SmallString<64> path;
  if (std::error_code error = llvm::sys::fs::createTemporaryFile(
          "trn-validate", "mlir", file, path))
    return llvm::createStringError(error,
                                   "cannot write it: " + error.message());
  llvm::raw_fd_ostream os(file, /*shouldClose=*/true);
  AsmState state(module);
  state.attachResourcePrinter("mlir_reproducer",
                              [&](Operation *, AsmResourceBuilder &builder) {
                                builder.buildString("pipeline", pipeline);
                                builder.buildBool("disable_threading", true);
                                builder.buildBool("verify_each", true);
                              });
  module->print(os, state);
  return path.str().str();
}

void PassValidation::report(Operation *op, StringRef problem) {
  isWrong = true;
  InFlightDiagnostic error = emitError(op->getLoc());
  if (names.size() == 1)
    error << names.front() << " changes the values: " << problem;
  else
    error << "one of " << llvm::join(names, ", ")
          << " changes the values: " << problem;
  ModuleCopy before(op->getContext(), bytecode);
  auto path = writeReproducer(before.get(),
                              getModule(op)->getName().getStringRef().str() +
                                  "(" + llvm::join(pipelines, ",") + ")");
  Diagnostic &note = error.attachNote();
  if (path)
    note << "reproducer: trn-opt --run-reproducer --trn-validate-each-pass="
         << seed << " " << *path;
  else
    note << "no reproducer: " << llvm::toString(path.takeError());
}

void mlir::trn::validateEachPass(PassManager &manager, uint64_t seed,
                                 bool &isWrong) {
  MLIRContext *context = manager.getContext();
  // The whole module is looked at, whatever part of it a pass is for.
  context->disableMultithreading();
  manager.addInstrumentation(std::make_unique<PassValidation>(seed, isWrong));
  if (context->hasActionHandler()) // somebody else's: passes go on in vain
    return;
  context->registerActionHandler(
      [&isWrong](function_ref<void()> transform, const tracing::Action &) {
        if (!isWrong)
          transform();
      });
}
