//===- BufferContents.h - What the buffers of a kernel hold -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_BUFFERCONTENTS_H
#define TRN_REPORT_BUFFERCONTENTS_H

#include <string>
#include <vector>

namespace mlir::trn {

struct Access;
struct Instruction;
struct Program;

/// By buffer, in a few words: `x` for a copy of it, `x transposed`, `product`,
/// `o` for what is stored there. HBM buffers have the names of `bufferNames`.
std::vector<std::string> describeContents(const Program &program);

/// What a buffer is for: a matrix that comes in, or one that is computed.
struct HeldMatrix {
  std::string name;
  bool isArgument;
};

/// By buffer: the name that the kernel has for its matrix, else its contents in
/// the words above.
std::vector<HeldMatrix> listHeldMatrices(const Program &program);

/// What an instruction is about: what it writes, or, where that goes to HBM,
/// what is stored; null if it writes nothing.
const Access *findSubject(const Instruction &instruction,
                          const Program &program);

/// What an instruction reads and writes, by the names of matrices.
struct Operands {
  std::string reads;
  std::string writes;
};

/// By instruction of `program`.
std::vector<Operands> describeOperands(const Program &program);

} // namespace mlir::trn

#endif // TRN_REPORT_BUFFERCONTENTS_H
