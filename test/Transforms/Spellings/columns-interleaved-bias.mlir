// Gate and up column by column, with a bias that is an argument of every run: the host takes that apart before the kernel.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1
// CHECK: host_ops
// CHECK-NOT: host op
// CHECK: 2 2 896 tensor.extract_slice
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x112xbf16> {trn.param = "w"}, %b: tensor<112xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x112xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x112xbf16>) outs(%zeros : tensor<24x112xf32>) -> tensor<24x112xf32>
  %all = tensor.empty() : tensor<24x112xf32>
  %z = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %b : tensor<24x112xf32>, tensor<112xf32>) outs(%all : tensor<24x112xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %sum = arith.addf %a, %c : f32
    linalg.yield %sum : f32
  } -> tensor<24x112xf32>
  %gate = tensor.extract_slice %z[0, 0] [24, 56] [1, 2] : tensor<24x112xf32> to tensor<24x56xf32>
  %up = tensor.extract_slice %z[0, 1] [24, 56] [1, 2] : tensor<24x112xf32> to tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%gate, %up : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %tanh = math.tanh %a : f32
    %p = arith.mulf %tanh, %c : f32
    linalg.yield %p : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
