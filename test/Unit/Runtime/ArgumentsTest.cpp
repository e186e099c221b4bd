//===- ArgumentsTest.cpp - Tests of argument binding ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Arguments.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

class Arguments : public testing::Test {
protected:
  Arguments()
      : handler(&context, [&](Diagnostic &diagnostic) {
          message = diagnostic.str();
          return success();
        }) {
    context.loadDialect<func::FuncDialect>();
  }

  ModuleOp parse(StringRef source) {
    module = parseSourceString<ModuleOp>(source, &context);
    EXPECT_TRUE(module) << message;
    return *module;
  }
  func::FuncOp parseFunction(StringRef source) {
    return *parse(source).getOps<func::FuncOp>().begin();
  }

  MLIRContext context;
  std::string message;
  ScopedDiagnosticHandler handler;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(Arguments, EntryIsTheOnlyPublicFunction) {
  ModuleOp module = parse(R"(
    func.func private @helper() { return }
    func.func @model() { return }
    func.func private @external())");
  EXPECT_EQ(findEntry(module, "")->getSymName(), "model");
  EXPECT_EQ(findEntry(module, "@helper")->getSymName(), "helper");
  EXPECT_TRUE(failed(findEntry(module, "external")));
  EXPECT_EQ(message, "no function @external to run; functions: @helper, "
                     "@model");
}

TEST_F(Arguments, EntryMustBeClear) {
  EXPECT_TRUE(failed(findEntry(parse("func.func @a() { return } "
                                     "func.func @b() { return }"),
                               "")));
  EXPECT_EQ(message, "entry is not clear: the module has 2 public functions "
                     "with a body; choose one by --entry: @a, @b");
  // Helpers are no choice, unless there is nothing else.
  EXPECT_TRUE(failed(findEntry(parse("func.func @a() { return } "
                                     "func.func private @c() { return } "
                                     "func.func @b() { return }"),
                               "")));
  EXPECT_TRUE(StringRef(message).ends_with("--entry: @a, @b")) << message;
  EXPECT_TRUE(failed(findEntry(parse("func.func private @c() { return } "
                                     "func.func private @d() { return }"),
                               "")));
  EXPECT_TRUE(StringRef(message).ends_with("--entry: @c, @d")) << message;
  EXPECT_TRUE(failed(findEntry(parse(""), "")));
  EXPECT_EQ(message, "there is nothing to run: the module has no function with "
                     "a body");
}

TEST_F(Arguments, SignatureRefusesWhatCannotBeBound) {
  EXPECT_TRUE(failed(getSignature(
      parseFunction("func.func @f(%x: tensor<?x4xf32>) { return }"))));
  EXPECT_EQ(message, "argument 0 of @f has type 'tensor<?x4xf32>', but only "
                     "static shapes are run; --compile=specialize=SIZES gives "
                     "it one");
  EXPECT_TRUE(
      failed(getSignature(parseFunction("func.func @f(%x: f64) { return }"))));
  EXPECT_EQ(message, "argument 0 of @f has type 'f64', but only tensors, "
                     "memrefs and scalars of bf16, f16, f32, index and "
                     "signless integers of 1, 8, 16, 32 and 64 bits are bound");
  EXPECT_TRUE(failed(getSignature(
      parseFunction("func.func @f(%x: memref<*xf32>) { return }"))));
  EXPECT_EQ(message, "argument 0 of @f has type 'memref<*xf32>', but only "
                     "ranked tensors and memrefs are bound");
  EXPECT_TRUE(failed(getSignature(
      parseFunction("func.func @f(%x: f32) -> f32 { return %x : f32 }"))));
  EXPECT_EQ(message, "result 0 of @f has type 'f32', but only ranked tensors "
                     "and memrefs are returned");
  EXPECT_TRUE(failed(getSignature(
      parseFunction("func.func @f(%x: tensor<4xui8>) { return }"))));
  EXPECT_EQ(message, "argument 0 of @f has element type 'ui8', but only bf16, "
                     "f16, f32, index and signless integers of 1, 8, 16, 32 "
                     "and 64 bits are bound");
  EXPECT_TRUE(failed(getSignature(parseFunction(
      "func.func @f(%x: memref<4x4xf32, strided<[8, 1]>>) { return }"))));
}

TEST_F(Arguments, SourcesAreReadFromText) {
  EXPECT_EQ(llvm::cantFail(parseArgumentSource("@a b.npy")).path, "a b.npy");
  EXPECT_EQ(llvm::cantFail(parseArgumentSource("random:42")).seed, 42u);
  EXPECT_EQ(llvm::cantFail(parseArgumentSource("zeros")).kind,
            ArgumentSource::Kind::Zeros);
  EXPECT_EQ(llvm::cantFail(parseResultTarget("@y.npy")), "y.npy");
  for (StringRef text : {"", "@", "x.npy", "random:", "random:x", "random:-1",
                         "randomly", "zeros:1"}) {
    auto source = parseArgumentSource(text);
    ASSERT_FALSE(bool(source)) << text.str();
    EXPECT_EQ(llvm::toString(source.takeError()),
              ("argument '" + text +
               "' is not understood: use @FILE.npy, "
               "random:SEED or zeros")
                  .str());
  }
}

TEST_F(Arguments, RandomInputsKeepTheScaleOfAChain) {
  auto function = parseFunction("func.func @f(%x: tensor<64x256xf32>, %u: "
                                "tensor<256x64xf32>) { return }");
  auto inputs = bindInputs(function, {}, "");
  ASSERT_TRUE(succeeded(inputs));
  auto variance = [](const HostTensor &tensor) {
    std::vector<float> values(tensor.numElements());
    tensor.loadF32(0, values.size(), values.data());
    double sum = 0;
    for (float value : values)
      sum += double(value) * value;
    return sum / values.size();
  };
  // Standard error of 16384 uniform squares: 0.7 %.
  EXPECT_NEAR(variance((*inputs)[0]), 1, 0.035);
  EXPECT_NEAR(variance((*inputs)[1]), 1.0 / 256, 0.035 / 256);
}

TEST_F(Arguments, CountsMustMatch) {
  auto function =
      parseFunction("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> { return "
                    "%x : tensor<2xf32> }");
  ArgumentSource zeros;
  EXPECT_TRUE(failed(bindInputs(function, {zeros, zeros}, "")));
  EXPECT_EQ(message, "@f has 1 inputs to bind, but 2 are given");
  EXPECT_TRUE(succeeded(checkTargets(function, {})));
  EXPECT_TRUE(failed(checkTargets(function, {"a", "b"})));
  EXPECT_EQ(message, "@f has 1 results to write, but 2 files are given");
}
