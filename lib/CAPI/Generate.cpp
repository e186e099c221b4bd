//===- Generate.cpp - Make modules from sizes -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn-c/Generate.h"

#include "Handle.h"
#include "trn/Generate/Generate.h"

using namespace mlir;
using namespace mlir::trn;

static llvm::Error generate(int64_t m, int64_t k, int64_t r, int64_t n,
                            TrnElementType type, std::string &text) {
  std::optional<HostType> element = toHostType(type);
  if (!element || element->isInteger())
    return llvm::createStringError(
        "element type %d is no float; floats are 0 (bf16), 1 (f16) and 2 (f32)",
        int(type));
  ChainSpec spec;
  spec.m = m;
  spec.k = k;
  spec.n = n;
  spec.type = element->getFloats();
  if (r != 0)
    spec.rank = r;
  MLIRContext context(MLIRContext::Threading::DISABLED);
  auto module = generateChain(&context, spec);
  if (!module)
    return module.takeError();
  llvm::raw_string_ostream os(text);
  (*module)->print(os, OpPrintingFlags().printNameLocAsPrefix());
  return llvm::Error::success();
}

MlirLogicalResult trnGenerateChain(int64_t m, int64_t k, int64_t r, int64_t n,
                                   TrnElementType type, MlirStringCallback text,
                                   void *textData,
                                   MlirStringCallback diagnostics,
                                   void *diagnosticsData) {
  std::string module;
  LogicalResult outcome =
      enter({diagnostics, diagnosticsData}, [&](std::string &said) {
        llvm::Error problem = generate(m, k, r, n, type, module);
        if (!problem)
          return success();
        said = "error: " + llvm::toString(std::move(problem)) + "\n";
        return failure();
      });
  if (succeeded(outcome))
    Receiver{text, textData}.tell(module);
  return wrap(outcome);
}
