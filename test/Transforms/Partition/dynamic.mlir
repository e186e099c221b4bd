// RUN: trn-opt %s --trn-partition=cores=4 --remark-format=emitRemark --remarks-filter=trn-partition 2>&1 | FileCheck %s

// Sizes that are not known stay as they are; what is gathered or scattered has them.

#id = affine_map<(m, n) -> (m, n)>

func.func private @observe(tensor<?x9xf32>) -> tensor<?x9xf32>
func.func private @observe_heads(tensor<?x6xf32>) -> tensor<?x6xf32>

// CHECK: remark: [Passed] Partitioned {{.*}} all_reduces=1
// CHECK: func.func @rows(%arg0: tensor<?x6xf32>, %arg1: tensor<3x6xf32>
// CHECK: %[[ALL:.*]] = shard.all_gather %{{.*}} : tensor<?x3xf32> -> tensor<?x12xf32>
// CHECK: %[[ROWS:.*]] = tensor.dim %[[ALL]], %{{.*}}
// CHECK: tensor.extract_slice %[[ALL]][0, 0] [%[[ROWS]], 9] [1, 1]
// CHECK: shard.all_reduce %{{.*}} : tensor<?x6xf32>
func.func @rows(%x: tensor<?x6xf32>, %up: tensor<9x6xf32> {trn.param = "up_proj.weight"},
                %down: tensor<6x9xf32> {trn.param = "down_proj.weight"}, %rows: index) -> (tensor<?x9xf32>, tensor<?x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty(%rows) : tensor<?x9xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x9xf32>) -> tensor<?x9xf32>
  %h = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %up : tensor<?x6xf32>, tensor<9x6xf32>) outs(%fill : tensor<?x9xf32>) -> tensor<?x9xf32>
  %seen = call @observe(%h) : (tensor<?x9xf32>) -> tensor<?x9xf32>
  %empty_y = tensor.empty(%rows) : tensor<?x6xf32>
  %fill_y = linalg.fill ins(%zero : f32) outs(%empty_y : tensor<?x6xf32>) -> tensor<?x6xf32>
  %y = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%h, %down : tensor<?x9xf32>, tensor<6x9xf32>) outs(%fill_y : tensor<?x6xf32>) -> tensor<?x6xf32>
  return %seen, %y : tensor<?x9xf32>, tensor<?x6xf32>
}

// CHECK: func.func @heads(%arg0: tensor<?x3xf32>
// CHECK: %[[ALL:.*]] = shard.all_gather %arg0 {{.*}} : tensor<?x3xf32> -> tensor<?x12xf32>
// CHECK: tensor.expand_shape %[[ALL]] {{.*}} output_shape [%{{.*}}, 2, 2, 3]
// CHECK: tensor.collapse_shape %{{.*}} : tensor<?x2x3xf32> into tensor<?x6xf32>
func.func @heads(%keys: tensor<?x6xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 6>}) -> tensor<?x6xf32> {
  %seen = call @observe_heads(%keys) : (tensor<?x6xf32>) -> tensor<?x6xf32>
  return %seen : tensor<?x6xf32>
}
