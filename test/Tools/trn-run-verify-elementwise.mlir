// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s

// Elementwise arithmetic on tensors has reference values as linalg has, which are rounded where
// the source rounds.
// CHECK: verify: result 0: relative error {{.*(e-0[6-9]|0e\+00)}}, at most 1.00e-02 is allowed
func.func @main(%x: tensor<40x30xbf16>, %w: tensor<30x20xbf16>) -> tensor<40x20xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x20xf32>) -> tensor<40x20xf32>
  %sum = linalg.matmul ins(%x, %w : tensor<40x30xbf16>, tensor<30x20xbf16>)
      outs(%init : tensor<40x20xf32>) -> tensor<40x20xf32>
  %o = arith.truncf %sum : tensor<40x20xf32> to tensor<40x20xbf16>
  return %o : tensor<40x20xbf16>
}
