// GELU by tanh as torch-mlir writes it: x^3 as a power, and sqrt(2 / pi) with an error in its fourth
// digit, which is less than a rounding to bf16.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s --check-prefix=IR
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

// IR: trn.matmul
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.activation gelu_apprx_tanh(
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.dma_copy

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>) -> tensor<24x56xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %three = arith.constant 3 : i64
  %alpha = arith.constant 4.471500e-02 : f32
  %beta = arith.constant 0.797724068 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty_f32 = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %cube = math.fpowi %a, %three : f32, i64
    %scaled = arith.mulf %cube, %alpha : f32
    %sum = arith.addf %a, %scaled : f32
    %inner = arith.mulf %beta, %sum : f32
    %tanh = math.tanh %inner : f32
    %outer = arith.addf %one, %tanh : f32
    %half_outer = arith.mulf %half, %outer : f32
    %gelu = arith.mulf %a, %half_outer : f32
    linalg.yield %gelu : f32
  } -> tensor<24x56xf32>
  %empty_bf16 = tensor.empty() : tensor<24x56xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%o : tensor<24x56xf32>) outs(%empty_bf16 : tensor<24x56xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<24x56xbf16>
  return %r : tensor<24x56xbf16>
}
