// One token of one sequence has two indices of 0.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 7,680
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#units = affine_map<(d0, d1, d2) -> (0, 0, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @main(%x: tensor<1x1x40xf32>, %up: tensor<1x40x48xf32>, %down: tensor<1x48x40xf32>) -> tensor<1x1x40xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<1x1x48xf32>
  %wide_zeros = linalg.fill ins(%zero : f32) outs(%wide : tensor<1x1x48xf32>) -> tensor<1x1x48xf32>
  %y = linalg.batch_matmul ins(%x, %up : tensor<1x1x40xf32>, tensor<1x40x48xf32>) outs(%wide_zeros : tensor<1x1x48xf32>) -> tensor<1x1x48xf32>
  %h = linalg.generic {indexing_maps = [#units, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<1x1x48xf32>) outs(%wide : tensor<1x1x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %relu = arith.maximumf %a, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<1x1x48xf32>
  %narrow = tensor.empty() : tensor<1x1x40xf32>
  %narrow_zeros = linalg.fill ins(%zero : f32) outs(%narrow : tensor<1x1x40xf32>) -> tensor<1x1x40xf32>
  %z = linalg.batch_matmul ins(%h, %down : tensor<1x1x48xf32>, tensor<1x48x40xf32>) outs(%narrow_zeros : tensor<1x1x40xf32>) -> tensor<1x1x40xf32>
  %o = linalg.generic {indexing_maps = [#units, #units, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%z, %x : tensor<1x1x40xf32>, tensor<1x1x40xf32>) outs(%narrow : tensor<1x1x40xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<1x1x40xf32>
  return %o : tensor<1x1x40xf32>
}
