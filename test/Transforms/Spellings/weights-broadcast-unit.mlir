// A broadcast that states the unit dimension as a constant index.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<4x6x40xf32>, %w: tensor<1x40x56xf32>) -> tensor<4x6x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x6x56xf32>
  %batch_empty = tensor.empty() : tensor<4x40x56xf32>
  %batch = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (0, k, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%w : tensor<1x40x56xf32>) outs(%batch_empty : tensor<4x40x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x40x56xf32>
  %o = linalg.batch_matmul ins(%x, %batch : tensor<4x6x40xf32>, tensor<4x40x56xf32>) outs(%zeros : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  return %o : tensor<4x6x56xf32>
}
