//===- KernelCalls.cpp - Kernels called by host code ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostRun.h"

#include "trn/Interpreter/Interpreter.h"
#include "trn/Program/CountSteps.h"

#include "llvm/ADT/SmallBitVector.h"
#include <chrono>

using namespace mlir;
using namespace mlir::trn;

/// The arguments that a kernel reads or writes, as buffers of its program.
static SmallVector<const Buffer *> getArguments(const Program &program) {
  SmallVector<const Buffer *> arguments;
  for (const Buffer &buffer : program.buffers)
    if (buffer.argument >= 0)
      arguments.push_back(&buffer);
  return arguments;
}

/// By argument: whether a core writes it.
static void findWritten(const Program &program, llvm::SmallBitVector &written) {
  for (const Instruction &instruction : program.instructions)
    for (const Access &write : instruction.writes)
      if (int32_t argument = program.buffers[write.buffer].argument;
          argument >= 0 && instruction.semantics != Semantics::Barrier)
        written.set(argument);
  for (const Program &other : program.others)
    findWritten(other, written);
}

static StringRef getName(const DecodedKernel &kernel) {
  return cast<func::FuncOp>(kernel.ops.front()).getSymName();
}

InFlightDiagnostic HostRun::emitArgumentError(const HostCall &call,
                                              const Buffer &argument) {
  failed = true;
  InFlightDiagnostic diagnostic = call.site
                                      ? emitError(*call.site)
                                      : call.kernel.ops.front()->emitOpError();
  diagnostic << (call.site ? "passes" : "is given") << " argument #"
             << argument.argument << " of @" << getName(call.kernel) << " ";
  return diagnostic;
}

void HostRun::explainArgument(InFlightDiagnostic &diagnostic,
                              const HostCall &call,
                              const Buffer &argument) const {
  diagnostic.attachNote(call.site
                            ? sites[*call.site].operands[argument.argument]
                            : call.kernel.ops[argument.op]->getLoc())
      << "argument #" << argument.argument << " is this";
}

bool HostRun::verifyMemory(const HostCall &call, const Buffer &argument,
                           bool isWritten) {
  uintptr_t begin = call.getAddress(argument);
  const HostMemory::Region *region =
      memory.find(reinterpret_cast<void *>(begin));
  bool fits = region && begin + argument.bytes <= region->end;
  if (fits && !region->freedBy && (region->mayWrite || !isWritten))
    return true;
  InFlightDiagnostic diagnostic = emitArgumentError(call, argument);
  // call_c1
  if (!region)
    diagnostic << "in memory that host code never allocated";
  else if (region->freedBy)
    diagnostic << "in memory that was freed";
  // call_c2
  else if (!fits)
    diagnostic << "of " << argument.bytes << " bytes, but its memory has only "
               << region->end - begin << " left";
  // call_c3
  else if (region->kind == HostMemory::Kind::Input)
    diagnostic << "in memory of an input of the run; the kernel writes it, "
                  "but tensors keep their values";
  else
    diagnostic << "in memory of a constant, but the kernel writes it";
  explainArgument(diagnostic, call, argument);
  if (region)
    explain(diagnostic, *region);
  return false;
}

/// The order of instructions follows from which buffers they touch.
bool HostRun::verifySeparate(const HostCall &call, const Buffer &output,
                             const Buffer &other) {
  // call_c4
  if (&other == &output ||
      call.getAddress(output) >= call.getAddress(other) + other.bytes ||
      call.getAddress(other) >= call.getAddress(output) + output.bytes)
    return true;
  InFlightDiagnostic diagnostic = emitArgumentError(call, output);
  diagnostic << "in memory that argument #" << other.argument
             << " shares, but the kernel writes it";
  explainArgument(diagnostic, call, output);
  explainArgument(diagnostic, call, other);
  if (call.site)
    diagnostic.attachNote(call.kernel.ops.front()->getLoc()) << "the kernel";
  return false;
}

bool HostRun::verifyArguments(const HostCall &call) {
  const Program &program = call.kernel.program;
  SmallVector<const Buffer *> arguments = getArguments(program);
  llvm::SmallBitVector written(call.arguments.size());
  findWritten(program, written);
  auto isWritten = [&](const Buffer *buffer) {
    return written.test(buffer->argument);
  };
  // What an entry is given is of its size, and nobody else's.
  if (call.site)
    for (const Buffer *argument : arguments)
      if (argument->bytes > 0 &&
          !verifyMemory(call, *argument, isWritten(argument)))
        return false;
  for (const Buffer *output : llvm::make_filter_range(arguments, isWritten))
    for (const Buffer *other : arguments)
      if (!verifySeparate(call, *output, *other))
        return false;
  return true;
}

void HostRun::emitFault(const HostCall &call, const Fault &fault,
                        ArrayRef<std::unique_ptr<WrittenMap>> written) {
  failed = true;
  hasLostOthers = fault.rule == "cores_c1";
  const DecodedKernel &kernel = call.kernel;
  auto opsOf = [&](int64_t core) -> ArrayRef<Operation *> {
    return core == 0 ? kernel.ops : kernel.otherOps[core - 1];
  };
  ArrayRef<Operation *> ops = opsOf(fault.core);
  InFlightDiagnostic diagnostic = ops[fault.op]->emitOpError(fault.message);
  for (const auto &[op, text] : fault.notes)
    diagnostic.attachNote(ops[op]->getLoc()) << text;
  if (fault.elsewhere)
    diagnostic.attachNote(
        opsOf(1 - fault.core)[fault.elsewhere->first]->getLoc())
        << fault.elsewhere->second;
  if (!call.site)
    return;
  const HostSite &site = sites[*call.site];
  diagnostic.attachNote(site.loc) << "called here";
  if (fault.rule != "memory_c2")
    return;
  for (const Buffer *buffer : getArguments(kernel.program)) {
    if (!written[buffer->argument] || buffer->result)
      continue;
    int64_t byte =
        written[buffer->argument]->findHole(0, 1, 0, buffer->bytes)->byte;
    diagnostic.attachNote(site.operands[buffer->argument])
        << "host code wrote no element " << byte / byteSize(buffer->type)
        << " of argument #" << buffer->argument;
    explain(diagnostic, *memory.find(call.arguments[buffer->argument]));
  }
}

std::vector<std::unique_ptr<WrittenMap>>
HostRun::findUnwrittenInputs(const HostCall &call) const {
  std::vector<std::unique_ptr<WrittenMap>> written(call.arguments.size());
  for (const Buffer *buffer : getArguments(call.kernel.program)) {
    const void *data = call.arguments[buffer->argument];
    const HostMemory::Region *region = memory.find(data);
    // All other memory was new in this run, and filled as unwritten.
    bool isNew = region && region->kind != HostMemory::Kind::Input &&
                 region->kind != HostMemory::Kind::Constant;
    if (!isNew)
      continue;
    std::unique_ptr<WrittenMap> &known = written[buffer->argument];
    known = findUnwritten(data, buffer->bytes, buffer->type);
    if (!buffer->result)
      continue;
    // The kernel changes in its place what host code has filled.
    bool isFilled = !known;
    known.reset();
    if (isFilled) {
      known = std::make_unique<WrittenMap>(1, buffer->bytes);
      known->set(0, 1, 0, buffer->bytes);
    }
  }
  return written;
}

SmallVector<Snapshot *> HostRun::findSnapshots(size_t kernel) const {
  SmallVector<Snapshot *> found;
  if (snapshots.empty())
    return found;
  int64_t number = llvm::count_if(
      calls, [&](const RecordedCall &call) { return call.kernel == kernel; });
  for (KernelSnapshot &wanted : snapshots)
    if (wanted.kernel == kernel && wanted.call == number)
      found.push_back(&wanted.snapshot);
  return found;
}

std::function<void(int64_t)>
HostRun::reportSteps(const Program &program) const {
  if (!options.progress)
    return {};
  return [this, total = countSteps(program)](int64_t steps) {
    options.progress(steps, total);
  };
}

bool HostRun::callKernel(std::optional<size_t> site, size_t index,
                         ArrayRef<void *> arguments) {
  HostCall call = {site, kernels[index], arguments};
  if (!verifyArguments(call))
    return false;
  SmallVector<Snapshot *> kept = findSnapshots(index);
  calls.push_back({index, llvm::map_to_vector<6>(arguments, [](void *pointer) {
                     return reinterpret_cast<uintptr_t>(pointer);
                   })});
  std::vector<std::unique_ptr<WrittenMap>> written = findUnwrittenInputs(call);
  auto start = std::chrono::steady_clock::now();
  std::optional<Fault> fault = interpret(
      call.kernel.program, machine, arguments,
      {options.threads,
       llvm::map_to_vector(written,
                           [](const auto &map) {
                             return const_cast<const WrittenMap *>(map.get());
                           }),
       /*ignoredRule=*/{}, kept, reportSteps(call.kernel.program),
       options.cores});
  if (options.progress)
    options.progress(1, 1);
  kernelSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (fault)
    emitFault(call, *fault, written);
  return !fault;
}
