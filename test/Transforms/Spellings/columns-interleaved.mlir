// Gate and up column by column, as a dimension of two behind that of features.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: load_ops
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x112xbf16> {trn.param = "w"}) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x112xf32>
  %one = arith.constant 1.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x112xbf16>) outs(%zeros : tensor<24x112xf32>) -> tensor<24x112xf32>
  %pairs = tensor.expand_shape %y [[0], [1, 2]] output_shape [24, 56, 2] : tensor<24x112xf32> into tensor<24x56x2xf32>
  %gate = tensor.extract_slice %pairs[0, 0, 0] [24, 56, 1] [1, 1, 1] : tensor<24x56x2xf32> to tensor<24x56xf32>
  %up = tensor.extract_slice %pairs[0, 0, 1] [24, 56, 1] [1, 1, 1] : tensor<24x56x2xf32> to tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%gate, %up : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %negated = arith.negf %a : f32
    %power = math.exp %negated : f32
    %sum = arith.addf %power, %one : f32
    %silu = arith.divf %a, %sum : f32
    %p = arith.mulf %silu, %b : f32
    linalg.yield %p : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
