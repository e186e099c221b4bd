//===- BenchmarkKernel.cpp - Kernels and values to measure on -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BenchmarkKernel.h"

#include "trn/Generate/Generate.h"
#include "trn/InitAll.h"
#include "trn/Machine/KnownMachines.h"

#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<DecodedKernel>
mlir::trn::compileKernel(const ChainSpec &spec, const CompileOptions &options) {
  DialectRegistry registry;
  trn::registerAllDialects(registry);
  // The ops must live as long as what was decoded from them.
  auto *context = new MLIRContext(registry);
  auto module = generateChain(context, spec);
  if (!module) {
    llvm::consumeError(module.takeError());
    return std::nullopt;
  }
  PassManager pm(context);
  buildCompilePipeline(pm, options);
  if (failed(pm.run(**module)))
    return std::nullopt;
  for (auto function : module->release().getOps<func::FuncOp>())
    if (function->hasAttr("trn.kernel"))
      if (auto decoded = decodeKernel(function, defaultMachine());
          succeeded(decoded))
        return std::move(*decoded);
  return std::nullopt;
}

std::vector<uint16_t> mlir::trn::makeValues(int64_t count) {
  std::vector<uint16_t> result(count);
  uint32_t state = 1;
  for (uint16_t &value : result) {
    state = state * 1664525 + 1013904223;
    value = floatToBF16(float(int32_t(state)) * 0x1p-31f + 0x1p-10f);
  }
  return result;
}
