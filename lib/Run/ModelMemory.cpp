//===- ModelMemory.cpp - What a core holds of a model ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/TimeModel.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <numeric>

using namespace mlir::trn;
using llvm::formatv;
using llvm::StringRef;

/// How many cores share a weight, as `--trn-partition` splits it.
static int64_t sharersOf(StringRef name, const ModelConfig &config,
                         int64_t cores) {
  if (name.contains("norm.") || name.contains("embed_tokens"))
    return 1;
  bool isOfKeys = name.contains(".k_proj.") || name.contains(".v_proj.");
  return isOfKeys ? std::min(cores, config.kvHeads) : cores;
}

double mlir::trn::countHbmBytes(const ModelConfig &config,
                                const ModelTimeOptions &options) {
  const int64_t cores = options.machine.coresOf(options.cores);
  double bytes = 0;
  for (const TensorSpec &tensor : listTensors(config)) {
    double size = std::accumulate(
        tensor.shape.begin(), tensor.shape.end(), 1.0,
        [](double product, int64_t size) { return product * double(size); });
    size *= double(byteSize(tensor.type.value_or(options.type)));
    bytes += size / double(sharersOf(tensor.name, config, cores));
    // A tied head is split, beside the whole table of words.
    if (config.tiedHead && cores > 1 &&
        StringRef(tensor.name).contains("embed_tokens"))
      bytes += size / double(cores);
  }
  const double cache =
      double(config.headDim) * double(config.kvHeads) /
      double(std::min(cores, config.kvHeads)) *
      double(
          chooseContext(options.promptTokens + options.newTokens - 1, config));
  return bytes + 2 * double(config.layers) * double(options.batch) * cache *
                     double(byteSize(options.type));
}

llvm::Error mlir::trn::checkHbm(const ModelConfig &config,
                                const ModelTimeOptions &options) {
  const Machine &machine = options.machine;
  const int64_t cores = machine.coresOf(options.cores),
                sharing = std::clamp<int64_t>(
                    cores, 1, std::max<int64_t>(machine.hbmCores, 1));
  const double size = machine.hbmGiB / double(sharing),
               bytes = countHbmBytes(config, options),
               gib = bytes / double(1 << 30);
  if (machine.hbmGiB == 0 || gib <= size)
    return llvm::Error::success();
  return llvm::createStringError(formatv(
      "weights and caches take {0:N0} bytes on each of {1} cores, {2:F3} GiB, "
      "but {3} has {4:F3} GiB of HBM for a core ('hbm_gib', which 'hbm_cores' "
      "share); take more cores or a smaller batch",
      int64_t(bytes), cores, gib, machine.name, size));
}
