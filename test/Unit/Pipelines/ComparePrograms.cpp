//===- ComparePrograms.cpp - What differs between two programs ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComparePrograms.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

namespace {
class ProgramComparer {
public:
  ProgramComparer(const Program &written, const Program &decoded)
      : written(written), decoded(decoded) {
    for (auto [number, buffer] : llvm::enumerate(decoded.buffers))
      if (buffer.argument >= 0)
        numbers[number] = number; // they come first
  }

  std::string compare() {
    if (written.steps.size() != decoded.steps.size())
      return "another number of steps";
    for (auto [a, b] : llvm::zip_equal(written.steps, decoded.steps))
      if (a.kind != b.kind || !isSame(a, b))
        return "another step " + std::to_string(&a - written.steps.data());
    return "";
  }

private:
  bool isSame(const Step &a, const Step &b) {
    switch (a.kind) {
    case Step::Kind::BeginLoop:
      return a.index == b.index && written.loops[a.index].tripCount ==
                                       decoded.loops[b.index].tripCount;
    case Step::Kind::EndLoop:
      return a.index == b.index;
    case Step::Kind::Alloc:
      numbers[b.index] = a.index;
      return isSame(written.buffers[a.index], decoded.buffers[b.index]);
    case Step::Kind::Dealloc:
      return numbers.lookup(b.index) == a.index;
    case Step::Kind::Execute:
      return isSame(written.instructions[a.index],
                    decoded.instructions[b.index]);
    }
    return false;
  }
  static bool isSame(const Buffer &a, const Buffer &b) {
    auto key = [](const Buffer &buffer) {
      return std::tuple(buffer.space, buffer.type, buffer.bytes,
                        buffer.partitions, buffer.bytesPerPartition,
                        buffer.offset, buffer.bank, buffer.slots,
                        buffer.argument);
    };
    return key(a) == key(b);
  }
  bool isSame(const Instruction &a, const Instruction &b) const {
    auto same = [&](const Access &one, const Access &other) {
      return isSame(one, other);
    };
    auto key = [](const Work &work) {
      return std::tuple(work.cycles, work.flops, work.transposeFlops,
                        work.bytes, work.descriptors);
    };
    bool accumulates = a.accumulate.has_value();
    return a.engine == b.engine && a.semantics == b.semantics &&
           llvm::equal(a.reads, b.reads, same) &&
           llvm::equal(a.writes, b.writes, same) &&
           key(a.work) == key(b.work) &&
           accumulates == b.accumulate.has_value() &&
           (!accumulates ||
            (a.accumulate->predicate == b.accumulate->predicate &&
             a.accumulate->expr == b.accumulate->expr));
  }
  bool isSame(const Access &a, const Access &b) const {
    auto same = [](const Access::Dim &one, const Access::Dim &other) {
      return one.size == other.size &&
             (one.stride == other.stride || one.size == 1);
    };
    return a.buffer == numbers.lookup(b.buffer) && a.type == b.type &&
           a.partition == b.partition && a.offset == b.offset &&
           llvm::equal(a.dims, b.dims, same);
  }

  const Program &written, &decoded;
  llvm::DenseMap<int32_t, int32_t> numbers; // of decoded buffers
};
} // namespace

std::string mlir::trn::comparePrograms(const Program &written,
                                       const Program &decoded) {
  return ProgramComparer(written, decoded).compare();
}
