//===- Inspect.cpp - Look at compiled modules -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handle.h"

#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Support/Escape.h"
#include "trn/Support/Version.h"
#include "trn/Target/NKI/TranslateToNKI.h"

#include "mlir/IR/AsmState.h"

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

/// The module of `handle` at `level`.
static FailureOr<OwningOpRef<ModuleOp>> getModuleAt(Handle &handle,
                                                    TrnLevel level) {
  static_assert(int(TrnLevelTensor) == int(Level::Tensor) &&
                int(TrnLevelVirtual) == int(Level::Virtual) &&
                int(TrnLevelPlaced) == int(Level::Placed));
  const CompiledModule &compiled = *handle.compiled;
  if (level == TrnLevelPlaced)
    return OwningOpRef<ModuleOp>(compiled.get().clone());
  if (level == TrnLevelTensor || level == TrnLevelVirtual)
    return compiled.compileTo(Level(level));
  return compiled.get().emitError()
         << "there is no level " << int(level)
         << "; levels are 0 (tensor), 1 (virtual) and 2 (placed)";
}

/// Buffers that locations name are called so.
static OpPrintingFlags getFlags() {
  return OpPrintingFlags().printNameLocAsPrefix();
}

/// One line for each of `places`, whose files may have any names.
static void printPlaces(ArrayRef<std::string> places, llvm::raw_ostream &os) {
  for (StringRef place : places)
    os << (place == "unknown" ? "" : escapeUnprintable(place)) << '\n';
}

MlirLogicalResult trnModulePrint(TrnModule module, TrnLevel level,
                                 MlirStringCallback text, void *textData,
                                 MlirStringCallback diagnostics,
                                 void *diagnosticsData) {
  return printWith(module, {text, textData}, {diagnostics, diagnosticsData},
                   [&](Handle &handle, llvm::raw_ostream &os) -> LogicalResult {
                     FailureOr<OwningOpRef<ModuleOp>> at =
                         getModuleAt(handle, level);
                     if (succeeded(at))
                       (*at)->print(os, getFlags());
                     return success(succeeded(at));
                   });
}

MlirLogicalResult trnModulePrintPlaces(TrnModule module, TrnLevel level,
                                       MlirStringCallback places,
                                       void *placesData,
                                       MlirStringCallback diagnostics,
                                       void *diagnosticsData) {
  return printWith(
      module, {places, placesData}, {diagnostics, diagnosticsData},
      [&](Handle &handle, llvm::raw_ostream &os) -> LogicalResult {
        FailureOr<OwningOpRef<ModuleOp>> at = getModuleAt(handle, level);
        if (failed(at))
          return failure();
        std::string text;
        llvm::raw_string_ostream printed(text);
        AsmState::LocationMap lines;
        AsmState state(at->get(), getFlags(), &lines);
        (*at)->print(printed, state);
        std::vector<std::string> found(StringRef(text).count('\n'));
        for (auto [op, line] : lines)
          if (size_t index = line.first - 1; index < found.size())
            found[index] = describeLocation(op->getLoc());
        printPlaces(found, os);
        return success();
      });
}

/// The options of the version that compiles for the module's machine.
static FailureOr<NKIOptions> getNKIOptions(ModuleOp module) {
  FailureOr<Machine> machine = getMachine(module);
  if (failed(machine))
    return failure();
  NKIOptions options;
  options.version = getNKIVersion(*machine);
  return options;
}

MlirLogicalResult trnModulePrintNKI(TrnModule module, MlirStringCallback text,
                                    void *textData,
                                    MlirStringCallback diagnostics,
                                    void *diagnosticsData) {
  return printWith(module, {text, textData}, {diagnostics, diagnosticsData},
                   [&](Handle &handle, llvm::raw_ostream &os) -> LogicalResult {
                     ModuleOp compiled = handle.compiled->get();
                     FailureOr<NKIOptions> options = getNKIOptions(compiled);
                     if (failed(options))
                       return failure();
                     return translateToNKI(compiled, os, *options);
                   });
}

MlirLogicalResult trnModulePrintNKIPlaces(TrnModule module,
                                          MlirStringCallback places,
                                          void *placesData,
                                          MlirStringCallback diagnostics,
                                          void *diagnosticsData) {
  return printWith(
      module, {places, placesData}, {diagnostics, diagnosticsData},
      [&](Handle &handle, llvm::raw_ostream &os) -> LogicalResult {
        ModuleOp compiled = handle.compiled->get();
        FailureOr<NKIOptions> options = getNKIOptions(compiled);
        SmallVector<std::string> found;
        if (failed(options) ||
            failed(translateToNKI(compiled, llvm::nulls(), *options, &found)))
          return failure();
        printPlaces(found, os);
        return success();
      });
}
