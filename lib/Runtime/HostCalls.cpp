//===- HostCalls.cpp - Calls from host code into its run ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostCalls.h"

#include "trn/Support/CrashGuard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <utility>

using namespace mlir;
using namespace mlir::trn;

//===----------------------------------------------------------------------===//
// The functions that compiled code calls
//===----------------------------------------------------------------------===//

/// The run that the code on this thread is part of: several cores may run the
/// same code, so it cannot know.
static thread_local HostRun *current = nullptr;

HostCalls::Scope::Scope(HostRun &run) : before(std::exchange(current, &run)) {}
HostCalls::Scope::~Scope() { current = before; }

/// Leaves compiled code after an error. Nothing between its entry and here has
/// anything to clean up.
static void leaveUnless(bool mayGoOn) {
  if (!mayGoOn)
    leaveGuarded();
}

static void callKernel(int64_t site, int64_t kernel, int64_t list,
                       int64_t count) {
  auto *addresses = reinterpret_cast<void **>(list);
  leaveUnless(current->callKernel(site, kernel, {addresses, size_t(count)}));
}
static void checkAccess(int64_t site, int64_t pointer, int64_t writes) {
  leaveUnless(current->checkAccess(
      site, reinterpret_cast<const void *>(pointer), writes != 0));
}
static void checkView(int64_t site, int64_t source, int64_t base, int64_t list,
                      int64_t count) {
  leaveUnless(current->checkView(
      site, reinterpret_cast<const void *>(source), base,
      {reinterpret_cast<const int64_t *>(list), size_t(count)}));
}
static void lendGlobal(int64_t site, int64_t address, int64_t bytes,
                       int64_t mayWrite, int64_t isUnwritten) {
  HostMemory &memory = current->memory;
  auto *data = reinterpret_cast<void *>(address);
  const HostMemory::Region *known = memory.find(data);
  // Every mention lends it; only the first one in a run finds it new.
  if (isUnwritten && !(known && known->begin == uintptr_t(address)))
    fillUnwritten(data, bytes);
  memory.lend(data, bytes,
              mayWrite ? HostMemory::Kind::Global : HostMemory::Kind::Constant,
              mayWrite != 0, site);
}
static void fail(int64_t site) {
  current->fail(site);
  leaveUnless(false);
}
static void *allocate(int64_t site, int64_t bytes) {
  void *data = current->allocate(site, bytes);
  leaveUnless(data);
  return data;
}
static void release(int64_t site, void *pointer) {
  leaveUnless(current->release(site, pointer));
}

//===----------------------------------------------------------------------===//
// Their names
//===----------------------------------------------------------------------===//

static constexpr StringLiteral allocateName = "run_allocate";
static constexpr StringLiteral releaseName = "run_release";

static StringRef getName(HostCalls::Callee callee) {
  switch (callee) {
  case HostCalls::Callee::CallKernel:
    return "run_call_kernel";
  case HostCalls::Callee::CheckAccess:
    return "run_check_access";
  case HostCalls::Callee::CheckView:
    return "run_check_view";
  case HostCalls::Callee::LendGlobal:
    return "run_lend_global";
  case HostCalls::Callee::Fail:
    return "run_fail";
  }
  llvm_unreachable("all callees are handled");
}

llvm::orc::SymbolMap
HostCalls::getSymbols(llvm::orc::MangleAndInterner intern) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[intern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported |
                                 llvm::JITSymbolFlags::Callable};
  };
  add(getName(Callee::CallKernel), &callKernel);
  add(getName(Callee::CheckAccess), &checkAccess);
  add(getName(Callee::CheckView), &checkView);
  add(getName(Callee::LendGlobal), &lendGlobal);
  add(getName(Callee::Fail), &fail);
  add(allocateName, &allocate);
  add(releaseName, &release);
  return symbols;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

Value mlir::trn::createI64(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value mlir::trn::createAddress(OpBuilder &builder, Location loc, Value memref) {
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(),
                                    address);
}

size_t HostCalls::addSite(Operation *op, const Twine &failure) {
  run.sites.push_back(
      {op->getLoc(), op->getName().getStringRef(), failure.str(),
       llvm::map_to_vector(op->getOperands(),
                           [](Value value) { return value.getLoc(); })});
  return run.sites.size() - 1;
}

void HostCalls::call(OpBuilder &builder, Location loc, Callee callee,
                     Value site, ValueRange arguments) {
  SmallVector<Value> all = {site};
  llvm::append_range(all, arguments);
  StringRef name = getName(callee);
  if (!module.lookupSymbol(name)) {
    SmallVector<Type> types(all.size(), builder.getI64Type());
    auto atEnd = OpBuilder::atBlockEnd(module.getBody());
    func::FuncOp::create(atEnd, module.getLoc(), name,
                         builder.getFunctionType(types, {}))
        .setPrivate();
  }
  func::CallOp::create(builder, loc, name, TypeRange(), all);
}

void HostCalls::require(OpBuilder &builder, Location loc, Value condition,
                        size_t site) {
  scf::IfOp::create(
      builder, loc, condition,
      [](OpBuilder &inside, Location at) { scf::YieldOp::create(inside, at); },
      [&](OpBuilder &inside, Location at) {
        call(inside, at, Callee::Fail, createI64(inside, at, site), {});
        scf::YieldOp::create(inside, at);
      });
}

void HostCalls::ownAllocations() {
  OpBuilder builder(module.getBodyRegion());
  Type i64 = builder.getI64Type();
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  auto nothing = LLVM::LLVMVoidType::get(builder.getContext());
  auto declare = [&](StringRef name, Type result, ArrayRef<Type> arguments) {
    return LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result, arguments));
  };
  auto allocate = declare(allocateName, pointer, {i64, i64});
  auto release = declare(releaseName, nothing, {i64, pointer});
  SmallVector<LLVM::CallOp> calls;
  module.walk([&](LLVM::CallOp call) { calls.push_back(call); });
  for (LLVM::CallOp call : calls) {
    StringRef callee = call.getCallee().value_or("");
    bool allocates = callee == "_mlir_memref_to_llvm_alloc";
    if (!allocates && callee != "_mlir_memref_to_llvm_free")
      continue;
    builder.setInsertionPoint(call);
    size_t site = run.sites.size();
    run.sites.push_back({call.getLoc(),
                         allocates ? memref::AllocOp::getOperationName()
                                   : memref::DeallocOp::getOperationName(),
                         "",
                         {}});
    SmallVector<Value> arguments = {
        LLVM::ConstantOp::create(builder, call.getLoc(), i64, int64_t(site))};
    llvm::append_range(arguments, call.getOperands());
    auto replacement = LLVM::CallOp::create(
        builder, call.getLoc(), allocates ? allocate : release, arguments);
    call->replaceAllUsesWith(replacement);
    call.erase();
  }
}
