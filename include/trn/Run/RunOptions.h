//===- RunOptions.h - Options of a run --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_RUNOPTIONS_H
#define TRN_RUN_RUNOPTIONS_H

#include "trn/Page/Html.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

class CoreGroup;

/// Steps that the simulator takes per second on hosts of today, at least; up to
/// five times as many.
constexpr int64_t stepsPerSecond = 4'000'000;
/// About an hour at most.
constexpr uint64_t defaultMaxSteps = 10'000'000'000;

/// What to do with a module; members are the flags of `trn-run`.
struct RunOptions {
  /// The module's file, which no output may overwrite.
  std::string source;
  /// Its text, for a page; absent if it is not text.
  std::optional<SourceText> sourceText;
  /// Empty: the only public function.
  std::string entry;
  /// In the syntax of `parseArgumentSource` and `parseResultTarget`.
  std::vector<std::string> arguments;
  std::vector<std::string> results;
  /// Kernel buffers to write: `[KERNEL[#CALL]:]NAME[@I,J,...]`, with
  /// `=FILE.npy` or to NAME with `.npy`.
  std::vector<std::string> dumps;
  /// Path of a safetensors file, or empty.
  std::string weights;
  /// Options of the pipeline `trn-compile`, which runs first; absent: it does
  /// not.
  std::optional<std::string> compile;
  /// Folder of plans for that pipeline, or empty.
  std::string planCache;
  /// Compares results with reference values of the original module.
  bool verify = false;
  /// Values are neither read nor computed.
  bool timingOnly = false;
  /// Also times kernels with the machine's constants at the ends of their
  /// ranges.
  bool range = false;
  /// A machine's name or file; empty: that of the module or the compiler.
  std::string machine;
  /// Differences from that machine, as in a machine file.
  llvm::json::Object machineConstants;
  /// Output files, or empty: JSON, JSON, and an HTML page.
  std::string report;
  std::string trace;
  std::string html;
  /// Called before each point of a sweep and at the end, or, when values are
  /// computed, during each kernel call.
  std::function<void(size_t done, size_t total)> progress;
  /// A kernel with more steps (`countSteps`) is not simulated.
  uint64_t maxSteps = defaultMaxSteps;
  /// Of the interpreter; 0 = one per core of the host.
  unsigned threads = 0;
  /// See `ExecutableOptions`.
  CoreGroup *cores = nullptr;
};

} // namespace mlir::trn

#endif // TRN_RUN_RUNOPTIONS_H
