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

// Only the type of what an op overwrites counts; a piece of it can be made anywhere.
// CHECK-LABEL: @overwritten(
// CHECK: %[[WHOLE:.*]] = linalg.matmul {{.*}} -> tensor<4x6xf32>
// CHECK: %[[PIECE:.*]] = tensor.empty() : tensor<2x6xf32>
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<2x6xf32>) outs(%[[PIECE]] : tensor<2x6xf32>)
func.func @overwritten(%x: tensor<4x6xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>},
                       %y: tensor<4x6xf32> {trn.param = "y"}, %z: tensor<6x6xf32> {trn.param = "z"})
    -> (tensor<4x6xf32>, tensor<4x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6xf32>) -> tensor<4x6xf32>
  %whole = linalg.matmul ins(%y, %z : tensor<4x6xf32>, tensor<6x6xf32>) outs(%fill : tensor<4x6xf32>) -> tensor<4x6xf32>
  %negated = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x6xf32>) outs(%whole : tensor<4x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %value = arith.negf %in : f32
    linalg.yield %value : f32
  } -> tensor<4x6xf32>
  return %negated, %whole : tensor<4x6xf32>, tensor<4x6xf32>
}

// A request is followed, and gathered where it cannot be. What would split both
// dimensions of an argument over the same cores is not split.
// CHECK-LABEL: @square(%arg0: tensor<4x4xf32>, %arg1: tensor<2x4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>}) -> tensor<4x4xf32>
// CHECK: shard.all_gather %arg1
func.func @square(%x: tensor<4x4xf32>, %y: tensor<4x4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>}) -> tensor<4x4xf32> {
  %transposed_empty = tensor.empty() : tensor<4x4xf32>
  %transposed = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%transposed_empty : tensor<4x4xf32>) permutation = [1, 0]
  %sum = arith.addf %x, %transposed : tensor<4x4xf32>
  %result = arith.addf %sum, %y : tensor<4x4xf32>
  return %result : tensor<4x4xf32>
}

// A slice at a place that is computed.
// CHECK-LABEL: @slice(%arg0: tensor<4x3xf32>
// CHECK: tensor.extract_slice %arg0[%arg1, 0] [1, 3] [1, 1] : tensor<4x3xf32> to tensor<3xf32>
func.func @slice(%x: tensor<4x6xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 6>}, %at: index) -> tensor<6xf32> {
  %row = tensor.extract_slice %x[%at, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<6xf32>
  return %row : tensor<6xf32>
}
