//===- RunsModules.h - Tests that run modules -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_RUNTIME_RUNSMODULES_H
#define TRN_TEST_UNIT_RUNTIME_RUNSMODULES_H

#include "trn/Runtime/Runtime.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Runtime/Arguments.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace mlir::trn {

/// @copy writes 4x8 values through SBUF.
inline constexpr llvm::StringLiteral copyKernel = R"mlir(
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<4x8xf32, #trn.mem<sbuf>> to memref<4x8xf32>
  return
})mlir";

class RunsModules : public ::testing::Test {
protected:
  RunsModules() {
    DialectRegistry registry;
    registry
        .insert<TrnDialect, affine::AffineDialect, arith::ArithDialect,
                bufferization::BufferizationDialect, func::FuncDialect,
                linalg::LinalgDialect, math::MathDialect, memref::MemRefDialect,
                scf::SCFDialect, tensor::TensorDialect, ub::UBDialect,
                vector::VectorDialect>();
    registerHostCompilation(registry);
    context.appendDialectRegistry(registry);
    context.printOpOnDiagnostic(false);
    context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
      messages += diagnostic.str() + "\n";
      for (Diagnostic &note : diagnostic.getNotes())
        messages += "note: " + note.str() + "\n";
    });
  }

  std::optional<Executable> prepare(llvm::StringRef source,
                                    ExecutableOptions options = {}) {
    module = parseSourceString<ModuleOp>(source, &context);
    if (!module)
      return std::nullopt;
    FailureOr<func::FuncOp> found = findEntry(*module, "");
    if (failed(found))
      return std::nullopt;
    entry = *found;
    auto executable = Executable::create(entry, defaultMachine(), options);
    if (failed(executable))
      return std::nullopt;
    return std::move(*executable);
  }

  /// Runs the only public function on 0, 1, 2, ... and returns its first
  /// result; nothing if there was an error.
  std::vector<float> run(llvm::StringRef source) {
    std::optional<Executable> executable = prepare(source);
    if (!executable)
      return {};
    SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
    for (HostTensor &input : inputs)
      for (int64_t i = 0; i < input.numElements(); ++i) {
        float value = i;
        input.storeF32(i, 1, &value);
      }
    SmallVector<HostTensor> results = *allocateResults(entry);
    if (failed(executable->run(inputs, results)))
      return {};
    calls.assign(executable->getCalls().begin(), executable->getCalls().end());
    std::vector<float> values(results[0].numElements());
    results[0].loadF32(0, values.size(), values.data());
    return values;
  }

  static std::vector<float> iota(size_t count, float scale = 1) {
    std::vector<float> values;
    for (size_t i = 0; i < count; ++i)
      values.push_back(scale * i);
    return values;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  func::FuncOp entry;
  std::vector<RecordedCall> calls;
  std::string messages;
};

/// Hides from static checks where %m comes from.
inline constexpr llvm::StringLiteral passBuffer =
    "func.func private @pass(%m: memref<4x8xf32>) -> memref<4x8xf32> {\n"
    "  return %m : memref<4x8xf32>\n"
    "}\n";

/// Each body runs between these, with what only the run knows: %zero, %one and
/// %minus are 0, 1 and -1.
class RunsBodies : public RunsModules {
protected:
  /// The first error of running `body`.
  std::string fail(StringRef body, StringRef others = "") {
    messages.clear();
    std::vector<float> values = run((others + copyKernel + R"mlir(
    func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %f0 = arith.constant 0.0 : f32
      %first = tensor.extract %x[%c0, %c0] : tensor<4x8xf32>
      %isNotZero = arith.cmpf une, %first, %f0 : f32
      %bit = arith.extui %isNotZero : i1 to i64
      %zero = arith.index_cast %bit : i64 to index
      %one = arith.addi %zero, %c1 : index
      %minus = arith.subi %zero, %c1 : index
)mlir" + body + R"mlir(
      return %x : tensor<4x8xf32>
    })mlir")
                                        .str());
    if (!values.empty())
      return "no error";
    return StringRef(messages).split('\n').first.str();
  }
  bool hasNote(StringRef text) {
    return StringRef(messages).contains("note: " + text.str() + "\n");
  }
};

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_RUNTIME_RUNSMODULES_H
