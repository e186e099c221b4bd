//===- trn-translate.cpp - mlir-translate with our translations -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CheckFiles.h"
#include "../ToolStreams.h"
#include "trn/InitAll.h"
#include "trn/Support/Version.h"
#include "trn/Target/NKI/TranslateToNKI.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "mlir/Tools/mlir-translate/Translation.h"
#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::trn;
namespace cl = llvm::cl;

static cl::OptionCategory category("trn-translate options");

static cl::opt<NKIVersion> version(
    "nki", cl::desc("Version of NKI (default 0.6)"),
    cl::values(clEnumValN(NKIVersion::V0_6, "0.6",
                          "package nki of SDK 2.32, for trn2 and later"),
               clEnumValN(NKIVersion::V0_7, "0.7",
                          "package nki of SDK 2.33, for trn2 and later"),
               clEnumValN(NKIVersion::Beta1, "beta1",
                          "package neuronxcc.nki, for trn1")),
    cl::init(NKIVersion::V0_6), cl::cat(category));

static cl::opt<bool>
    addresses("addresses",
              cl::desc("Print the address of each buffer (0.6 and later)"),
              cl::cat(category));

static cl::opt<uint64_t> unrollLimit(
    "unroll-limit", cl::value_desc("count"),
    cl::desc("Loops of more instructions run on the device where they can "
             "(0.6 and later; default 4096)"),
    cl::init(NKIOptions().unrollLimit), cl::cat(category));

static cl::opt<bool> bestEffort(
    "best-effort",
    cl::desc("Leave out what cannot be said, with a comment and exit status 2"),
    cl::cat(category));

/// Cleared when a translation leaves something out.
static bool saysAll = true;

static LogicalResult translate(ModuleOp module, raw_ostream &os) {
  FailureOr<bool> said =
      translateToNKI(module, os, {version, addresses, unrollLimit, bestEffort});
  if (succeeded(said))
    saysAll &= *said;
  return said;
}

int main(int argc, char **argv) {
  surviveWriteErrors();
  cl::SetVersionPrinter(printVersion);
  if (!checkFiles("trn-translate", argc, argv))
    return 1;
  TranslateFromMLIRRegistration registration(
      "mlir-to-nki", "kernels as functions of the vendor's Python", translate,
      [](DialectRegistry &registry) { trn::registerAllDialects(registry); });
  LogicalResult result = mlirTranslateMain(
      argc, argv, "trn-mlir: translate compiled kernels to other languages\n");
  int status = failed(result) ? 1 : saysAll ? 0 : 2;
  return finishStreams("trn-translate", status);
}
