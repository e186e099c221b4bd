//===- Machine.cpp - What follows from a machine's constants --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Machine.h"

#include <algorithm>
#include <cmath>

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

Machine Machine::ofCores(int64_t cores) const {
  Machine own = *this;
  const int64_t sharing = std::min(cores, hbmCores);
  if (sharing > 1 && hbmGBPerSecond > 0) {
    const double most = hbmGBPerSecond / double(sharing * dmaEngines);
    for (double *rate :
         {&own.dmaGBPerSecondPerEngine, &own.dmaStaticGBPerSecondPerEngine})
      *rate = std::min(*rate, most);
  }
  return own;
}

double Machine::collectiveNs(int64_t cores, double bytes, double sent) const {
  double span =
      std::max<double>(collectiveLargeBytes - collectiveSmallBytes, 1);
  double share = std::clamp((bytes - collectiveSmallBytes) / span, 0.0, 1.0);
  double latency = collectiveLatencyNs +
                   share * (collectiveLargeLatencyNs - collectiveLatencyNs);
  double rate = collectiveGBPerSecond;
  if (chipCores > 0 && cores > chipCores) {
    // Small arrays go to all chips at once, large ones by doubling: ICC.
    double chips = std::ceil(double(cores) / double(chipCores));
    bool isLarge = bytes >= double(collectiveLargeBytes);
    latency += linkHopNs * (isLarge ? std::ceil(std::log2(chips)) : 1);
    if (linkGBPerSecond > 0)
      rate = std::min(rate, linkGBPerSecond / double(chipCores));
  }
  return latency + sent / rate;
}

double Machine::tensorFlopsPerNs(bool f32) const {
  double passes = f32 ? tensorF32Passes : 1;
  return 2.0 * partitions * stationaryFreeMax / (tensorNsPerColumn * passes);
}

double Machine::ridge() const {
  return tensorFlopsPerNs(/*f32=*/false) / dmaSustainedGBPerSecond();
}

int64_t Machine::psumBanksOf(int64_t bytes) const {
  return bytes <= psumBankBytes ? 1 : (bytes - 1) / psumBankBytes + 1;
}
