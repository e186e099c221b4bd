// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-normalize-products | FileCheck %s

// What moves the columns of a product to heads, one behind the other, is written in one way: kernels store these.

// CHECK-LABEL: @batch_of_one(
// CHECK: %[[H:.*]] = tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [8, 3, 2]
// CHECK: %[[MOVED:.*]] = linalg.transpose ins(%[[H]] : tensor<8x3x2xf32>) {{.*}} permutation = [1, 0, 2]
// CHECK: tensor.expand_shape %[[MOVED]] {{.*}} output_shape [1, 3, 8, 2]
func.func @batch_of_one(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<1x3x8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %v = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%z : tensor<8x6xf32>) -> tensor<8x6xf32>
  %split = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [1, 8, 3, 2] : tensor<8x6xf32> into tensor<1x8x3x2xf32>
  %he = tensor.empty() : tensor<1x3x8x2xf32>
  %h = linalg.transpose ins(%split : tensor<1x8x3x2xf32>) outs(%he : tensor<1x3x8x2xf32>) permutation = [0, 2, 1, 3]
  return %h : tensor<1x3x8x2xf32>
}

// -----

// Two sequences are no heads.

// CHECK-LABEL: @batch_of_two(
// CHECK: linalg.transpose ins(%{{.*}} : tensor<2x4x3x2xf32>) {{.*}} permutation = [0, 2, 1, 3]
func.func @batch_of_two(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<2x3x4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{dimensions of its result are moved next to each other, by the host if no kernel stores or loads them so}}
  %v = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%z : tensor<8x6xf32>) -> tensor<8x6xf32>
  %split = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 4, 3, 2] : tensor<8x6xf32> into tensor<2x4x3x2xf32>
  %he = tensor.empty() : tensor<2x3x4x2xf32>
  %h = linalg.transpose ins(%split : tensor<2x4x3x2xf32>) outs(%he : tensor<2x3x4x2xf32>) permutation = [0, 2, 1, 3]
  return %h : tensor<2x3x4x2xf32>
}
