//===- HostCompiler.cpp - Host code as machine code -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::trn;

/// The function that compiled host code calls for every kernel.
static void callKernel(int64_t callback, int64_t context, int64_t kernel,
                       StridedMemRefType<int64_t, 1> *addresses) {
  SmallVector<void *> arguments;
  for (int64_t i = 0; i < addresses->sizes[0]; ++i)
    arguments.push_back(
        reinterpret_cast<void *>(addresses->data[addresses->offset + i]));
  reinterpret_cast<KernelCallback>(callback)(reinterpret_cast<void *>(context),
                                             kernel, arguments);
}

/// Copies the module without kernel bodies and without functions that the entry
/// does not reach.
static OwningOpRef<ModuleOp> copyHostCode(func::FuncOp entry,
                                          const HostCode &code) {
  auto module = entry->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy =
      ModuleOp::create(module.getLoc(), module.getName());
  OpBuilder builder(copy->getBodyRegion());
  for (Operation &op : *module.getBody()) {
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func) {
      builder.clone(op);
    } else if (llvm::is_contained(code.kernels, func)) {
      builder.cloneWithoutRegions(op);
    } else if (llvm::is_contained(code.functions, func)) {
      builder.clone(op);
    }
  }
  return copy;
}

/// Gives each kernel a body that collects the addresses of its arguments:
///
///   %list = memref.alloca() : memref<2xi64>
///   memref.store %addressOfArgument0, %list[%c0] ...
///   call @callKernel(%callback, %context, %kernel, %list)
static void addTrampolines(ModuleOp module, StringRef target,
                           const HostCode &code, KernelCallback callback,
                           void *context) {
  for (size_t index = 0; index != code.kernels.size(); ++index) {
    func::FuncOp kernel = code.kernels[index];
    auto func = module.lookupSymbol<func::FuncOp>(kernel.getSymName());
    Location loc = func.getLoc();
    auto builder = OpBuilder::atBlockBegin(func.addEntryBlock());
    auto constant = [&](int64_t value) -> Value {
      return arith::ConstantIntOp::create(builder, loc, value, 64);
    };
    Type i64 = builder.getI64Type();
    int64_t count = func.getNumArguments();
    Value list =
        memref::AllocaOp::create(builder, loc, MemRefType::get({count}, i64));
    for (BlockArgument argument : func.getArguments()) {
      Value address = memref::ExtractAlignedPointerAsIndexOp::create(
          builder, loc, argument);
      Value value = arith::IndexCastOp::create(builder, loc, i64, address);
      Value position =
          arith::ConstantIndexOp::create(builder, loc, argument.getArgNumber());
      memref::StoreOp::create(builder, loc, value, list, position);
    }
    auto anySize = MemRefType::get({ShapedType::kDynamic}, i64);
    Value listOfAnySize = memref::CastOp::create(builder, loc, anySize, list);
    func::CallOp::create(builder, loc, target, TypeRange(),
                         {constant(reinterpret_cast<int64_t>(callback)),
                          constant(reinterpret_cast<int64_t>(context)),
                          constant(index), listOfAnySize});
    func::ReturnOp::create(builder, loc);
  }
}

/// Declares the function behind `callKernel` under a name that is still free.
static func::FuncOp declareCallback(ModuleOp module) {
  OpBuilder builder(module.getContext());
  Type i64 = builder.getI64Type();
  auto list = MemRefType::get({ShapedType::kDynamic}, i64);
  auto func =
      func::FuncOp::create(builder, module.getLoc(), "call_kernel",
                           builder.getFunctionType({i64, i64, i64, list}, {}));
  func.setPrivate();
  func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                builder.getUnitAttr());
  SymbolTable(module).insert(func);
  return func;
}

static llvm::Expected<CompiledEntry> compile(ModuleOp module, StringRef entry,
                                             StringRef callback) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  auto target = builder->createTargetMachine();
  if (!target)
    return target.takeError();
  auto optimize =
      makeOptimizingTransformer(/*optLevel=*/2, /*sizeLevel=*/0, target->get());
  ExecutionEngineOptions options;
  options.transformer = optimize;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  auto engine = ExecutionEngine::create(module, options);
  if (!engine)
    return engine.takeError();

  (*engine)->registerSymbols([&](llvm::orc::MangleAndInterner intern) {
    llvm::orc::SymbolMap symbols;
    symbols[intern(("_mlir_ciface_" + callback).str())] = {
        llvm::orc::ExecutorAddr::fromPtr(&callKernel),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    return symbols;
  });
  (*engine)->initialize();
  auto call = (*engine)->lookupPacked(("_mlir_ciface_" + entry).str());
  if (!call)
    return call.takeError();
  return CompiledEntry{std::move(*engine), *call};
}

FailureOr<CompiledEntry> mlir::trn::compileHostCode(func::FuncOp entry,
                                                    const HostCode &code,
                                                    KernelCallback callback,
                                                    void *context) {
  OwningOpRef<ModuleOp> module = copyHostCode(entry, code);
  for (func::FuncOp func : code.functions)
    module->lookupSymbol<func::FuncOp>(func.getSymName()).setPrivate();
  auto copy = module->lookupSymbol<func::FuncOp>(entry.getSymName());
  copy.setPublic();
  copy->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                UnitAttr::get(entry.getContext()));
  auto fail = [&] {
    return entry.emitError(
        "the host code around the kernels cannot be compiled");
  };
  if (failed(bufferizeHostCode(copy)))
    return fail();
  std::string callee = declareCallback(*module).getSymName().str();
  addTrampolines(*module, callee, code, callback, context);
  if (failed(lowerHostCodeToLLVM(*module)))
    return fail();
  llvm::Expected<CompiledEntry> compiled =
      compile(*module, entry.getSymName(), callee);
  if (!compiled)
    return fail() << ": " << llvm::toString(compiled.takeError());
  return std::move(*compiled);
}
