//===- BufferNames.cpp - What users call the buffers of a kernel ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BufferNames.h"

#include "mlir/IR/AsmState.h"
#include "trn/Program/PrintProgram.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::trn;

bool BufferName::isCalled(StringRef name) const {
  StringRef rest = full;
  return !name.empty() && rest.consume_front(name) &&
         (rest.empty() || rest.starts_with("."));
}

static func::FuncOp getFunction(const DecodedKernel &kernel) {
  return cast<func::FuncOp>(kernel.ops.front());
}

static Value getValue(const DecodedKernel &kernel, int32_t index) {
  const Buffer &buffer = kernel.program.buffers[index];
  if (buffer.argument >= 0)
    return getFunction(kernel).getArgument(buffer.argument);
  return kernel.ops[buffer.op]->getResult(0);
}

MemRefType mlir::trn::getBufferType(const DecodedKernel &kernel,
                                    int32_t buffer) {
  return cast<MemRefType>(getValue(kernel, buffer).getType());
}

SmallVector<BufferName> mlir::trn::nameBuffers(const DecodedKernel &kernel) {
  func::FuncOp function = getFunction(kernel);
  AsmState state(function);
  SmallVector<BufferName> names;
  llvm::StringMap<int> count, next;
  for (auto [index, buffer] : llvm::enumerate(kernel.program.buffers)) {
    std::string name = buffer.matrix;
    if (auto named = dyn_cast<NameLoc>(getValue(kernel, index).getLoc());
        named && name.empty())
      name = named.getName().str();
    if (name.empty()) {
      llvm::raw_string_ostream os(name);
      getValue(kernel, index).printAsOperand(os, state);
      name.erase(0, 1);
    }
    names.push_back({name, (name + "." + stringify(buffer.space)).str()});
    ++count[names.back().full];
  }
  for (BufferName &name : names)
    if (count[name.full] > 1)
      name.full += "." + std::to_string(next[name.full]++);
  return names;
}
