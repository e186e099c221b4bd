// RUN: trn-opt %s --trn-partition=cores=2 | FileCheck %s

// CHECK-LABEL: func.func @mlp(
// CHECK-SAME: %arg2: tensor<4xf32> {trn.param = "up_proj.bias", trn.shard = #trn.shard<dim = 0, pieces = 2, size = 8>}
// CHECK-SAME: %arg4: tensor<6xf32> {trn.param = "down_proj.bias"}
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg2 : tensor<4x4xf32>, tensor<4xf32>)
// CHECK: %[[SUM:.*]] = shard.all_reduce
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %arg4 : tensor<4x6xf32>, tensor<6xf32>)

// A bias of what is split is split; that of a sum over cores is added behind it.

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

func.func @mlp(%x: tensor<4x6xf32>,
               %up: tensor<8x6xf32> {trn.param = "up_proj.weight"}, %up_bias: tensor<8xf32> {trn.param = "up_proj.bias"},
               %down: tensor<6x8xf32> {trn.param = "down_proj.weight"}, %down_bias: tensor<6xf32> {trn.param = "down_proj.bias"})
    -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %h = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %up : tensor<4x6xf32>, tensor<8x6xf32>) outs(%fill : tensor<4x8xf32>) -> tensor<4x8xf32>
  %biased = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h, %up_bias : tensor<4x8xf32>, tensor<8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4x8xf32>
  %empty_y = tensor.empty() : tensor<4x6xf32>
  %fill_y = linalg.fill ins(%zero : f32) outs(%empty_y : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%biased, %down : tensor<4x8xf32>, tensor<6x8xf32>) outs(%fill_y : tensor<4x6xf32>) -> tensor<4x6xf32>
  %biased_y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %down_bias : tensor<4x6xf32>, tensor<6xf32>) outs(%empty_y : tensor<4x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4x6xf32>
  return %biased_y : tensor<4x6xf32>
}
