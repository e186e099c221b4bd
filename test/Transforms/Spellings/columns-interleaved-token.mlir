// Gate and up of one token, column by column: its only row is reshaped twice, before a bias and behind it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1
// CHECK-NOT: host_ops
// CHECK: load_ops
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(b, i, j) -> (b, i, j)>
func.func @main(%x: tensor<1x1x40xbf16>, %w: tensor<40x112xbf16> {trn.param = "w"}, %b: tensor<112xf32> {trn.param = "b"}, %down: tensor<56x40xf32>) -> tensor<1x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x112xf32>
  %row = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x1x40xbf16> into tensor<1x40xbf16>
  %y = linalg.matmul ins(%row, %w : tensor<1x40xbf16>, tensor<40x112xbf16>) outs(%zeros : tensor<1x112xf32>) -> tensor<1x112xf32>
  %batched = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 1, 112] : tensor<1x112xf32> into tensor<1x1x112xf32>
  %all = tensor.empty() : tensor<1x1x112xf32>
  %z = linalg.generic {indexing_maps = [#id, affine_map<(b, i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%batched, %b : tensor<1x1x112xf32>, tensor<112xf32>) outs(%all : tensor<1x1x112xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %sum = arith.addf %a, %c : f32
    linalg.yield %sum : f32
  } -> tensor<1x1x112xf32>
  %pairs = tensor.expand_shape %z [[0], [1], [2, 3]] output_shape [1, 1, 56, 2] : tensor<1x1x112xf32> into tensor<1x1x56x2xf32>
  %g = tensor.extract_slice %pairs[0, 0, 0, 0] [1, 1, 56, 1] [1, 1, 1, 1] : tensor<1x1x56x2xf32> to tensor<1x1x56x1xf32>
  %u = tensor.extract_slice %pairs[0, 0, 0, 1] [1, 1, 56, 1] [1, 1, 1, 1] : tensor<1x1x56x2xf32> to tensor<1x1x56x1xf32>
  %gate = tensor.collapse_shape %g [[0], [1], [2, 3]] : tensor<1x1x56x1xf32> into tensor<1x1x56xf32>
  %up = tensor.collapse_shape %u [[0], [1], [2, 3]] : tensor<1x1x56x1xf32> into tensor<1x1x56xf32>
  %empty = tensor.empty() : tensor<1x1x56xf32>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%gate, %up : tensor<1x1x56xf32>, tensor<1x1x56xf32>) outs(%empty : tensor<1x1x56xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %tanh = math.tanh %a : f32
    %r = arith.mulf %tanh, %c : f32
    linalg.yield %r : f32
  } -> tensor<1x1x56xf32>
  %h = tensor.collapse_shape %p [[0, 1], [2]] : tensor<1x1x56xf32> into tensor<1x56xf32>
  %oz = arith.constant dense<0.0> : tensor<1x40xf32>
  %o = linalg.matmul ins(%h, %down : tensor<1x56xf32>, tensor<56x40xf32>) outs(%oz : tensor<1x40xf32>) -> tensor<1x40xf32>
  return %o : tensor<1x40xf32>
}
