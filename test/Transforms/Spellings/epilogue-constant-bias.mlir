// A bias that is a constant, and one that is a row, read at index 0 of its first dimension.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x4xf32>, %row: tensor<1x4xf32>) -> tensor<24x4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x4xf32>
  %bias = arith.constant dense<[1.0, -2.0, 0.5, 3.0]> : tensor<4xf32>
  %empty = tensor.empty() : tensor<24x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x4xf32>) outs(%zeros : tensor<24x4xf32>) -> tensor<24x4xf32>
  %o = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (0, j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %bias, %row : tensor<24x4xf32>, tensor<4xf32>, tensor<1x4xf32>) outs(%empty : tensor<24x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<24x4xf32>
  return %o : tensor<24x4xf32>
}
