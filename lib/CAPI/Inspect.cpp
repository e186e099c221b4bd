//===- Inspect.cpp - Look at compiled modules -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handle.h"

#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Support/Version.h"
#include "trn/Target/NKI/TranslateToNKI.h"

using namespace mlir;
using namespace mlir::trn;

MlirStringRef trnGetVersion() { return wrap(StringRef(getVersion())); }

intptr_t trnModuleGetNumFunctions(TrnModule module) {
  intptr_t count = 0;
  (void)callWith(module, {}, [&](Handle &handle) {
    count = handle.compiled->getFunctions().size();
    return success();
  });
  return count;
}

/// Element `position` of `values`, or null.
template <typename T>
static const T *find(ArrayRef<T> values, intptr_t position) {
  bool exists = position >= 0 && size_t(position) < values.size();
  return exists ? &values[position] : nullptr;
}

MlirStringRef trnModuleGetFunctionName(TrnModule module, intptr_t position) {
  StringRef name;
  (void)callWith(module, {}, [&](Handle &handle) {
    SmallVector<func::FuncOp> functions = handle.compiled->getFunctions();
    if (const auto *function = find(ArrayRef(functions), position))
      name = func::FuncOp(*function).getSymName();
    return success();
  });
  return wrap(name);
}

intptr_t trnModuleGetNumRemarks(TrnModule module) {
  intptr_t count = 0;
  (void)callWith(module, {}, [&](Handle &handle) {
    count = handle.compiled->getRemarks().size();
    return success();
  });
  return count;
}

MlirStringRef trnModuleGetRemark(TrnModule module, intptr_t position) {
  StringRef text;
  (void)callWith(module, {}, [&](Handle &handle) {
    if (const auto *remark = find(handle.compiled->getRemarks(), position))
      text = *remark;
    return success();
  });
  return wrap(text);
}

/// The slots as arrays without data, which refer to the shapes of the slots.
static SmallVector<TrnArray> toArrays(ArrayRef<EntrySignature::Slot> slots) {
  return llvm::map_to_vector(slots, [](const EntrySignature::Slot &slot) {
    return TrnArray{fromHostType(slot.type), intptr_t(slot.shape.size()),
                    slot.shape.data(), nullptr};
  });
}

MlirLogicalResult trnModuleGetSignature(TrnModule module,
                                        MlirStringRef function,
                                        TrnSignature *signature,
                                        MlirStringCallback diagnostics,
                                        void *diagnosticsData) {
  return callWith(
      module, {diagnostics, diagnosticsData},
      [&](Handle &handle) -> LogicalResult {
        const CompiledModule &compiled = *handle.compiled;
        if (!signature)
          return compiled.get().emitError("there is no place for a signature");
        FailureOr<func::FuncOp> entry = compiled.findFunction(toText(function));
        if (failed(entry))
          return failure();
        FailureOr<EntrySignature> types = getSignature(*entry);
        if (failed(types))
          return failure();
        auto [it, isNew] =
            handle.signatures.try_emplace(entry->getSymName().str());
        Handle::Signature &known = it->second;
        if (isNew) {
          known.types = std::move(*types);
          known.inputs = toArrays(known.types.inputs);
          known.results = toArrays(known.types.results);
          known.mayWrite = getWritableInputs(*entry);
        }
        *signature = {intptr_t(known.inputs.size()), known.inputs.data(),
                      known.mayWrite.data(), intptr_t(known.results.size()),
                      known.results.data()};
        return success();
      });
}

MlirLogicalResult trnModulePrint(TrnModule module, TrnLevel level,
                                 MlirStringCallback text, void *textData,
                                 MlirStringCallback diagnostics,
                                 void *diagnosticsData) {
  static_assert(int(TrnLevelTensor) == int(Level::Tensor) &&
                int(TrnLevelVirtual) == int(Level::Virtual) &&
                int(TrnLevelPlaced) == int(Level::Placed));
  return printWith(
      module, {text, textData}, {diagnostics, diagnosticsData},
      [&](Handle &handle, llvm::raw_ostream &os) -> LogicalResult {
        const CompiledModule &compiled = *handle.compiled;
        if (level != TrnLevelTensor && level != TrnLevelVirtual &&
            level != TrnLevelPlaced)
          return compiled.get().emitError()
                 << "there is no level " << int(level)
                 << "; levels are 0 (tensor), 1 (virtual) and 2 (placed)";
        // Buffers that locations name are called so.
        OpPrintingFlags flags = OpPrintingFlags().printNameLocAsPrefix();
        if (level == TrnLevelPlaced) {
          compiled.get().print(os, flags);
          return success();
        }
        FailureOr<OwningOpRef<ModuleOp>> copy =
            compiled.compileTo(Level(level));
        if (failed(copy))
          return failure();
        (*copy)->print(os, flags);
        return success();
      });
}

MlirLogicalResult trnModulePrintNKI(TrnModule module, MlirStringCallback text,
                                    void *textData,
                                    MlirStringCallback diagnostics,
                                    void *diagnosticsData) {
  return printWith(module, {text, textData}, {diagnostics, diagnosticsData},
                   [&](Handle &handle, llvm::raw_ostream &os) -> LogicalResult {
                     ModuleOp compiled = handle.compiled->get();
                     FailureOr<Machine> machine = getMachine(compiled);
                     if (failed(machine))
                       return failure();
                     NKIOptions options;
                     options.version = getNKIVersion(*machine);
                     return translateToNKI(compiled, os, options);
                   });
}
