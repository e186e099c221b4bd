// Scores and values of one token, as a step of decoding has them, with a factor of each head.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<1x1x3x16xf32>, %k: tensor<1x31x3x16xf32>, %v: tensor<1x31x3x16xf32>, %slope: tensor<3xf32>) -> tensor<1x1x3x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x3x1x31xf32>
  %s = linalg.contract
      indexing_maps = [affine_map<(b, h, s, t, d) -> (b, s, h, d)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>]
      ins(%q, %k : tensor<1x1x3x16xf32>, tensor<1x31x3x16xf32>) outs(%zeros : tensor<1x3x1x31xf32>) -> tensor<1x3x1x31xf32>
  %empty = tensor.empty() : tensor<1x3x1x31xf32>
  %scaled = linalg.generic {
      indexing_maps = [affine_map<(b, h, s, t) -> (b, h, s, t)>, affine_map<(b, h, s, t) -> (h)>, affine_map<(b, h, s, t) -> (b, h, s, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %slope : tensor<1x3x1x31xf32>, tensor<3xf32>) outs(%empty : tensor<1x3x1x31xf32>) {
  ^bb0(%a: f32, %m: f32, %old: f32):
    %r = arith.mulf %a, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x3x1x31xf32>
  %o_zeros = arith.constant dense<0.0> : tensor<1x1x3x16xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, h, s, t, d) -> (b, h, s, t)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, s, h, d)>]
      ins(%scaled, %v : tensor<1x3x1x31xf32>, tensor<1x31x3x16xf32>) outs(%o_zeros : tensor<1x1x3x16xf32>) -> tensor<1x1x3x16xf32>
  return %o : tensor<1x1x3x16xf32>
}
