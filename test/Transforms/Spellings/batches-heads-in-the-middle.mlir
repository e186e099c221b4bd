// Attention's scores of heads as the projection leaves them: einsum bshd,bthd->bhst.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<2x24x3x16xf32>, %k: tensor<2x31x3x16xf32>) -> tensor<2x3x24x31xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x3x24x31xf32>
  %o = linalg.generic {
      indexing_maps = [affine_map<(b, h, s, t, d) -> (b, s, h, d)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<2x24x3x16xf32>, tensor<2x31x3x16xf32>) outs(%zeros : tensor<2x3x24x31xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x3x24x31xf32>
  return %o : tensor<2x3x24x31xf32>
}
