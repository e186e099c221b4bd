// A generic that multiplies the last one of three weights.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<4x6x40xf32>, %w: tensor<3x40x56xf32>) -> tensor<4x6x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x6x56xf32>
  %o = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (2, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x6x40xf32>, tensor<3x40x56xf32>) outs(%zeros : tensor<4x6x56xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6x56xf32>
  return %o : tensor<4x6x56xf32>
}
