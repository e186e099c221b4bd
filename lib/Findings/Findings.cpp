//===- Findings.cpp - What costs a run time -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Findings/Findings.h"

#include "Symptom.h"
#include "trn/Program/CountSteps.h"
#include "trn/Program/Launch.h"
#include "trn/Report/BufferContents.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;

namespace {
struct Cause {
  llvm::StringLiteral name;
  void (*find)(const KernelRun &run, Symptoms &found);
  bool isDecidedByPlan;
};
} // namespace

/// All that is looked for in a kernel.
static constexpr Cause causes[] = {
    {"recomputation", findRecomputation, true},
    {"transposes", findTransposes, false},
    {"padding", findPadding, false},
    {"throttle", findThrottle, true},
    {"short_rows", findShortRows, true},
    {"idle_dma_engines", findIdleDmaEngines, true},
    {"repeated_traffic", findRepeatedTraffic, true},
    {"spills", findSpills, true},
    {"few_slots", findFewSlots, true},
    {"port_conflicts", findPortConflicts, true},
    {"table_swaps", findTableSwaps, false},
    {"half_the_work", findBusyEngines, true},
    {"handoffs", findHandoffs, true},
};

bool mlir::trn::isDecidedByPlan(llvm::StringRef cause) {
  return llvm::any_of(causes, [&](const Cause &known) {
    return known.name == cause && known.isDecidedByPlan;
  });
}

//===----------------------------------------------------------------------===//
// What is known of a kernel
//===----------------------------------------------------------------------===//

/// The accesses of a transfer, what is written first: its partitions decide
/// which DMA engines take part.
static llvm::SmallVector<const Access *, 2>
sidesOf(const Instruction &transfer) {
  llvm::SmallVector<const Access *, 2> sides;
  for (const auto &accesses : {llvm::ArrayRef<Access>(transfer.writes),
                               llvm::ArrayRef<Access>(transfer.reads)})
    for (const Access &access : accesses)
      sides.push_back(&access);
  return sides;
}

const Access *KernelRun::onChip(const Instruction &transfer) const {
  for (const Access *side : sidesOf(transfer))
    if (program().buffers[side->buffer].space != Space::Hbm &&
        !side->dims.empty())
      return side;
  return nullptr;
}

const Access *KernelRun::inHbm(const Instruction &transfer) const {
  for (const Access *side : sidesOf(transfer))
    if (program().buffers[side->buffer].space == Space::Hbm)
      return side;
  return nullptr;
}

std::string KernelRun::nameOf(const Instruction &transfer) const {
  const Access *chip = onChip(transfer), *hbm = inHbm(transfer);
  if (chip && !program().buffers[chip->buffer].matrix.empty())
    return names[chip->buffer];
  return names[hbm ? hbm->buffer : chip ? chip->buffer : 0];
}

size_t KernelRun::busiestOf(llvm::ArrayRef<size_t> instructions) const {
  return *llvm::max_element(instructions, [&](size_t a, size_t b) {
    return totals(a).busy < totals(b).busy;
  });
}

bool KernelRun::recomputes() const {
  // A hundredth is what rounding up to whole tiles may add.
  return call.modelFlops && *call.modelFlops > 0 &&
         result().executedFlops > *call.modelFlops * 1.01;
}

static std::vector<std::string> nameBuffers(const Program &program) {
  std::vector<std::string> names;
  for (HeldMatrix &held : listHeldMatrices(program))
    names.push_back(std::move(held.name));
  return names;
}

/// By buffer of a call.
static std::vector<bool> findHandedOver(const KernelCall &call,
                                        const HandedOver &handedOver) {
  std::vector<bool> found;
  for (const Buffer &buffer : call.program->buffers) {
    std::optional<uintptr_t> memory = findMemory(call.arguments, buffer);
    found.push_back(memory && handedOver.contains(*memory));
  }
  return found;
}

namespace {
//===----------------------------------------------------------------------===//
// What it costs
//===----------------------------------------------------------------------===//

class Examiner {
public:
  /// Of calls that together take `latency`, several in a launch or not.
  Examiner(const Machine &machine, int64_t maxSteps, int64_t latency,
           bool sharesLaunches)
      : machine(machine), stepsLeft(maxSteps), latency(latency),
        sharesLaunches(sharesLaunches) {}

  /// Examines a kernel, and what is gained by that many calls of it.
  void examine(KernelRun run, int64_t calls);
  std::vector<Finding> take() { return std::move(findings); }

private:
  /// Picoseconds that a call gains; 0 if that would take too long to find out.
  int64_t gainOf(const KernelRun &run, const Symptom &symptom);
  /// Whether another simulation of this program would not take too long.
  bool maySimulate(const Program &program);

  const Machine &machine;
  int64_t stepsLeft;
  int64_t latency;
  bool sharesLaunches;
  std::vector<Finding> findings;
};
} // namespace

bool Examiner::maySimulate(const Program &program) {
  int64_t steps = countSteps(program);
  if (steps > stepsLeft)
    return false;
  stepsLeft -= steps;
  return true;
}

int64_t Examiner::gainOf(const KernelRun &run, const Symptom &symptom) {
  if (!maySimulate(run.program()))
    return 0;
  Program program = run.program();
  Machine changed = machine;
  symptom.remove(program, changed);
  SimulationOptions options;
  options.limit = run.latency;
  return run.latency - simulate(program, changed, options).latency;
}

void Examiner::examine(KernelRun run, int64_t calls) {
  // Among others it is partly hidden, so that its time says little.
  if (sharesLaunches) {
    if (!maySimulate(run.program()))
      return;
    run.latency = simulate(run.program(), machine).latency;
  }
  Symptoms symptoms;
  for (const Cause &cause : causes)
    cause.find(run, symptoms);
  for (const Symptom &symptom : symptoms) {
    Finding finding{symptom.cause.str(), symptom.subject};
    int64_t gain = calls * gainOf(run, symptom);
    finding.latencyWithout = latency - gain;
    if (!symptom.spansKernels)
      finding.kernel = run.program().name;
    finding.evidence = symptom.evidence;
    finding.advice = symptom.advice;
    finding.isTried = symptom.isAdviceItself;
    int32_t op = run.program().instructions[symptom.instruction].op;
    finding.location = run.program().ops[op].location;
    auto known = llvm::find_if(findings, [&](const Finding &other) {
      return other.kernel == finding.kernel && other.cause == finding.cause &&
             other.subject == finding.subject;
    });
    if (known == findings.end())
      findings.push_back(std::move(finding));
    else if (symptom.spansKernels)
      known->latencyWithout -= gain;
    else if (finding.latencyWithout < known->latencyWithout)
      *known = std::move(finding);
  }
}

/// Launches beyond the first one.
static std::optional<Finding>
findLaunches(int64_t launches, const Machine &machine, int64_t latency) {
  if (launches < 2)
    return std::nullopt;
  Finding finding{"launches"};
  int64_t overhead = machine.kernelOverheadNs * 1000;
  finding.latencyWithout = latency - (launches - 1) * overhead;
  finding.evidence =
      llvm::formatv("{0} launches of {1:F1} us each", launches, overhead / 1e6);
  finding.advice = "let the host do its work before or after all of these "
                   "kernels, not in between";
  return finding;
}

void mlir::trn::rankFindings(std::vector<Finding> &findings, int64_t latency) {
  llvm::erase_if(findings, [&](const Finding &finding) {
    return latency - finding.latencyWithout <
           latency / (finding.isTried ? 100 : 33);
  });
  llvm::sort(findings, [](const Finding &a, const Finding &b) {
    return std::tie(a.latencyWithout, a.cause, a.kernel, a.evidence) <
           std::tie(b.latencyWithout, b.cause, b.kernel, b.evidence);
  });
}

std::vector<Finding> mlir::trn::findCosts(llvm::ArrayRef<KernelCall> calls,
                                          const Machine &machine,
                                          int64_t maxSteps) {
  int64_t latency = 0, launches = 0;
  llvm::MapVector<const Program *, std::pair<const KernelCall *, int64_t>>
      kernels;
  for (const KernelCall &call : calls) {
    latency += call.simulation->latency;
    launches += call.beginsLaunch;
    ++kernels.insert({call.program, {&call, 0}}).first->second.second;
  }
  HandedOver handedOver(calls);
  Examiner examiner(machine, maxSteps, latency,
                    launches < int64_t(calls.size()));
  for (const auto &[program, kernel] : kernels) {
    const auto &[call, count] = kernel;
    examiner.examine({*call, machine, nameBuffers(*program),
                      findHandedOver(*call, handedOver),
                      call->simulation->latency},
                     count);
  }
  std::vector<Finding> findings = examiner.take();
  if (std::optional<Finding> finding = findLaunches(launches, machine, latency))
    findings.push_back(std::move(*finding));
  rankFindings(findings, latency);
  return findings;
}
