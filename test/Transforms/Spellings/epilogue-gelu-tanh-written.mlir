// GELU by tanh as x/2 + x/2 * tanh(x * (c + d * x^2)), with constants in bf16.
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
  %linear_bf16 = arith.constant 7.968750e-01 : bf16
  %cubic_bf16 = arith.constant 3.564450e-02 : bf16
  %half_bf16 = arith.constant 0.5 : bf16
  %y = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty_bf16 = tensor.empty() : tensor<24x56xbf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty_bf16 : tensor<24x56xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %linear = arith.extf %linear_bf16 : bf16 to f32
    %cubic = arith.extf %cubic_bf16 : bf16 to f32
    %half = arith.extf %half_bf16 : bf16 to f32
    %square = arith.mulf %a, %a : f32
    %slope = arith.mulf %square, %cubic : f32
    %factor = arith.addf %slope, %linear : f32
    %inner = arith.mulf %factor, %a : f32
    %tanh = math.tanh %inner : f32
    %h = arith.mulf %a, %half : f32
    %bend = arith.mulf %tanh, %h : f32
    %gelu = arith.addf %h, %bend : f32
    %r = arith.truncf %gelu : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<24x56xbf16>
  return %o : tensor<24x56xbf16>
}
