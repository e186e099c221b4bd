// Attention's scores of heads that lie in front: einsum bhsd,bhtd->bhst, with a batch of one.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<1x3x24x16xf32>, %k: tensor<1x3x31x16xf32>) -> tensor<1x3x24x31xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x3x24x31xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, h, s, t, d) -> (b, h, s, d)>, affine_map<(b, h, s, t, d) -> (b, h, t, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>]
      ins(%q, %k : tensor<1x3x24x16xf32>, tensor<1x3x31x16xf32>) outs(%zeros : tensor<1x3x24x31xf32>) -> tensor<1x3x24x31xf32>
  return %o : tensor<1x3x24x31xf32>
}
