//===- Symptom.h - What may cost a kernel time ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_FINDINGS_SYMPTOM_H
#define TRN_LIB_FINDINGS_SYMPTOM_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/Plan.h"
#include "trn/Program/Program.h"
#include "trn/Report/KernelCall.h"
#include "trn/Simulator/Simulator.h"
#include <functional>

namespace mlir::trn {

/// A kernel as it ran.
struct KernelRun {
  const KernelCall &call;
  const Machine &machine;
  /// By buffer: what it holds, in a word or two.
  std::vector<std::string> names;
  /// By buffer: in HBM only because one kernel hands it to another.
  std::vector<bool> isHandedOver;
  /// How long it takes in a launch of its own.
  int64_t latency;

  const Program &program() const { return *call.program; }
  const SimulationResult &result() const { return *call.simulation; }
  const InstructionTotals &totals(size_t instruction) const {
    return result().totals[instruction];
  }
  /// The side of a transfer that is on chip, or the one that is not; null if
  /// there is none.
  const Access *onChip(const Instruction &transfer) const;
  const Access *inHbm(const Instruction &transfer) const;
  /// What a transfer moves, as far as a name is known.
  std::string nameOf(const Instruction &transfer) const;
  /// Of some instructions the one that is busy for longest.
  size_t busiestOf(llvm::ArrayRef<size_t> instructions) const;
  /// Whether it computes more FLOPs than the model asks for.
  bool recomputes() const;
};

/// Something that may cost time, and how the same kernel would be without it.
struct Symptom {
  llvm::StringRef cause;
  std::string evidence;
  std::string advice;
  /// The instruction that it is mostly about.
  size_t instruction = 0;
  std::function<void(Program &, Machine &)> remove;
  /// What it is about; of several symptoms with the same cause and subject the
  /// one counts that is best removed.
  std::string subject = {};
  /// Several kernels have a part in it: what they gain adds up.
  bool spansKernels = false;
  /// Removing it does what the advice says, and not only what that is for.
  bool isAdviceItself = false;
};

using Symptoms = std::vector<Symptom>;

// TensorEngine.cpp
void findRecomputation(const KernelRun &run, Symptoms &found);
void findTransposes(const KernelRun &run, Symptoms &found);
void findPadding(const KernelRun &run, Symptoms &found);
void findThrottle(const KernelRun &run, Symptoms &found);
// Transfers.cpp
void findShortRows(const KernelRun &run, Symptoms &found);
void findIdleDmaEngines(const KernelRun &run, Symptoms &found);
void findRepeatedTraffic(const KernelRun &run, Symptoms &found);
void findSpills(const KernelRun &run, Symptoms &found);
// Waits.cpp
void findFewSlots(const KernelRun &run, Symptoms &found);
void findPortConflicts(const KernelRun &run, Symptoms &found);
void findTableSwaps(const KernelRun &run, Symptoms &found);
void findBusyEngines(const KernelRun &run, Symptoms &found);
void findHandoffs(const KernelRun &run, Symptoms &found);

} // namespace mlir::trn

#endif // TRN_LIB_FINDINGS_SYMPTOM_H
