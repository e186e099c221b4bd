// Experts: up and gate of tokens that all of them see, with a bias of each expert.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#x = affine_map<(e, m, n, k) -> (m, k)>
#w = affine_map<(e, m, n, k) -> (e, n, k)>
#o = affine_map<(e, m, n, k) -> (e, m, n)>
#id = affine_map<(e, m, n) -> (e, m, n)>
#bias = affine_map<(e, m, n) -> (e, n)>

func.func @main(%x: tensor<24x40xf32>, %up: tensor<3x56x40xf32>, %gate: tensor<3x56x40xf32>, %bias: tensor<3x56xf32>) -> tensor<3x24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x24x56xf32>
  %u = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %up : tensor<24x40xf32>, tensor<3x56x40xf32>) outs(%zeros : tensor<3x24x56xf32>) -> tensor<3x24x56xf32>
  %g = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %gate : tensor<24x40xf32>, tensor<3x56x40xf32>) outs(%zeros : tensor<3x24x56xf32>) -> tensor<3x24x56xf32>
  %empty = tensor.empty() : tensor<3x24x56xf32>
  %h = linalg.generic {indexing_maps = [#id, #id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%u, %g, %bias : tensor<3x24x56xf32>, tensor<3x24x56xf32>, tensor<3x56xf32>) outs(%empty : tensor<3x24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %old: f32):
    %sum = arith.addf %b, %c : f32
    %r = arith.mulf %a, %sum : f32
    linalg.yield %r : f32
  } -> tensor<3x24x56xf32>
  return %h : tensor<3x24x56xf32>
}
