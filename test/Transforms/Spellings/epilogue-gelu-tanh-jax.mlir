// GELU by tanh as StableHLO from JAX lowers it: an op on tensors for each step, x^3 as a product.
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
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %alpha = arith.constant 0.0447149985 : f32
  %beta = arith.constant 0.797884583 : f32
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty_f32 = tensor.empty() : tensor<24x56xf32>
  %square = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %y : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %cube = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%square, %y : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%cube : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.mulf %alpha, %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %scaled : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %inner = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.mulf %beta, %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%inner : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %outer = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%tanh : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.addf %one, %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %cdf = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%outer : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.mulf %half, %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %cdf : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
