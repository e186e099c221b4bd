//===- Compile.cpp - Compile modules --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handle.h"

#include "trn/InitAll.h"
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

/// Compiles `source` in the context of `handle`; null after an error.
static TrnModule compile(std::unique_ptr<Handle> handle, StringRef source,
                         StringRef name, StringRef options,
                         Receiver diagnostics) {
  struct Attempt {
    std::string said;
    llvm::raw_string_ostream os{said};
    std::unique_ptr<SourceMgrDiagnosticHandler> handler;
    OwningOpRef<ModuleOp> module;
  };
  auto attempt = std::make_unique<Attempt>();
  if (name.empty())
    name = "module";
  handle->sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(source, name), llvm::SMLoc());
  attempt->handler = std::make_unique<SourceMgrDiagnosticHandler>(
      handle->sources, &handle->context, attempt->os);
  if (std::optional<StringRef> signal =
          runGuarded([&] { attempt->module = parse(*handle, name); })) {
    diagnostics.tell(("error: '" + name +
                      "' cannot be read: MLIR's reader ended with '" + *signal +
                      "'; the module is damaged, or was written by another "
                      "version\n")
                         .str());
    // Nobody knows in which state they are.
    (void)handle.release();
    (void)attempt.release();
    return {nullptr};
  }
  if (attempt->module) {
    FailureOr<CompiledModule> compiled =
        CompiledModule::create(std::move(attempt->module), options);
    if (succeeded(compiled))
      handle->compiled.emplace(std::move(*compiled));
  }
  attempt->handler.reset();
  diagnostics.tell(attempt->said);
  return {handle->compiled ? handle.release() : nullptr};
}

TrnModule trnModuleCompile(MlirStringRef source, MlirStringRef name,
                           MlirStringRef options,
                           MlirStringCallback diagnostics,
                           void *diagnosticsData) {
  Receiver receiver = {diagnostics, diagnosticsData};
  TrnModule compiled = {nullptr};
  (void)withoutExceptions(receiver, [&] {
    DialectRegistry registry;
    compiled = compile(std::make_unique<Handle>(registerAll(registry)),
                       toText(source), toText(name), toText(options), receiver);
    return success();
  });
  return compiled;
}

/// `module` as bytecode, or nothing after an error.
static std::string toBytecode(ModuleOp module, Receiver diagnostics) {
  std::string bytecode, said;
  llvm::raw_string_ostream os(said), to(bytecode);
  llvm::SourceMgr noSources;
  SourceMgrDiagnosticHandler handler(noSources, module.getContext(), os);
  // What is not legal could not be read again.
  if (failed(verify(module)) || failed(writeBytecodeToFile(module, to)))
    bytecode.clear();
  diagnostics.tell(said);
  return bytecode;
}

TrnModule trnModuleCompileModule(MlirModule module, MlirStringRef options,
                                 MlirStringCallback diagnostics,
                                 void *diagnosticsData) {
  Receiver receiver = {diagnostics, diagnosticsData};
  TrnModule compiled = {nullptr};
  if (mlirModuleIsNull(module)) {
    receiver.tell("error: the module is null\n");
    return compiled;
  }
  (void)withoutExceptions(receiver, [&] {
    std::string bytecode = toBytecode(unwrap(module), receiver);
    if (bytecode.empty())
      return failure();
    MLIRContext *context = unwrap(module).getContext();
    DialectRegistry registry;
    context->getDialectRegistry().appendTo(registry);
    auto handle = std::make_unique<Handle>(registerAll(registry));
    handle->context.allowUnregisteredDialects(
        context->allowsUnregisteredDialects());
    compiled = compile(std::move(handle), bytecode, "module", toText(options),
                       receiver);
    return success();
  });
  return compiled;
}

void trnModuleDestroy(TrnModule module) {
  delete static_cast<Handle *>(module.ptr);
}
