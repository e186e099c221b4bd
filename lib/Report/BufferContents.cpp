//===- BufferContents.cpp - What the buffers of a kernel hold -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferContents.h"

#include "trn/Program/Program.h"
#include "trn/Report/Attribution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::trn;

namespace {
/// Follows values back to where they come from.
class Contents {
public:
  explicit Contents(const Program &program)
      : program(program), texts(bufferNames(program)),
        isEntered(program.buffers.size(), false) {
    nameStored();
  }

  std::string of(int32_t buffer) {
    // A buffer that is computed from itself is told by its other sources.
    if (!texts[buffer].empty() || isEntered[buffer])
      return texts[buffer];
    isEntered[buffer] = true;
    for (const Instruction &instruction : program.instructions)
      if (texts[buffer].empty() && writes(instruction, buffer))
        texts[buffer] = written(instruction);
    return texts[buffer];
  }

private:
  static bool writes(const Instruction &instruction, int32_t buffer) {
    return llvm::any_of(instruction.writes, [&](const Access &access) {
      return access.buffer == buffer;
    });
  }

  /// What goes to HBM has the name of where it goes, unless it came from there.
  void nameStored() {
    for (const Instruction &instruction : program.instructions)
      for (const Access &write : instruction.writes)
        for (const Access &read : instruction.reads) {
          bool isStore = program.buffers[write.buffer].space == Space::Hbm &&
                         program.buffers[read.buffer].space != Space::Hbm;
          if (isStore && program.buffers[write.buffer].argument >= 0)
            texts[read.buffer] = texts[write.buffer];
        }
  }

  std::string written(const Instruction &instruction) {
    if (instruction.semantics == Semantics::Matmul)
      return "product";
    if (instruction.reads.empty())
      return "";
    std::string source = of(instruction.reads.front().buffer);
    if (instruction.semantics != Semantics::Transpose)
      return source;
    return source.empty() ? "transpose" : source + " transposed";
  }

  const Program &program;
  std::vector<std::string> texts;
  std::vector<bool> isEntered;
};
} // namespace

std::vector<std::string> mlir::trn::describeContents(const Program &program) {
  Contents contents(program);
  std::vector<std::string> all;
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    all.push_back(contents.of(i));
    if (all.back().empty())
      all.back() = "intermediate";
  }
  return all;
}

static std::string join(llvm::ArrayRef<Access> accesses,
                        llvm::ArrayRef<std::string> contents) {
  return llvm::join(llvm::map_range(accesses,
                                    [&](const Access &access) -> std::string {
                                      return contents[access.buffer];
                                    }),
                    ", ");
}

std::vector<Operands> mlir::trn::describeOperands(const Program &program) {
  std::vector<std::string> contents = describeContents(program);
  std::vector<Operands> all;
  for (const Instruction &instruction : program.instructions)
    all.push_back({join(instruction.reads, contents),
                   join(instruction.writes, contents)});
  return all;
}
