// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-outline-kernels | FileCheck %s

// Where all of it together has no plan, the parts are kernels of their own.

// The last product has as many rows as columns, and they would be one dim.
// CHECK-LABEL: func.func @residual_of_a_square(
// CHECK: call @residual_of_a_square_kernel(
// CHECK: arith.addf
#id = affine_map<(i, j) -> (i, j)>
func.func @residual_of_a_square(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %z = linalg.matmul ins(%y, %v : tensor<8x6xf32>, tensor<6x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{computed apart from what it reads: }}
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %z : tensor<8x6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
