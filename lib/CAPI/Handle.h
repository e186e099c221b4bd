//===- Handle.h - What a TrnModule points to --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_CAPI_HANDLE_H
#define TRN_LIB_CAPI_HANDLE_H

#include "trn-c/Module.h"
#include "trn/Run/CompiledModule.h"

#include "mlir/CAPI/Support.h"
#include "mlir/CAPI/Wrap.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include <mutex>

namespace mlir::trn {

/// Takes texts of one kind.
struct Receiver {
  MlirStringCallback callback;
  void *data;

  /// Nothing is told if there is nothing to tell.
  void tell(StringRef text) const {
    if (callback && !text.empty())
      callback(wrap(text), data);
  }
};

/// A compiled module with its context, for one thread at a time.
struct Handle {
  explicit Handle(const DialectRegistry &registry)
      : context(registry, MLIRContext::Threading::DISABLED) {
    context.printOpOnDiagnostic(false);
  }

  /// Memory for a signature.
  struct Signature {
    EntrySignature types;
    SmallVector<TrnArray> inputs, results;
    SmallVector<bool> mayWrite;
  };

  std::mutex mutex;
  MLIRContext context;
  /// What diagnostics quote.
  llvm::SourceMgr sources;
  std::optional<CompiledModule> compiled;
  std::map<std::string, Signature, std::less<>> signatures;
};

/// A reference without data is empty.
inline StringRef toText(MlirStringRef text) {
  return text.data ? unwrap(text) : StringRef();
}

/// The same type, or nothing for a number that is none.
std::optional<HostType> toHostType(TrnElementType type);
/// What arrays for tensors of `type` may have.
TrnElementType fromHostType(HostType type);

/// For each input of `entry`, whether a run may write it.
SmallVector<bool> getWritableInputs(func::FuncOp entry);

/// Calls `body`, which says what it has to say to the string that it is given.
/// An exception is told as an error, which C cannot catch, and so is an end
/// that the caller wants.
LogicalResult enter(Receiver diagnostics,
                    llvm::function_ref<LogicalResult(std::string &)> body);

/// Calls `body` while no other thread uses `module`, and tells its diagnostics.
/// It fails for a module that is null.
MlirLogicalResult
callWith(TrnModule module, Receiver diagnostics,
         llvm::function_ref<LogicalResult(Handle &handle)> body);

/// The same for a body that prints a text, which is told on success.
MlirLogicalResult printWith(
    TrnModule module, Receiver text, Receiver diagnostics,
    llvm::function_ref<LogicalResult(Handle &, llvm::raw_ostream &)> body);

} // namespace mlir::trn

#endif // TRN_LIB_CAPI_HANDLE_H
