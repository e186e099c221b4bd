//===- BufferContents.cpp - What the buffers of a kernel hold -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/BufferContents.h"

#include "trn/Program/Program.h"
#include "trn/Report/Attribution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir::trn;

namespace {
/// Follows values from where they come from.
class Contents {
public:
  explicit Contents(const Program &program)
      : program(program), texts(bufferNames(program)) {
    nameStored();
    // What is computed from itself is told by its other sources, so a transpose
    // waits until all are known.
    nameComputed(/*unknownTransposed=*/"");
    nameComputed(/*unknownTransposed=*/"transpose");
  }

  std::vector<std::string> take() { return std::move(texts); }

private:
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

  /// Goes on until nothing new is found: loops write what stands before them.
  void nameComputed(llvm::StringRef unknownTransposed) {
    for (bool isNew = true; std::exchange(isNew, false);)
      for (const Instruction &instruction : program.instructions)
        for (const Access &write : instruction.writes)
          if (std::string &text = texts[write.buffer]; text.empty()) {
            text = written(instruction, unknownTransposed);
            isNew |= !text.empty();
          }
  }

  std::string written(const Instruction &instruction,
                      llvm::StringRef unknownTransposed) const {
    if (instruction.semantics == Semantics::Matmul)
      return "product";
    if (instruction.reads.empty())
      return "";
    const std::string &source = texts[instruction.reads.front().buffer];
    if (instruction.semantics != Semantics::Transpose)
      return source;
    return source.empty() ? unknownTransposed.str() : source + " transposed";
  }

  const Program &program;
  std::vector<std::string> texts;
};
} // namespace

std::vector<std::string> mlir::trn::describeContents(const Program &program) {
  std::vector<std::string> contents = Contents(program).take();
  for (std::string &text : contents)
    if (text.empty())
      text = "intermediate";
  return contents;
}

/// Whether `contents` are those of an argument, or its transpose.
static bool isOfArgument(llvm::StringRef contents, const Program &program,
                         llvm::ArrayRef<std::string> names) {
  return llvm::any_of(llvm::zip(program.buffers, names),
                      [&](const auto &named) {
                        const auto &[buffer, name] = named;
                        llvm::StringRef rest = contents;
                        return buffer.argument >= 0 && !buffer.result &&
                               rest.consume_front(name) &&
                               (rest.empty() || rest.front() == ' ');
                      });
}

std::vector<HeldMatrix> mlir::trn::listHeldMatrices(const Program &program) {
  std::vector<std::string> names = bufferNames(program);
  std::vector<HeldMatrix> held;
  for (auto [buffer, contents] :
       llvm::zip(program.buffers, describeContents(program)))
    held.push_back({buffer.matrix.empty() ? contents : buffer.matrix,
                    isOfArgument(contents, program, names)});
  return held;
}

const Access *mlir::trn::findSubject(const Instruction &instruction,
                                     const Program &program) {
  if (instruction.writes.empty())
    return nullptr;
  const Access &written = instruction.writes.front();
  bool isStore = program.buffers[written.buffer].space == Space::Hbm;
  return isStore && !instruction.reads.empty() ? &instruction.reads.front()
                                               : &written;
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
  std::vector<std::string> contents;
  for (HeldMatrix &held : listHeldMatrices(program))
    contents.push_back(std::move(held.name));
  std::vector<Operands> all;
  for (const Instruction &instruction : program.instructions)
    all.push_back({join(instruction.reads, contents),
                   join(instruction.writes, contents)});
  return all;
}
