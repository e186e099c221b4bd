// The projection before attention makes heads, einsum bse,ehd->bshd.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<3x8x40xf32>, %w: tensor<40x7x8xf32>) -> tensor<3x8x7x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x8x7x8xf32>
  %o = linalg.generic {
      indexing_maps = [affine_map<(b, s, h, d, e) -> (b, s, e)>, affine_map<(b, s, h, d, e) -> (e, h, d)>, affine_map<(b, s, h, d, e) -> (b, s, h, d)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<3x8x40xf32>, tensor<40x7x8xf32>) outs(%zeros : tensor<3x8x7x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<3x8x7x8xf32>
  return %o : tensor<3x8x7x8xf32>
}
