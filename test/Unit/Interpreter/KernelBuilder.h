//===- KernelBuilder.h - Small kernels to interpret -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_INTERPRETER_KERNELBUILDER_H
#define TRN_TEST_UNIT_INTERPRETER_KERNELBUILDER_H

#include "trn/Interpreter/Interpreter.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Program/ProgramBuilder.h"

#include <random>

namespace mlir::trn {

/// The data of one argument, rounded to its type.
struct Array {
  ElementType type;
  std::vector<char> bytes;

  Array(ElementType type, int64_t count)
      : type(type), bytes(count * byteSize(type)) {}
  static Array random(ElementType type, int64_t count, unsigned seed) {
    Array array(type, count);
    std::mt19937 generator(seed);
    std::vector<float> values(count);
    for (float &value : values)
      value = float(int(generator() % 2001) - 1000) / 1000.0f;
    storeFloats(type, values.data(), array.bytes.data(), count);
    return array;
  }
  std::vector<float> values() const {
    std::vector<float> result(bytes.size() / byteSize(type));
    loadFloats(type, bytes.data(), result.data(), int64_t(result.size()));
    return result;
  }
};

inline float roundTo(ElementType type, float value) {
  char bytes[sizeof(float)];
  storeFloats(type, &value, bytes, 1);
  loadFloats(type, bytes, &value, 1);
  return value;
}

/// A builder with the instructions that tests use most.
class KernelBuilder : public ProgramBuilder {
public:
  KernelBuilder() : ProgramBuilder("kernel") {}

  /// Names the next op, so that tests can tell faults and notes apart.
  KernelBuilder &at(const char *name) {
    op(name);
    return *this;
  }
  void copy(const Access &from, const Access &to) {
    execute(Engine::Load, Semantics::Copy, {from}, to);
  }
  void fill(const Access &to, float value) {
    execute(Engine::Vector, Semantics::Fill, {}, to).parameters = {value};
  }
  Instruction &matmul(const Access &stationary, const Access &moving,
                      const Access &into) {
    return execute(Engine::Tensor, Semantics::Matmul, {stationary, moving},
                   into);
  }
  void accumulateAlways(Instruction &instruction) {
    instruction.accumulate = Condition{Condition::Predicate::Eq, 0};
  }
  std::optional<Fault> run(llvm::MutableArrayRef<Array> arrays,
                           unsigned threads = 1) {
    std::vector<void *> pointers;
    for (Array &array : arrays)
      pointers.push_back(array.bytes.data());
    // test/Interpreter/rules-are-alive.py runs all tests without one rule.
    const char *ignored = std::getenv("TRN_IGNORED_RULE");
    return interpret(program(), defaultMachine(), pointers,
                     {threads, /*written=*/{}, ignored ? ignored : ""});
  }
  std::optional<Fault> run() { return run({}); }
  const std::string &nameOf(int32_t op) const { return program().ops[op].name; }
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_INTERPRETER_KERNELBUILDER_H
