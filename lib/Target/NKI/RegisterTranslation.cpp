//===- RegisterTranslation.cpp - mlir-to-nki as a translation -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Target/NKI/TranslateToNKI.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::trn;
namespace cl = llvm::cl;

void mlir::trn::registerToNKITranslation(bool &saysAll) {
  static cl::OptionCategory category("trn-translate options");
  static cl::opt<NKIVersion> version(
      "nki", cl::desc("Version of NKI (default 0.6)"),
      cl::values(clEnumValN(NKIVersion::V0_6, "0.6",
                            "package nki, for trn2 and later"),
                 clEnumValN(NKIVersion::Beta1, "beta1",
                            "package neuronxcc.nki, for trn1")),
      cl::init(NKIVersion::V0_6), cl::cat(category));
  static cl::opt<bool> addresses(
      "addresses", cl::desc("Print the address of each buffer (0.6)"),
      cl::cat(category));
  static cl::opt<int64_t> unrollLimit(
      "unroll-limit", cl::value_desc("count"),
      cl::desc("Loops of more instructions run on the device where they can "
               "(0.6; default 4096)"),
      cl::init(NKIOptions().unrollLimit), cl::cat(category));
  static cl::opt<bool> bestEffort(
      "best-effort",
      cl::desc("Leave out what cannot be said, with a comment and exit status "
               "2"),
      cl::cat(category));
  static TranslateFromMLIRRegistration registration(
      "mlir-to-nki", "kernels as functions of the vendor's Python",
      [&saysAll](ModuleOp module, raw_ostream &os) -> LogicalResult {
        FailureOr<bool> said = translateToNKI(
            module, os, {version, addresses, unrollLimit, bestEffort});
        saysAll &= failed(said) || *said;
        return said;
      },
      [](DialectRegistry &registry) {
        registry.insert<TrnDialect>();
        registerAllDialects(registry);
      });
}
