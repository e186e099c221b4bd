// Softplus as log(1 + exp(x)).
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s --check-prefix=IR
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

// IR: trn.matmul
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.activation softplus(
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.dma_copy

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %one = arith.constant 1.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty_f32 = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %power = math.exp %a : f32
    %more = arith.addf %power, %one : f32
    %r = math.log %more : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
