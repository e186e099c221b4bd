//===- HostCompiler.cpp - Host code as machine code -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "HostPrints.h"
#include "trn/Analysis/CoreIndex.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Support/CrashGuard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/ExecutionEngine/CRunnerUtils.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::trn;

/// Host code may have any names, also those of the C library.
static std::string getCompiledName(StringRef name) {
  return ("host." + name).str();
}

/// What `functions` refer to by name.
static llvm::DenseSet<StringAttr>
findSymbols(ArrayRef<func::FuncOp> functions) {
  llvm::DenseSet<StringAttr> symbols;
  for (func::FuncOp func : functions)
    if (auto uses = SymbolTable::getSymbolUses(func))
      for (const SymbolTable::SymbolUse &use : *uses)
        symbols.insert(use.getSymbolRef().getRootReference());
  return symbols;
}

/// Tells the code which core it is that of. Without a grid no core is known.
static void replaceCoreIndices(ModuleOp module, int64_t core) {
  SmallVector<Operation *> asking;
  module.walk([&](Operation *op) {
    if (asksForCore(op))
      asking.push_back(op);
  });
  for (Operation *op : asking) {
    OpBuilder builder(op);
    for (OpResult result : op->getResults()) {
      std::optional<int64_t> index = evaluateOnCore(result, core);
      assert(index && "the grid had no size when its cores were counted");
      result.replaceAllUsesWith(
          arith::ConstantIndexOp::create(builder, op->getLoc(), *index));
    }
    op->erase();
  }
  for (shard::GridOp grid : llvm::to_vector(module.getOps<shard::GridOp>()))
    grid.erase();
}

/// Copies the module without kernel bodies and without all that the entry does
/// not reach.
static OwningOpRef<ModuleOp> copyHostCode(func::FuncOp entry,
                                          const HostCode &code) {
  auto module = entry->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copy =
      ModuleOp::create(module.getLoc(), module.getName());
  OpBuilder builder(copy->getBodyRegion());
  llvm::DenseSet<StringAttr> used = findSymbols(code.functions);
  for (Operation &op : *module.getBody()) {
    auto func = dyn_cast<func::FuncOp>(op);
    if (!func) {
      if (auto symbol = dyn_cast<SymbolOpInterface>(op);
          symbol && used.contains(symbol.getNameAttr()))
        builder.clone(op);
    } else if (llvm::is_contained(code.kernels, func)) {
      // A schedule is for the machine that the module names.
      builder.cloneWithoutRegions(op)->removeAttr(
          TrnDialect::ScheduleAttrHelper::getNameStr());
    } else if (llvm::is_contained(code.functions, func) ||
               (isPrint(func) && used.contains(func.getSymNameAttr()))) {
      builder.clone(op);
    }
  }
  SymbolTableCollection tables;
  SymbolUserMap users(tables, *copy);
  for (Operation &op : *copy->getBody()) {
    auto symbol = cast<SymbolOpInterface>(op);
    if (auto func = dyn_cast<func::FuncOp>(op); func && isPrint(func)) {
      preparePrint(func);
      continue;
    }
    auto name = builder.getStringAttr(getCompiledName(symbol.getName()));
    users.replaceAllUsesWith(symbol, name);
    symbol.setName(name);
  }
  return copy;
}

/// Gives each kernel a body that collects the addresses of its arguments. A
/// last argument tells the place of the call:
///
///   %list = memref.alloca() : memref<2xi64>
///   memref.store %addressOfArgument0, %list[%c0] ...
///   call @run_call_kernel(%site, %kernel, %list, %count)
static void addTrampolines(const HostCode &code, HostCalls &calls) {
  ModuleOp module = calls.getModule();
  llvm::DenseSet<StringAttr> kernels;
  for (size_t index = 0; index != code.kernels.size(); ++index) {
    func::FuncOp kernel = code.kernels[index];
    auto func =
        module.lookupSymbol<func::FuncOp>(getCompiledName(kernel.getSymName()));
    kernels.insert(func.getSymNameAttr());
    Location loc = func.getLoc();
    int64_t count = func.getNumArguments();
    Type i64 = IntegerType::get(func.getContext(), 64);
    auto inputs = llvm::to_vector(func.getArgumentTypes());
    inputs.push_back(i64);
    func.setType(FunctionType::get(func.getContext(), inputs, {}));
    func.removeArgAttrsAttr();
    auto builder = OpBuilder::atBlockBegin(func.addEntryBlock());
    // What they say is about the kernel that is called.
    func->setDiscardableAttrs(builder.getDictionaryAttr({}));
    Value list =
        memref::AllocaOp::create(builder, loc, MemRefType::get({count}, i64));
    for (BlockArgument argument : func.getArguments().drop_back()) {
      Value position =
          arith::ConstantIndexOp::create(builder, loc, argument.getArgNumber());
      memref::StoreOp::create(
          builder, loc, createAddress(builder, loc, argument), list, position);
    }
    calls.call(
        builder, loc, HostCalls::Callee::CallKernel, func.getArguments().back(),
        {createI64(builder, loc, index), createAddress(builder, loc, list),
         createI64(builder, loc, count)});
    func::ReturnOp::create(builder, loc);
  }
  module.walk([&](func::CallOp call) {
    if (!kernels.contains(call.getCalleeAttr().getAttr()))
      return;
    OpBuilder builder(call);
    call->insertOperands(
        call.getNumOperands(),
        createI64(builder, call.getLoc(), calls.addSite(call)));
  });
}

/// From so many operations on, about the host code of two decoder layers, it
/// takes longer to choose the best instructions than to run others.
static constexpr int64_t manyOperations = 2000;
/// Up to so many operations that are run, some milliseconds, it takes longer to
/// optimize them.
static constexpr int64_t fewRuns = 1 << 23;

/// How often `loop` is run, if that is known.
static std::optional<int64_t> countRuns(Operation *loop) {
  if (auto op = dyn_cast<linalg::LinalgOp>(loop)) {
    SmallVector<int64_t> sizes = op.getStaticLoopRanges();
    return ShapedType::isDynamicShape(sizes)
               ? std::nullopt
               : std::optional(ShapedType::getNumElements(sizes));
  }
  auto op = dyn_cast<LoopLikeOpInterface>(loop);
  if (!op)
    return 1;
  std::optional<llvm::APInt> count = op.getStaticTripCount();
  return count ? count->tryZExtValue() : std::nullopt;
}

/// Whether the operations of `module`, whose loops are not lowered yet, are run
/// few times.
static bool isBrief(ModuleOp module) {
  int64_t sum = 0;
  auto add = [&](Operation *op) {
    int64_t runs = 1;
    for (Operation *loop = op; loop && loop != module;
         loop = loop->getParentOp()) {
      std::optional<int64_t> own = countRuns(loop);
      if (!own || llvm::MulOverflow(runs, *own, runs) || runs > fewRuns)
        return WalkResult::interrupt();
    }
    sum += runs;
    return sum > fewRuns ? WalkResult::interrupt() : WalkResult::advance();
  };
  return !module.walk(add).wasInterrupted();
}

static llvm::CodeGenOptLevel chooseCodeGenLevel(ModuleOp module, bool isBrief) {
  int64_t count = 0;
  module.walk([&](Operation *) { ++count; });
  return !isBrief && count < manyOperations ? llvm::CodeGenOptLevel::Default
                                            : llvm::CodeGenOptLevel::None;
}

/// What an engine calls `name` by takes all arguments in one array.
static std::string getPackedName(StringRef name) {
  return ("_mlir_" + name).str();
}

/// The engine makes such a function for each one. Only `called` are needed, and
/// hundreds of arguments take LLVM longer to optimize than to read.
static void simplifyPacked(llvm::Module &module, ArrayRef<std::string> called) {
  SmallVector<llvm::Function *> packed;
  for (llvm::Function &function : module)
    if (auto *wrapper = module.getFunction(getPackedName(function.getName())))
      packed.push_back(wrapper);
  for (llvm::Function *wrapper : packed)
    if (!llvm::is_contained(called, wrapper->getName())) {
      wrapper->eraseFromParent();
    } else {
      wrapper->addFnAttr(llvm::Attribute::NoInline);
      wrapper->addFnAttr(llvm::Attribute::OptimizeNone);
    }
}

static llvm::Error compile(ModuleOp module, StringRef entry, StringRef load,
                           bool isBrief, CompiledEntry &compiled) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  compiled.keepsValues =
      llvm::any_of(module.getOps<LLVM::GlobalOp>(),
                   [](LLVM::GlobalOp global) { return !global.getConstant(); });
  auto builder = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!builder)
    return builder.takeError();
  builder->setCodeGenOptLevel(chooseCodeGenLevel(module, isBrief));
  auto target = builder->createTargetMachine();
  if (!target)
    return target.takeError();
  // The engine takes one of its own.
  auto generating = builder->createTargetMachine();
  if (!generating)
    return generating.takeError();
  auto optimize = makeOptimizingTransformer(/*optLevel=*/isBrief ? 0 : 2,
                                            /*sizeLevel=*/0, target->get());
  auto getWrapper = [](StringRef name) {
    return ("_mlir_ciface_" + name).str();
  };
  auto prepare = [&](llvm::Module *code) {
    simplifyPacked(*code, {getPackedName(getWrapper(entry)),
                           getPackedName(getWrapper(load))});
    return optimize(code);
  };
  ExecutionEngineOptions options;
  options.transformer = prepare;
  options.enableGDBNotificationListener = false;
  options.enablePerfNotificationListener = false;
  // Where LLVM crashes, nobody destroys this one.
  auto engine =
      ExecutionEngine::create(module, options, std::move(*generating));
  if (!engine)
    return engine.takeError();
  (*engine)->registerSymbols(HostCalls::getSymbols);
  (*engine)->registerSymbols(getPrintSymbols);
  (*engine)->initialize();
  auto find = [&](StringRef name) {
    return (*engine)->lookupPacked(getWrapper(name));
  };
  if (llvm::Error error = find(entry).moveInto(compiled.call))
    return error;
  if (compiled.load)
    if (llvm::Error error = find(load).moveInto(compiled.load->call))
      return error;
  compiled.engine = std::move(*engine);
  return llvm::Error::success();
}

/// What there is to know of a load before it is lowered.
static CompiledLoad describe(func::FuncOp load, ArrayRef<unsigned> arguments,
                             HostCalls &calls) {
  CompiledLoad described;
  described.arguments.assign(arguments.begin(), arguments.end());
  for (Value value : load.front().getTerminator()->getOperands()) {
    auto type = cast<RankedTensorType>(value.getType());
    described.results.push_back({*getHostType(type.getElementType()),
                                 llvm::to_vector(type.getShape())});
    described.sites.push_back(calls.addSite(value.getDefiningOp()));
  }
  return described;
}

/// Lets `function` be called from here.
static void exportFunction(func::FuncOp function) {
  function.setPublic();
  function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                    UnitAttr::get(function.getContext()));
}

FailureOr<CompiledEntry> mlir::trn::compileHostCode(func::FuncOp entry,
                                                    const HostCode &code,
                                                    HostRun &run) {
  OwningOpRef<ModuleOp> module = copyHostCode(entry, code);
  replaceCoreIndices(*module, run.core);
  std::string name = getCompiledName(entry.getSymName());
  for (func::FuncOp func : code.functions)
    module->lookupSymbol<func::FuncOp>(getCompiledName(func.getSymName()))
        .setPrivate();
  HostCalls calls(*module, run);
  CompiledEntry compiled;
  compiled.isOfOneCore = asksForCore(code);
  std::string loadName;
  SmallVector<func::FuncOp> entries = {
      module->lookupSymbol<func::FuncOp>(name)};
  if (std::optional<OutlinedLoad> load = outlineLoad(entries.front())) {
    entries.push_back(load->function);
    loadName = load->function.getSymName();
    compiled.load = describe(load->function, load->arguments, calls);
  }
  for (func::FuncOp exported : entries)
    exportFunction(exported);
  auto refuse = [&](const Twine &why) {
    return entry.emitError(
               "the host code around the kernels cannot be compiled")
           << why;
  };
  if (failed(bufferizeHostCode(*module, entries)) ||
      failed(insertHostChecks(handlesBuffers(code), calls)))
    return refuse("");
  insertVectorChecks(calls);
  bool brief = isBrief(*module);
  addTrampolines(code, calls);
  if (failed(lowerHostCodeToLLVM(calls)))
    return refuse("");
  // LLVM gives up on some code by ending the process.
  std::string problem;
  if (std::optional<StringRef> signal = runGuarded([&] {
        problem =
            llvm::toString(compile(*module, name, loadName, brief, compiled));
      }))
    return refuse(": LLVM fails on it (" + *signal + ")");
  if (!problem.empty())
    return refuse(": " + problem);
  return std::move(compiled);
}
