//===- ByteModel.h - A slow and simple interpreter --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_INTERPRETER_BYTEMODEL_H
#define TRN_TEST_UNIT_INTERPRETER_BYTEMODEL_H

#include "trn/Machine/Machine.h"
#include "trn/Program/Walker.h"

#include <map>
#include <set>

namespace mlir::trn {

/// Every element by its address, one element at a time: what the interpreter
/// must agree with, written as plainly as possible.
class ByteModel {
public:
  ByteModel(const Program &program, const Machine &machine)
      : program(program), machine(machine), walker(program) {}

  void setArgument(int32_t argument, llvm::ArrayRef<float> values);
  /// The op of the first fault.
  std::optional<int32_t> run();
  /// Of a result; absent where it was never written.
  std::optional<float> result(int32_t argument, int64_t element) const;
  /// Whether sums stayed so small that their order does not matter.
  bool isExact() const { return largest < 0x1p20f; }

private:
  /// Memory (a space, or a buffer in HBM), partition, byte.
  using Address = std::tuple<int32_t, int64_t, int64_t>;

  bool step(const Step &step);
  bool alloc(int32_t buffer);
  bool execute(const Instruction &instruction);
  /// The addresses of an access in order of elements; false if it faults.
  bool locate(const Access &access, std::vector<Address> &elements) const;
  bool read(const Access &access, std::vector<float> &values) const;
  bool compute(const Instruction &instruction, bool accumulate,
               const std::vector<Address> &written,
               const std::vector<std::vector<float>> &inputs,
               std::vector<float> &output);
  bool claim(const Instruction &instruction, const Access &write,
             bool accumulate, std::vector<std::vector<Address>> &written);
  bool moveRows(const Instruction &instruction);
  void store(const Access &write, const std::vector<Address> &written,
             const std::vector<float> &output);
  static std::vector<float> fold(const Instruction &instruction,
                                 const std::vector<float> &before,
                                 const std::vector<float> &output);
  bool updateGroups(const Instruction &instruction, bool accumulate,
                    const std::vector<Address> &written);
  int32_t memoryOf(int32_t buffer) const;

  const Program &program;
  const Machine &machine;
  Walker walker;
  std::map<Address, float> values;
  std::set<std::pair<int32_t, int64_t>> live;
  /// By bank.
  std::map<int64_t, std::set<Address>> groups;
  float largest = 0;
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_INTERPRETER_BYTEMODEL_H
