//===- Dump.cpp - Write what buffers hold as npy --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Dump.h"

#include "BufferNames.h"
#include "trn/Support/NPY.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;

llvm::Expected<Dump> mlir::trn::parseDump(StringRef text) {
  auto [where, path] = text.split('=');
  auto [name, iteration] = where.split('@');
  Dump dump;
  dump.text = where.str();
  dump.path = path.empty() ? dump.text + ".npy" : path.str();
  bool isWrong = where.size() + 1 == text.size();
  if (name.contains(':')) {
    auto [kernel, buffer] = name.split(':');
    auto [symbol, call] = kernel.split('#');
    isWrong |=
        symbol.empty() || (kernel != symbol &&
                           (call.getAsInteger(10, dump.call) || dump.call < 0));
    dump.kernel = symbol.str();
    name = buffer;
  }
  dump.buffer = name.str();
  if (where.contains('@'))
    for (StringRef index : llvm::split(iteration, ','))
      isWrong |= index.getAsInteger(10, dump.iteration.emplace_back());
  if (isWrong || name.empty())
    return llvm::createStringError(
        "dump '" + text +
        "' is not understood: use NAME, NAME@I,J with the iteration of the "
        "loops around it, KERNEL:NAME, KERNEL#CALL:NAME, and =FILE.npy after "
        "any of these");
  return dump;
}

/// `yt.psum@0..3,0..1`: a name and the iterations that it has.
static std::string describe(const Program &program, int32_t buffer,
                            StringRef name) {
  SmallVector<std::string> ranges;
  for (int32_t loop : loopsAroundWrites(program, buffer))
    ranges.push_back("0.." + std::to_string(program.loops[loop].tripCount - 1));
  return (name + (ranges.empty() ? "" : "@") + llvm::join(ranges, ",")).str();
}

namespace {
struct Candidate {
  size_t kernel;
  int32_t buffer;
  std::string description;
};
} // namespace

/// Completes the iteration of `dump` with the last indices of loops.
static FailureOr<KernelSnapshot> complete(func::FuncOp entry, const Dump &dump,
                                          const DecodedKernel &kernel,
                                          const Candidate &found) {
  SmallVector<int32_t, 4> loops =
      loopsAroundWrites(kernel.program, found.buffer);
  auto isOutside = [&](auto pair) {
    auto [index, loop] = pair;
    return index < 0 || index >= kernel.program.loops[loop].tripCount;
  };
  if (dump.iteration.size() > loops.size() ||
      llvm::any_of(llvm::zip(dump.iteration, loops), isOutside))
    return entry.emitError() << "dump '" << dump.text
                             << "': this is outside of " << found.description
                             << (loops.empty() ? ", which no loop writes" : "");
  KernelSnapshot wanted = {found.kernel, dump.call, {found.buffer, {}}};
  for (auto [index, loop] : llvm::enumerate(loops))
    wanted.snapshot.iteration.push_back(
        index < dump.iteration.size()
            ? dump.iteration[index]
            : kernel.program.loops[loop].tripCount - 1);
  return wanted;
}

/// What is meant by a matrix alone is its value, not sums or a copy in HBM.
static void preferTiles(SmallVectorImpl<Candidate> &found,
                        ArrayRef<DecodedKernel> kernels) {
  auto isTile = [&](const Candidate &candidate) {
    return kernels[candidate.kernel].program.buffers[candidate.buffer].space ==
           Space::Sbuf;
  };
  if (llvm::count_if(found, isTile) == 1)
    llvm::erase_if(found, std::not_fn(isTile));
}

FailureOr<KernelSnapshot>
mlir::trn::findBuffer(func::FuncOp entry, const Dump &dump,
                      ArrayRef<DecodedKernel> kernels) {
  SmallVector<Candidate> found;
  SmallVector<std::string> others, names;
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    StringRef kernelName = kernel.program.name;
    names.push_back(("@" + kernelName).str());
    if (!dump.kernel.empty() && dump.kernel != kernelName)
      continue;
    std::string prefix = kernels.size() > 1 ? (kernelName + ":").str() : "";
    for (auto [buffer, name] : llvm::enumerate(nameBuffers(kernel))) {
      Candidate candidate = {
          index, int32_t(buffer),
          describe(kernel.program, buffer, prefix + name.full)};
      others.push_back(candidate.description);
      if (name.isCalled(dump.buffer))
        found.push_back(std::move(candidate));
    }
  }
  if (found.size() > 1)
    preferTiles(found, kernels);
  if (found.size() == 1)
    return complete(entry, dump, kernels[found.front().kernel], found.front());
  InFlightDiagnostic diagnostic = entry.emitError()
                                  << "dump '" << dump.text << "': ";
  if (others.empty())
    return diagnostic << "there is no kernel @" << dump.kernel << "; there are "
                      << llvm::join(names, ", ");
  if (found.empty())
    return diagnostic << "there is no buffer '" << dump.buffer
                      << "'; there are " << llvm::join(others, ", ");
  return diagnostic << "'" << dump.buffer << "' may be any of "
                    << llvm::join(
                           llvm::map_range(found,
                                           [](auto &candidate) {
                                             return candidate.description;
                                           }),
                           ", ");
}

/// The rows and columns of a buffer. Beyond the partitions, rows lie in tiles
/// beside each other: [partitions, tiles, columns].
static SmallVector<int64_t> unfold(ArrayRef<int64_t> shape, Space space,
                                   std::vector<float> &values) {
  if (space == Space::Hbm || shape.size() != 3)
    return SmallVector<int64_t>(shape);
  int64_t partitions = shape[0], tiles = shape[1], columns = shape[2];
  std::vector<float> rows;
  rows.reserve(values.size());
  for (int64_t tile = 0; tile < tiles; ++tile)
    for (int64_t partition = 0; partition < partitions; ++partition) {
      auto row = values.begin() + (partition * tiles + tile) * columns;
      rows.insert(rows.end(), row, row + columns);
    }
  values = std::move(rows);
  return {tiles * partitions, columns};
}

LogicalResult mlir::trn::writeDump(func::FuncOp entry, const Dump &dump,
                                   const KernelSnapshot &kept,
                                   const Executable &executable) {
  const DecodedKernel &kernel = executable.getKernels()[kept.kernel];
  int64_t calls =
      llvm::count_if(executable.getCalls(), [&](const RecordedCall &call) {
        return call.kernel == kept.kernel;
      });
  if (dump.call >= calls)
    return entry.emitError() << "dump '" << dump.text << "': the calls of @"
                             << kernel.program.name
                             << " are numbered from 0, and there are " << calls;
  int32_t index = kept.snapshot.buffer;
  std::vector<float> values = kept.snapshot.values;
  SmallVector<int64_t> shape =
      unfold(getBufferType(kernel, index).getShape(),
             kernel.program.buffers[index].space, values);
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(ElementType::F32, shape);
  if (tensor)
    tensor->storeF32(0, values.size(), values.data());
  if (llvm::Error problem =
          tensor ? writeNPY(dump.path, *tensor) : tensor.takeError())
    return entry.emitError() << "dump '" << dump.text
                             << "': " << llvm::toString(std::move(problem));
  return success();
}
