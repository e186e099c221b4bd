//===- Compile.cpp - Compile modules --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handle.h"

#include "trn/InitAll.h"
#include "trn/Run/OptionErrors.h"
#include "trn/Run/RunModule.h"
#include "trn/Support/CrashGuard.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/CAPI/IR.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::trn;

/// Adds what a module may hold and what its compilation needs.
static DialectRegistry &registerAll(DialectRegistry &registry) {
  registerAllDialects(registry);
  registerRunDialects(registry);
  return registry;
}

/// Reads the main buffer of the sources of `handle`.
static OwningOpRef<ModuleOp> parse(Handle &handle, StringRef name) {
  MLIRContext *context = &handle.context;
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(handle.sources, context);
  // The module that the parser puts around functions has no line of its own.
  if (module && module->getLoc() == FileLineColLoc::get(context, name, 0, 0))
    (*module)->setLoc(FileLineColLoc::get(context, name, 1, 1));
  return module;
}

namespace {
/// What reading a module leaves behind.
struct Reading {
  std::string said;
  llvm::raw_string_ostream os{said};
  std::unique_ptr<SourceMgrDiagnosticHandler> handler;
  OwningOpRef<ModuleOp> module;
};
} // namespace

/// Reads `source`, compiles it in the context of `handle`, and moves that to
/// `compiled`. Diagnostics go to `said`.
static LogicalResult compile(std::unique_ptr<Handle> handle, StringRef source,
                             StringRef name, StringRef options,
                             TrnModule &compiled, std::string &said) {
  handle->sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(source, name), llvm::SMLoc());
  auto reading = std::make_unique<Reading>();
  reading->handler = std::make_unique<SourceMgrDiagnosticHandler>(
      handle->sources, &handle->context, reading->os);
  if (std::optional<StringRef> signal =
          runGuarded([&] { reading->module = parse(*handle, name); })) {
    said =
        ("error: '" + name + "' cannot be read: MLIR's reader ended with '" +
         *signal +
         "'; the module is damaged, nested too deep, or was written by another "
         "version\n")
            .str();
    // Nobody knows in which state they are.
    (void)handle.release();
    (void)reading.release();
    return failure();
  }
  if (reading->module) {
    OptionErrorHandler optionErrors(&handle->context, reading->os);
    FailureOr<CompiledModule> made =
        CompiledModule::create(std::move(reading->module), options);
    if (succeeded(made))
      handle->compiled.emplace(std::move(*made));
  }
  reading->handler.reset();
  said = std::move(reading->said);
  if (!handle->compiled)
    return failure();
  compiled.ptr = handle.release();
  return success();
}

/// What `compile` makes by its last argument but one; null if it fails.
static TrnModule compileFor(
    MlirStringCallback diagnostics, void *diagnosticsData,
    llvm::function_ref<LogicalResult(TrnModule &, std::string &)> compile) {
  TrnModule compiled = {nullptr};
  LogicalResult outcome =
      enter({diagnostics, diagnosticsData},
            [&](std::string &said) { return compile(compiled, said); });
  if (succeeded(outcome))
    return compiled;
  trnModuleDestroy(compiled);
  return {nullptr};
}

TrnModule trnModuleCompile(MlirStringRef source, MlirStringRef name,
                           MlirStringRef options,
                           MlirStringCallback diagnostics,
                           void *diagnosticsData) {
  return compileFor(diagnostics, diagnosticsData,
                    [&](TrnModule &compiled, std::string &said) {
                      DialectRegistry registry;
                      StringRef file = toText(name);
                      return compile(
                          std::make_unique<Handle>(registerAll(registry)),
                          toText(source), file.empty() ? "module" : file,
                          toText(options), compiled, said);
                    });
}

/// `module` as bytecode, or nothing after an error.
static std::string toBytecode(ModuleOp module, std::string &said) {
  std::string bytecode;
  llvm::raw_string_ostream os(said), to(bytecode);
  llvm::SourceMgr noSources;
  SourceMgrDiagnosticHandler handler(noSources, module.getContext(), os);
  // What is not legal could not be read again.
  if (failed(verify(module)) || failed(writeBytecodeToFile(module, to)))
    bytecode.clear();
  return bytecode;
}

TrnModule trnModuleCompileModule(MlirModule module, MlirStringRef options,
                                 MlirStringCallback diagnostics,
                                 void *diagnosticsData) {
  return compileFor(
      diagnostics, diagnosticsData,
      [&](TrnModule &compiled, std::string &said) -> LogicalResult {
        if (mlirModuleIsNull(module)) {
          said = "error: the module is null\n";
          return failure();
        }
        std::string bytecode = toBytecode(unwrap(module), said);
        if (bytecode.empty())
          return failure();
        MLIRContext *context = unwrap(module).getContext();
        DialectRegistry registry;
        context->getDialectRegistry().appendTo(registry);
        auto handle = std::make_unique<Handle>(registerAll(registry));
        handle->context.allowUnregisteredDialects(
            context->allowsUnregisteredDialects());
        return compile(std::move(handle), bytecode, "module", toText(options),
                       compiled, said);
      });
}

void trnModuleDestroy(TrnModule module) {
  delete static_cast<Handle *>(module.ptr);
}
