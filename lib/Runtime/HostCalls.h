//===- HostCalls.h - Calls from host code into its run ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_HOSTCALLS_H
#define TRN_LIB_RUNTIME_HOSTCALLS_H

#include "HostRun.h"

#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace mlir::trn {

/// Puts calls of a `HostRun` into host code. All arguments are i64; the first
/// one is the number of a site, which `run` keeps. The code may be part of
/// another run with the same sites.
class HostCalls {
public:
  /// While it lives, code on this thread is part of `run`.
  class Scope {
  public:
    explicit Scope(HostRun &run);
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    HostRun *before;
  };

  enum class Callee { CallKernel, CheckAccess, CheckView, LendGlobal, Fail };

  HostCalls(ModuleOp module, HostRun &run) : module(module), run(run) {}

  ModuleOp getModule() const { return module; }

  /// `failure` says what `op` did if it fails.
  size_t addSite(Operation *op, const Twine &failure = "");

  void call(OpBuilder &builder, Location loc, Callee callee, Value site,
            ValueRange arguments);
  /// Ends the run at run time unless `condition` holds.
  void require(OpBuilder &builder, Location loc, Value condition, size_t site);

  /// Lets the allocations of a module of the LLVM dialect go through the run.
  void ownAllocations();

  /// Where the functions are.
  static llvm::orc::SymbolMap getSymbols(llvm::orc::MangleAndInterner intern);

private:
  ModuleOp module;
  HostRun &run;
};

Value createI64(OpBuilder &builder, Location loc, int64_t value);
/// The address of the first byte of a ranked memref's buffer as i64.
Value createAddress(OpBuilder &builder, Location loc, Value memref);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_HOSTCALLS_H
