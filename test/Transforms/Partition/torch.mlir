// RUN: trn-opt %s --trn-partition=cores=2 | FileCheck %s

// As torch-mlir writes it: batches, weights that are transposed and repeated for
// each of them, and heads that a reshape makes.

// CHECK-LABEL: func.func @queries(%arg0: tensor<1x3x8xf32>,
// CHECK-SAME: %arg1: tensor<4x8xf32> {trn.param = "q_proj.weight", trn.shard = #trn.shard<dim = 0, pieces = 2, size = 8>})
// CHECK-SAME: -> (tensor<1x1x3x4xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 2>})
// CHECK: linalg.transpose {{.*}} outs(%{{.*}} : tensor<8x4xf32>)
// CHECK: linalg.batch_matmul {{.*}} -> tensor<1x3x4xf32>
// CHECK: tensor.expand_shape {{.*}} output_shape [1, 3, 1, 4]

#weight = affine_map<(b, k, n) -> (k, n)>
#all = affine_map<(b, k, n) -> (b, k, n)>

func.func @queries(%x: tensor<1x3x8xf32>, %w: tensor<8x8xf32> {trn.param = "q_proj.weight"}) -> tensor<1x2x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %transposed = linalg.transpose ins(%w : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %batches = tensor.empty() : tensor<1x8x8xf32>
  %repeated = linalg.generic {indexing_maps = [#weight, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%transposed : tensor<8x8xf32>) outs(%batches : tensor<1x8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8x8xf32>
  %rows = tensor.empty() : tensor<1x3x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%rows : tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %product = linalg.batch_matmul ins(%x, %repeated : tensor<1x3x8xf32>, tensor<1x8x8xf32>) outs(%fill : tensor<1x3x8xf32>) -> tensor<1x3x8xf32>
  %heads = tensor.expand_shape %product [[0], [1], [2, 3]] output_shape [1, 3, 2, 4] : tensor<1x3x8xf32> into tensor<1x3x2x4xf32>
  %swapped = tensor.empty() : tensor<1x2x3x4xf32>
  %result = linalg.transpose ins(%heads : tensor<1x3x2x4xf32>) outs(%swapped : tensor<1x2x3x4xf32>) permutation = [0, 2, 1, 3]
  return %result : tensor<1x2x3x4xf32>
}
