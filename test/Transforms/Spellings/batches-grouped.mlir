// Scores of grouped heads, einsum bhgsd,bhtd->bhgst: the heads of a group share a key. The mask
// keeps them from being rows.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<2x3x4x24x16xf32>, %k: tensor<2x3x31x16xf32>, %mask: tensor<24x31xf32>) -> tensor<2x3x4x24x31xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x3x4x24x31xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, h, g, s, t, d) -> (b, h, g, s, d)>, affine_map<(b, h, g, s, t, d) -> (b, h, t, d)>, affine_map<(b, h, g, s, t, d) -> (b, h, g, s, t)>]
      ins(%q, %k : tensor<2x3x4x24x16xf32>, tensor<2x3x31x16xf32>) outs(%zeros : tensor<2x3x4x24x31xf32>) -> tensor<2x3x4x24x31xf32>
  %empty = tensor.empty() : tensor<2x3x4x24x31xf32>
  %masked = linalg.generic {
      indexing_maps = [affine_map<(b, h, g, s, t) -> (b, h, g, s, t)>, affine_map<(b, h, g, s, t) -> (s, t)>, affine_map<(b, h, g, s, t) -> (b, h, g, s, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%o, %mask : tensor<2x3x4x24x31xf32>, tensor<24x31xf32>) outs(%empty : tensor<2x3x4x24x31xf32>) {
  ^bb0(%s: f32, %m: f32, %old: f32):
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x3x4x24x31xf32>
  return %masked : tensor<2x3x4x24x31xf32>
}
