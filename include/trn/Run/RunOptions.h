//===- RunOptions.h - What to do with a module ------------------*- C++ -*-===//
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

/// What the simulator does in a second at least, on hosts of today; up to five
/// times as much.
constexpr int64_t stepsPerSecond = 4'000'000;
/// About an hour at most.
constexpr uint64_t defaultMaxSteps = 10'000'000'000;

/// What to do with a module; the members are the flags of `trn-run`.
struct RunOptions {
  /// Path of the file that the module was read from: no output may be it.
  std::string source;
  /// What stands in it, for a page; absent: it is no text.
  std::optional<SourceText> sourceText;
  /// Empty: the only public function.
  std::string entry;
  /// As `parseArgumentSource` and `parseResultTarget` read them.
  std::vector<std::string> arguments;
  std::vector<std::string> results;
  /// What to write of the buffers of kernels: `[KERNEL[#CALL]:]NAME[@I,J,...]`,
  /// with `=FILE.npy` or as that name with `.npy`.
  std::vector<std::string> dumps;
  /// Path of a safetensors file, or empty.
  std::string weights;
  /// Options of the pipeline `trn-compile` that goes before; absent: none does.
  std::optional<std::string> compile;
  /// Folder of plans for that pipeline, or empty.
  std::string planCache;
  /// Compare the results with reference values of the module as it came.
  bool verify = false;
  /// Neither read nor compute values.
  bool timingOnly = false;
  /// Also time the kernels with the machine's constants at the ends of their
  /// ranges.
  bool range = false;
  /// A machine's name or file; empty: what the module or the compiler says.
  std::string machine;
  /// What differs from that machine, as a machine file has it.
  llvm::json::Object machineConstants;
  /// Paths of files to write, or empty: JSON, JSON, and a page to look at.
  std::string report;
  std::string trace;
  std::string html;
  /// Told before each point of a sweep and at the end, or, where values are
  /// computed, of the steps of each call of a kernel.
  std::function<void(size_t done, size_t total)> progress;
  /// A kernel with more steps than this (`countSteps`) is not simulated.
  uint64_t maxSteps = defaultMaxSteps;
  /// Of the interpreter; 0 = one for each core.
  unsigned threads = 0;
  /// As `ExecutableOptions` has it.
  CoreGroup *cores = nullptr;
};

} // namespace mlir::trn

#endif // TRN_RUN_RUNOPTIONS_H
