//===- BufferContents.h - Contents of a kernel's buffers --------*- C++ -*-===//
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
/// or `o` if it is stored there. HBM buffers have the names of `bufferNames`.
std::vector<std::string> describeContents(const Program &program);

/// The matrix in a buffer: an argument, or a computed one.
struct HeldMatrix {
  std::string name;
  bool isArgument;
};

/// By buffer: the kernel's name of its matrix, else its contents in words.
std::vector<HeldMatrix> listHeldMatrices(const Program &program);

/// The main operand of an instruction: its destination or, if that is in HBM,
/// the stored source. Null if it writes nothing.
const Access *findSubject(const Instruction &instruction,
                          const Program &program);

/// Names of the matrices that an instruction reads and writes.
struct Operands {
  std::string reads;
  std::string writes;
};

/// By instruction of `program`.
std::vector<Operands> describeOperands(const Program &program);

} // namespace mlir::trn

#endif // TRN_REPORT_BUFFERCONTENTS_H
