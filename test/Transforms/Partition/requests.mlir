// RUN: trn-opt %s --trn-partition=cores=2 | FileCheck %s

// CHECK-LABEL: @requested(
// CHECK-SAME: %arg0: tensor<2x6xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>}
// CHECK-SAME: %arg1: tensor<2x6xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>}
// CHECK-SAME: %arg2: tensor<6x8xf32>)
// CHECK-SAME: -> (tensor<2x8xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>}, tensor<2x6xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>})

// CHECK-LABEL: @in_out(
// CHECK-SAME: %arg0: tensor<4x4xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 8>}
// CHECK-SAME: %arg1: tensor<4x6xf32> {trn.param = "down_proj.weight", trn.shard = #trn.shard<dim = 0, pieces = 2, size = 8>})
// CHECK: shard.all_reduce

// CHECK-LABEL: @untouched(%arg0: tensor<4xf32>)

// trn.shard on an argument with the type of the whole requests a split, and what
// is computed with it follows. Weights may lie [in, out].

#id = affine_map<(m, n) -> (m, n)>

func.func @requested(%x: tensor<4x6xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>},
                     %y: tensor<4x6xf32>, %w: tensor<6x8xf32>) -> (tensor<4x8xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %sum = arith.addf %x, %y : tensor<4x6xf32>
  %empty = tensor.empty() : tensor<4x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %product = linalg.matmul ins(%sum, %w : tensor<4x6xf32>, tensor<6x8xf32>) outs(%fill : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %product, %y : tensor<4x8xf32>, tensor<4x6xf32>
}

func.func @in_out(%h: tensor<4x8xf32>, %w: tensor<8x6xf32> {trn.param = "down_proj.weight"}) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %product = linalg.matmul ins(%h, %w : tensor<4x8xf32>, tensor<8x6xf32>) outs(%fill : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %product : tensor<4x6xf32>
}

func.func @untouched(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
