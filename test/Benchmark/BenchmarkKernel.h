//===- BenchmarkKernel.h - Kernels and values to measure on -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_BENCHMARK_BENCHMARKKERNEL_H
#define TRN_BENCHMARK_BENCHMARKKERNEL_H

#include "trn/Decode/Decode.h"
#include "trn/Generate/Specs.h"
#include "trn/Pipelines/Pipelines.h"

#include <vector>

namespace mlir::trn {

/// The kernel of a product or chain; nothing if it does not compile.
std::optional<DecodedKernel> compileKernel(const ChainSpec &spec,
                                           const CompileOptions &options = {});

/// bf16 values of about unit size, every one a normal number.
std::vector<uint16_t> makeValues(int64_t count);

} // namespace mlir::trn

#endif // TRN_BENCHMARK_BENCHMARKKERNEL_H
