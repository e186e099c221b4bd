// Scalars in all shapes: of rank 0, of one dimension, of two.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>, %scale: tensor<f32>, %bias: tensor<1xf32>, %shift: tensor<1x1xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %scaled = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %scale, %bias : tensor<24x56xf32>, tensor<f32>, tensor<1xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %s : f32
    %r = arith.addf %p, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (0, 0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %shift : tensor<24x56xf32>, tensor<1x1xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.subf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
