//===- KernelCalls.cpp - Kernels called by host code
//-------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostRun.h"

#include "trn/Interpreter/Interpreter.h"

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

static llvm::SmallBitVector findWritten(const Program &program) {
  llvm::SmallBitVector written(program.buffers.size());
  for (const Instruction &instruction : program.instructions)
    for (const Access &write : instruction.writes)
      written.set(write.buffer);
  return written;
}

static StringRef getName(const DecodedKernel &kernel) {
  return cast<func::FuncOp>(kernel.ops.front()).getSymName();
}

/// What a kernel is given must be there, and what it writes is no input and
/// known as no other argument: the order of its instructions follows from which
/// buffers they touch.
bool HostRun::verifyArguments(std::optional<size_t> site,
                              const DecodedKernel &kernel,
                              ArrayRef<void *> arguments) {
  const Program &program = kernel.program;
  auto emit = [&](const Buffer &argument) {
    InFlightDiagnostic diagnostic =
        site ? emitError(*site) : kernel.ops.front()->emitOpError();
    failed = true;
    diagnostic << (site ? "passes" : "is given") << " argument #"
               << argument.argument << " of @" << getName(kernel) << " ";
    return diagnostic;
  };
  auto explainArgument = [&](InFlightDiagnostic &diagnostic,
                             const Buffer &buffer) {
    diagnostic.attachNote(site ? sites[*site].operands[buffer.argument]
                               : kernel.ops[buffer.op]->getLoc())
        << "argument #" << buffer.argument << " is this";
  };
  auto getStart = [&](const Buffer &buffer) {
    return reinterpret_cast<uintptr_t>(arguments[buffer.argument]);
  };
  llvm::SmallBitVector written = findWritten(program);
  SmallVector<const Buffer *> buffers = getArguments(program);
  for (const Buffer *buffer : buffers) {
    if (!site || buffer->bytes == 0)
      continue;
    uintptr_t begin = getStart(*buffer);
    const HostMemory::Region *region =
        memory.find(reinterpret_cast<void *>(begin));
    bool writes = written.test(buffer - program.buffers.data());
    bool fits = region && begin + buffer->bytes <= region->end;
    if (fits && !region->freedBy && (region->mayWrite || !writes))
      continue;
    InFlightDiagnostic diagnostic = emit(*buffer);
    if (!region)
      diagnostic << "in memory that host code never allocated";
    else if (region->freedBy)
      diagnostic << "in memory that was freed";
    else if (!fits)
      diagnostic << "of " << buffer->bytes << " bytes, but its memory has only "
                 << region->end - begin << " left";
    else if (region->kind == HostMemory::Kind::Input)
      diagnostic << "in memory of an input of the run; the kernel writes it, "
                    "but tensors keep their values";
    else
      diagnostic << "in memory of a constant, but the kernel writes it";
    explainArgument(diagnostic, *buffer);
    if (region)
      explain(diagnostic, *region);
    return false;
  }
  for (const Buffer *output : buffers)
    for (const Buffer *other : buffers) {
      if (other == output || !written.test(output - program.buffers.data()) ||
          getStart(*output) >= getStart(*other) + other->bytes ||
          getStart(*other) >= getStart(*output) + output->bytes)
        continue;
      InFlightDiagnostic diagnostic = emit(*output);
      diagnostic << "in memory that argument #" << other->argument
                 << " shares, but the kernel writes it";
      explainArgument(diagnostic, *output);
      explainArgument(diagnostic, *other);
      if (site)
        diagnostic.attachNote(kernel.ops.front()->getLoc()) << "the kernel";
      return false;
    }
  return true;
}

void HostRun::emitFault(std::optional<size_t> site, const DecodedKernel &kernel,
                        const Fault &fault, ArrayRef<void *> arguments,
                        ArrayRef<std::unique_ptr<WrittenMap>> written) {
  failed = true;
  InFlightDiagnostic diagnostic =
      kernel.ops[fault.op]->emitOpError(fault.message);
  for (const auto &[op, text] : fault.notes)
    diagnostic.attachNote(kernel.ops[op]->getLoc()) << text;
  if (!site)
    return;
  diagnostic.attachNote(sites[*site].loc) << "called here";
  for (const Buffer *buffer : getArguments(kernel.program)) {
    if (!written[buffer->argument])
      continue;
    int64_t byte =
        written[buffer->argument]->findHole(0, 1, 0, buffer->bytes)->byte;
    diagnostic.attachNote(sites[*site].operands[buffer->argument])
        << "host code wrote no element " << byte / byteSize(buffer->type)
        << " of argument #" << buffer->argument;
    explain(diagnostic, *memory.find(arguments[buffer->argument]));
  }
}

std::vector<std::unique_ptr<WrittenMap>>
HostRun::findUnwrittenInputs(const DecodedKernel &kernel,
                             ArrayRef<void *> arguments) const {
  std::vector<std::unique_ptr<WrittenMap>> written(arguments.size());
  for (const Buffer *buffer : getArguments(kernel.program)) {
    const void *data = arguments[buffer->argument];
    const HostMemory::Region *region = memory.find(data);
    if (!buffer->result && region &&
        region->kind == HostMemory::Kind::Allocation)
      written[buffer->argument] =
          findUnwritten(data, buffer->bytes, buffer->type);
  }
  return written;
}

bool HostRun::callKernel(std::optional<size_t> site, size_t index,
                         ArrayRef<void *> arguments) {
  const DecodedKernel &kernel = kernels[index];
  if (!verifyArguments(site, kernel, arguments))
    return false;
  calls.push_back({index, llvm::map_to_vector<6>(arguments, [](void *pointer) {
                     return reinterpret_cast<uintptr_t>(pointer);
                   })});
  std::vector<std::unique_ptr<WrittenMap>> written =
      findUnwrittenInputs(kernel, arguments);
  auto start = std::chrono::steady_clock::now();
  std::optional<Fault> fault =
      interpret(kernel.program, machine, arguments,
                {threads, llvm::map_to_vector(written, [](const auto &map) {
                   return const_cast<const WrittenMap *>(map.get());
                 })});
  kernelSeconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
          .count();
  if (fault)
    emitFault(site, kernel, *fault, arguments, written);
  return !fault;
}
