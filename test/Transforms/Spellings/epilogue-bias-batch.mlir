// A bias of the columns, added on a batch.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#x = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (k, n)>
#o = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @main(%x: tensor<4x6x40xf32>, %w: tensor<40x56xf32>, %b: tensor<56xf32>) -> tensor<4x6x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<4x6x56xf32>
  %y = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %w : tensor<4x6x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  %empty = tensor.empty() : tensor<4x6x56xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %b : tensor<4x6x56xf32>, tensor<56xf32>) outs(%empty : tensor<4x6x56xf32>) {
  ^bb0(%sum: f32, %bias: f32, %out: f32):
    %s = arith.addf %sum, %bias : f32
    linalg.yield %s : f32
  } -> tensor<4x6x56xf32>
  return %o : tensor<4x6x56xf32>
}
