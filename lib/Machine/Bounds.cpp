//===- Bounds.cpp - Times that no schedule can beat -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Bounds.h"

#include "trn/Machine/Machine.h"

using namespace mlir::trn;

FlopsByType mlir::trn::shareOut(int64_t total, const FlopsByType &executed) {
  FlopsByType shares;
  if (executed.total() > 0)
    shares.f32 = static_cast<__int128>(total) * executed.f32 / executed.total();
  shares.narrow = total - shares.f32;
  return shares;
}

double mlir::trn::tensorBoundNs(const FlopsByType &flops,
                                const Machine &machine) {
  return flops.narrow / machine.tensorFlopsPerNs(/*f32=*/false) +
         flops.f32 / machine.tensorFlopsPerNs(/*f32=*/true);
}

double mlir::trn::nominalPeakNs(const FlopsByType &flops,
                                const Machine &machine) {
  // A TFLOP/s is a thousand FLOP a nanosecond.
  return flops.narrow / (machine.tensorPeakTflopsBF16 * 1000) +
         flops.f32 / (machine.tensorPeakTflopsF32 * 1000);
}

double mlir::trn::trafficBoundNs(int64_t bytes, const Machine &machine) {
  return bytes / machine.dmaSustainedGBPerSecond();
}
