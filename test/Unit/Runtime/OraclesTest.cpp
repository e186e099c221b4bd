//===- OraclesTest.cpp - Two ways to the same values ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference and the source run on the host share no code. Where both know
// all ops, they agree.
//
//===----------------------------------------------------------------------===//

#include "RunsModules.h"

#include "trn/Runtime/Reference.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

class OraclesTest : public RunsModules {
protected:
  void expectAgreement(StringRef source, double tolerance = 1e-5) {
    messages.clear();
    std::optional<Executable> executable = prepare(source);
    ASSERT_TRUE(executable) << messages;
    EXPECT_TRUE(succeeded(checkReference(entry))) << messages;
    SmallVector<HostTensor> inputs = *bindInputs(entry, {}, "");
    auto references = computeReference(entry, inputs);
    ASSERT_TRUE(succeeded(references)) << messages;
    SmallVector<HostTensor> results = *allocateResults(entry);
    ASSERT_TRUE(succeeded(executable->run(inputs, results))) << messages;
    ASSERT_EQ(references->size(), results.size());
    for (size_t i = 0; i < results.size(); ++i)
      EXPECT_LE(relativeError(results[i], *(*references)[i]), tolerance)
          << "result " << i << " of " << source.str();
  }
};

/// `body` between the usual beginning and end: an 8x8 tensor %x becomes %y.
std::string wrap(StringRef body, StringRef type = "f32") {
  std::string source = ("func.func @main(%x: !t, %w: !t) -> !t {\n"
                        "  %zero = arith.constant 0.0 : TYPE\n"
                        "  %e = tensor.empty() : !t\n"
                        "  %z = linalg.fill ins(%zero : TYPE) outs(%e : !t) -> "
                        "!t\n" +
                        body + "  return %y : !t\n}\n")
                           .str();
  auto replace = [&](StringRef from, StringRef to) {
    for (size_t at; (at = source.find(from.str())) != std::string::npos;)
      source.replace(at, from.size(), to.str());
  };
  replace("!t", "tensor<8x8xTYPE>");
  replace("TYPE", type);
  return source;
}

TEST_F(OraclesTest, AgreeOnProducts) {
  expectAgreement(wrap("  %y = linalg.matmul ins(%x, %w : !t, !t) "
                       "outs(%z : !t) -> !t\n"));
  expectAgreement(wrap("  %y = linalg.matmul ins(%x, %w : !t, !t) "
                       "outs(%w : !t) -> !t\n"));
  expectAgreement(
      wrap("  %y = linalg.matmul indexing_maps = ["
           "affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, "
           "affine_map<(m, n, k) -> (m, n)>] ins(%x, %w : !t, !t) "
           "outs(%z : !t) -> !t\n"));
  expectAgreement(wrap("  %y = linalg.matmul ins(%x, %w : !t, !t) "
                       "outs(%z : !t) -> !t\n",
                       "bf16"),
                  1e-2);
}

TEST_F(OraclesTest, AgreeOnBodiesThatAreNoPlainProduct) {
  for (StringRef op : {"math.exp %a", "arith.negf %a", "math.absf %a",
                       "math.tanh %a", "arith.maximumf %a, %b"})
    expectAgreement(wrap(
        ("  %y = linalg.generic {indexing_maps = ["
         "affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
         "affine_map<(m, n, k) -> (m, n)>], iterator_types = [\"parallel\", "
         "\"parallel\", \"reduction\"]} ins(%x, %w : !t, !t) outs(%z : !t) {\n"
         "  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):\n"
         "    %u = " +
         op +
         " : TYPE\n    %p = arith.mulf %u, %b : TYPE\n"
         "    %s = arith.addf %o, %p : TYPE\n    linalg.yield %s : TYPE\n"
         "  } -> !t\n")
            .str()));
}

// The host runs sums along rows, where there are some in all operands.
TEST_F(OraclesTest, AgreeOnSumsInAnyOrderOfLoops) {
  auto sum = [](StringRef maps, StringRef loops) {
    return wrap(("  %y = linalg.generic {indexing_maps = [" + maps +
                 "], iterator_types = [" + loops +
                 "]} ins(%x, %w : !t, !t) outs(%z : !t) {\n"
                 "  ^bb0(%a: TYPE, %b: TYPE, %o: TYPE):\n"
                 "    %d = arith.subf %a, %b : TYPE\n"
                 "    %s = arith.addf %o, %d : TYPE\n"
                 "    linalg.yield %s : TYPE\n  } -> !t\n")
                    .str());
  };
  expectAgreement(
      sum("affine_map<(k, n, m) -> (m, k)>, affine_map<(k, n, m) -> (k, n)>, "
          "affine_map<(k, n, m) -> (m, n)>",
          "\"reduction\", \"parallel\", \"parallel\""));
  expectAgreement(
      sum("affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
          "affine_map<(m, n, k) -> (m, n)>",
          "\"parallel\", \"parallel\", \"reduction\""));
  expectAgreement(
      sum("affine_map<(m, n, k) -> (m, n)>, affine_map<(m, n, k) -> (k, n)>, "
          "affine_map<(m, n, k) -> (m, n)>",
          "\"parallel\", \"parallel\", \"reduction\""));
}

TEST_F(OraclesTest, AgreeOnElementwiseOps) {
  for (StringRef op : {"exp", "tanh", "negf", "abs", "square", "erf"})
    expectAgreement(wrap(
        ("  %y = linalg." + op + " ins(%x : !t) outs(%e : !t) -> !t\n").str()));
  for (StringRef op : {"add", "sub", "mul", "div", "max", "min"})
    expectAgreement(wrap(
        ("  %y = linalg." + op + " ins(%x, %w : !t, !t) outs(%e : !t) -> !t\n")
            .str()));
}

TEST_F(OraclesTest, AgreeOnRoundings) {
  for (StringRef type : {"bf16", "f16"})
    expectAgreement(
        wrap("  %s = linalg.add ins(%x, %w : !t, !t) outs(%e : !t) -> !t\n"
             "  %p = linalg.mul ins(%s, %x : !t, !t) outs(%e : !t) -> !t\n"
             "  %y = linalg.sub ins(%p, %s : !t, !t) outs(%e : !t) -> !t\n",
             type),
        /*tolerance=*/0);
}

TEST_F(OraclesTest, AgreeOnShapesAndCalls) {
  expectAgreement(wrap("  %y = linalg.transpose ins(%x : !t) outs(%e : !t) "
                       "permutation = [1, 0]\n"));
  expectAgreement(wrap(
      "  %f = tensor.collapse_shape %x [[0, 1]] : !t into tensor<64xTYPE>\n"
      "  %y = tensor.expand_shape %f [[0, 1]] output_shape [8, 8] "
      ": tensor<64xTYPE> into !t\n"));
  expectAgreement(
      wrap("  %s = func.call @twice(%x) : (!t) -> !t\n"
           "  %y = linalg.add ins(%s, %w : !t, !t) outs(%e : !t) -> !t\n") +
      "func.func private @twice(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {\n"
      "  %e = tensor.empty() : tensor<8x8xf32>\n"
      "  %y = linalg.add ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>)"
      " outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>\n"
      "  return %y : tensor<8x8xf32>\n}\n");
}

} // namespace
