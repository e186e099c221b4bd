//===- Machine.cpp - What follows from a machine's constants --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Machine.h"

#include <algorithm>

using namespace mlir::trn;

Machine::DmaMode Machine::dmaMode() const {
  if (dmaStaticDescriptors)
    return {dmaStaticGBPerSecondPerEngine, dmaStaticNsPerDescriptor, 0, 0,
            dmaStaticCompletionNs};
  return generatedDmaMode();
}

Machine::DmaMode Machine::generatedDmaMode() const {
  return {dmaGBPerSecondPerEngine, dmaNsPerDescriptor, dmaMinNsPerDescriptor,
          dmaMinTransferNs, 0};
}

double Machine::dmaEngineNs(double bytes, double descriptors) const {
  DmaMode mode = dmaMode();
  return std::max(descriptors * mode.minNsPerDescriptor,
                  bytes / mode.gbPerSecondPerEngine +
                      descriptors * mode.nsPerDescriptor);
}

double Machine::dmaSustainedGBPerSecond() const {
  return dmaEngines * dmaSaturatingBytes / dmaEngineNs(dmaSaturatingBytes, 1);
}

double Machine::tensorFlopsPerNs(bool f32) const {
  double passes = f32 ? tensorF32Passes : 1;
  return 2.0 * partitions * stationaryFreeMax / (tensorNsPerColumn * passes);
}

double Machine::ridge() const {
  return tensorFlopsPerNs(/*f32=*/false) / dmaSustainedGBPerSecond();
}
