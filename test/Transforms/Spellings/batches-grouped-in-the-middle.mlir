// Scores of grouped heads as the projection leaves them, einsum bshgd,bthd->bhgst.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<2x24x3x4x16xf32>, %k: tensor<2x31x3x16xf32>) -> tensor<2x3x4x24x31xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x3x4x24x31xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, h, g, s, t, d) -> (b, s, h, g, d)>, affine_map<(b, h, g, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, g, s, t, d) -> (b, h, g, s, t)>]
      ins(%q, %k : tensor<2x24x3x4x16xf32>, tensor<2x31x3x16xf32>) outs(%zeros : tensor<2x3x4x24x31xf32>) -> tensor<2x3x4x24x31xf32>
  return %o : tensor<2x3x4x24x31xf32>
}
