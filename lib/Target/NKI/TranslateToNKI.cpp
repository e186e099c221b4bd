//===- TranslateToNKI.cpp - Kernels as the vendor's Python ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Target/NKI/TranslateToNKI.h"

#include "KernelPrinter.h"
#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/Transforms/Transforms.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

/// The first digits of the SHA-256 of `module` as text.
static std::string hash(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os, OpPrintingFlags().enableDebugInfo(false));
  llvm::SHA256 sha;
  sha.update(text);
  return llvm::toHex(sha.final(), /*LowerCase=*/true).substr(0, 16);
}

/// Each version compiles for the machines of its time only.
static LogicalResult checkVersion(Operation *op, const Machine &machine,
                                  NKIVersion version) {
  // nki_c10
  bool needsBeta = getNKIVersion(machine) == NKIVersion::Beta1;
  if (needsBeta == (version == NKIVersion::Beta1))
    return success();
  if (needsBeta)
    return op->emitOpError("is compiled for trn1, but NKI ")
           << stringify(version)
           << " is for trn2 and later machines; give --nki=beta1, or compile "
              "it with machine=trn2";
  return op->emitOpError("is compiled for ")
         << machine.name << ", but the beta of NKI is for trn1; give "
         << "--nki=0.6, or compile it with machine=trn1";
}

static std::string optionsAsFlags(const NKIOptions &options) {
  std::string flags = ("--nki=" + stringify(options.version)).str();
  if (options.addresses)
    flags += " --addresses";
  if (options.unrollLimit != NKIOptions().unrollLimit)
    flags += " --unroll-limit=" + std::to_string(options.unrollLimit);
  if (options.bestEffort)
    flags += " --best-effort";
  return flags;
}

/// `o = f(x, w)`, as a user writes it.
static std::string call(const KernelReading &kernel, StringRef before,
                        StringRef after) {
  PythonNames names;
  auto list = [&](ArrayRef<Tensor> tensors, StringRef otherwise) {
    SmallVector<std::string> taken;
    for (const Tensor &tensor : tensors)
      taken.push_back(names.take(tensor.nameOr(otherwise)));
    return llvm::join(taken, ", ");
  };
  std::string inputs = list(kernel.inputs(), "arg");
  return (list(kernel.results(), "result") + " = " + before + inputs + after)
      .str();
}

static void printHeader(PythonText &text, ModuleOp module,
                        const KernelReading &first, StringRef name,
                        StringRef machine, const NKIOptions &options) {
  bool isBeta = options.version == NKIVersion::Beta1;
  text.comment("Kernels for AWS Trainium, written by trn-translate of trn-mlir "
               "in " +
               (isBeta ? "the beta of NKI (neuronxcc.nki)"
                       : "NKI " + stringify(options.version).str()) +
               ".");
  text.comment("\nmodule   " + hash(module) + "\nmachine  " + machine.str() +
               "\noptions  " + optionsAsFlags(options) + "\n");
  text.comment(
      "This file was not compiled with the vendor's tools where it was "
      "written. On a computer that");
  text.comment("has them, arrays of NumPy go through their simulator:\n");
  if (isBeta)
    text.comment("    from neuronxcc import nki\n    " +
                 call(first, "nki.simulate_kernel(" + name.str() + ", ", ")"));
  else
    text.comment("    NEURON_PLATFORM_TARGET_OVERRIDE=" + machine.str() +
                 " python3\n    import nki\n    " +
                 call(first, "nki.simulate(" + name.str() + ")(", ")"));
  text.comment("\nOn the device the kernel is called with the tensors of a "
               "framework that are there:\n");
  text.comment("    " + call(first, name.str() + "(", ")"));
  if (options.addresses)
    text.comment("\nAddresses are (partition, byte in the partition): the "
                 "vendor's text says elements, its examples\nuse bytes.");
  text.prose(isBeta ? "\nfrom neuronxcc import nki\n"
                      "import neuronxcc.nki.isa as nisa\n"
                      "import neuronxcc.nki.language as nl"
                    : "\nimport nki\n"
                      "import nki.isa as nisa\n"
                      "import nki.language as nl");
}

static LogicalResult checkKernel(func::FuncOp kernel,
                                 const NKIOptions &options) {
  FailureOr<Machine> machine = getMachine(kernel);
  if (failed(machine) ||
      failed(checkVersion(kernel, *machine, options.version)))
    return failure();
  if (kernel.isExternal())
    return kernel.emitOpError("has no body; nothing says what it computes");
  return success(succeeded(verifyKernel(kernel, Level::Placed, *machine)) &&
                 succeeded(decodeCores(kernel, *machine)));
}

/// What the other core of a logical one runs beside `kernel`, if it does.
static func::FuncOp getOtherCore(func::FuncOp kernel) {
  auto name = kernel->getAttrOfType<FlatSymbolRefAttr>(
      TrnDialect::OtherCoreAttrHelper::getNameStr());
  return name ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(kernel, name)
              : func::FuncOp();
}

/// Prints a kernel, which two cores may run. Returns whether it says all.
static FailureOr<bool> printKernel(func::FuncOp function, StringRef name,
                                   const KernelReading &kernel,
                                   const NKIOptions &options,
                                   PythonText &text) {
  Machine machine = *getMachine(function);
  PrintedKernel printed(kernel, function, machine, options, text);
  KernelPrinter printer(printed);
  func::FuncOp other = getOtherCore(function);
  if (!other) {
    if (failed(printer.print(name)))
      return failure();
    return printer.saysAll();
  }
  KernelReading otherKernel(other);
  PrintedKernel otherPrinted(otherKernel, other, machine, options, text);
  otherPrinted.core = 1;
  KernelPrinter otherPrinter(otherPrinted);
  if (failed(printer.print(name, &otherPrinter)))
    return failure();
  return printer.saysAll();
}

FailureOr<bool>
mlir::trn::translateToNKI(ModuleOp module, raw_ostream &os,
                          const NKIOptions &options,
                          SmallVectorImpl<std::string> *places) {
  SmallVector<func::FuncOp> kernels;
  module->walk([&](func::FuncOp function) {
    if (isKernel(function))
      kernels.push_back(function);
  });
  if (kernels.empty())
    return module.emitOpError("has no kernel to translate; compile it with "
                              "trn-opt --trn-compile first");
  if (options.addresses && options.version == NKIVersion::Beta1)
    return module.emitError(
        "--addresses is for --nki=0.6 and later: in the "
        "beta of NKI, addresses are for tensors with block dimensions");
  for (func::FuncOp kernel : kernels)
    if (failed(checkKernel(kernel, options)))
      return failure();

  // Nothing is written of a module that cannot be translated.
  std::string file;
  llvm::raw_string_ostream buffered(file);
  PythonText text(buffered);
  PythonNames names;
  bool saysAll = true;
  llvm::SmallPtrSet<Operation *, 4> others;
  for (func::FuncOp function : kernels)
    others.insert(getOtherCore(function));
  bool isFirst = true;
  for (func::FuncOp function : kernels) {
    if (others.contains(function))
      continue;
    KernelReading kernel(function);
    std::string name = names.take(function.getName());
    if (std::exchange(isFirst, false))
      printHeader(text, module, kernel,
                  getOtherCore(function) ? name + "[2]" : name,
                  getMachine(function)->name, options);
    text.prose("\n");
    FailureOr<bool> isComplete =
        printKernel(function, name, kernel, options, text);
    if (failed(isComplete))
      return failure();
    saysAll &= *isComplete;
  }
  os << file;
  if (places)
    places->assign(text.getPlaces().begin(), text.getPlaces().end());
  return saysAll;
}
