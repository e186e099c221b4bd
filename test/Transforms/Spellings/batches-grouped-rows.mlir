// Scores of grouped heads, einsum bhgsd,bhtd->bhgst: without a mask a group's heads are rows.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK: m = 96
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<2x3x4x24x16xbf16>, %k: tensor<2x3x31x16xbf16>) -> tensor<2x3x4x24x31xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<2x3x4x24x31xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, h, g, s, t, d) -> (b, h, g, s, d)>, affine_map<(b, h, g, s, t, d) -> (b, h, t, d)>, affine_map<(b, h, g, s, t, d) -> (b, h, g, s, t)>]
      ins(%q, %k : tensor<2x3x4x24x16xbf16>, tensor<2x3x31x16xbf16>) outs(%zeros : tensor<2x3x4x24x31xf32>) -> tensor<2x3x4x24x31xf32>
  %rounded = arith.truncf %o : tensor<2x3x4x24x31xf32> to tensor<2x3x4x24x31xbf16>
  return %rounded : tensor<2x3x4x24x31xbf16>
}
