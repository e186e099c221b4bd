//===- ValidateEachPass.cpp - Do passes keep the values? ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/ValidateEachPass.h"

#include "CheckResults.h"
#include "RunStage.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Runtime/Reference.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Action.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

/// A module in a context of its own: passes and their diagnostics do not notice
/// what happens to it.
class Copy {
public:
  Copy(MLIRContext *from, StringRef bytecode)
      : context(from->getDialectRegistry(), MLIRContext::Threading::DISABLED),
        errors(&context, [&](Diagnostic &diagnostic) {
          if (problem.empty() &&
              diagnostic.getSeverity() == DiagnosticSeverity::Error)
            problem = diagnostic.str();
          return success();
        }) {
    // Attributes alone do not load it.
    context.loadDialect<TrnDialect>();
    context.allowUnregisteredDialects(from->allowsUnregisteredDialects());
    module = parseSourceString<ModuleOp>(bytecode, &context);
  }

  /// May be null.
  ModuleOp get() { return *module; }
  /// The first error that was emitted.
  StringRef getProblem() const { return problem; }

private:
  MLIRContext context;
  std::string problem;
  ScopedDiagnosticHandler errors;
  OwningOpRef<ModuleOp> module;
};

struct FunctionValues {
  std::string name;
  double tolerance = 0;
  SmallVector<NamedValue> values;
};

/// Whether a function of a module computes what it did.
struct Outcome {
  enum Kind { Same, CannotRun, Wrong } kind;
  /// What is known now, if it is the same.
  FunctionValues function;
  /// Else the reason.
  std::string problem;
};

class PassValidation : public PassInstrumentation {
public:
  PassValidation(uint64_t seed, bool &isWrong) : seed(seed), isWrong(isWrong) {}

  void runBeforePass(Pass *pass, Operation *op) override;
  void runAfterPass(Pass *pass, Operation *op) override;

private:
  /// Runs `was.name` of `module`. Without values, any are right.
  Outcome examine(Operation *module, StringRef bytecode,
                  const FunctionValues &was) const;
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

static LogicalResult compare(func::FuncOp entry, const FunctionValues &was,
                             ArrayRef<NamedValue> is) {
  if (was.values.empty())
    return success();
  if (was.values.size() != is.size())
    return entry.emitError()
           << "@" << entry.getSymName() << " has " << is.size()
           << " inputs and results, but had " << was.values.size();
  SmallVector<CheckedValue> values;
  for (auto [before, after] : llvm::zip(was.values, is))
    // Whoever changes the type of a result may have turned it.
    values.push_back({after.name, after.value, before.value,
                      before.value.getShape() != after.value.getShape()});
  return checkResults(entry, values, was.tolerance, llvm::nulls());
}

Outcome PassValidation::examine(Operation *module, StringRef bytecode,
                                const FunctionValues &was) const {
  Copy copy(module->getContext(), bytecode);
  auto fail = [&](Outcome::Kind kind) {
    return Outcome{kind, {}, copy.getProblem().str()};
  };
  if (!copy.get())
    return fail(Outcome::CannotRun);
  FailureOr<func::FuncOp> entry = findEntry(copy.get(), was.name);
  if (failed(entry))
    return fail(Outcome::CannotRun);
  double tolerance = getTolerance(getCoarsest(*entry));
  FailureOr<Executable> executable = compileStage(*entry);
  if (failed(executable))
    return fail(Outcome::CannotRun);
  auto values = runStage(*entry, *executable, seed);
  if (failed(values) || failed(compare(*entry, was, *values)))
    return fail(Outcome::Wrong);
  return {Outcome::Same,
          {was.name, was.values.empty() ? tolerance : was.tolerance,
           std::move(*values)},
          ""};
}

void PassValidation::runBeforePass(Pass *, Operation *op) {
  if (print)
    return;
  Operation *module = getModule(op);
  print.emplace(module);
  bytecode = toBytecode(module);
  SmallVector<func::FuncOp> entries = findEntries(module);
  for (func::FuncOp entry : entries) {
    Outcome outcome =
        examine(module, bytecode, {entry.getSymName().str(), 0, {}});
    if (outcome.kind == Outcome::Same)
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
    Outcome outcome = examine(module, now, was);
    switch (outcome.kind) {
    case Outcome::Wrong:
      return report(op, outcome.problem);
    case Outcome::CannotRun:
      emitRemark(op->getLoc())
          << "values after " << names.back()
          << " are not compared, as the module cannot be run there: "
          << outcome.problem;
      return;
    case Outcome::Same:
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
  Copy before(op->getContext(), bytecode);
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
