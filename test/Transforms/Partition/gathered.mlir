// RUN: trn-opt %s --trn-partition=cores=2 --remark-format=emitRemark --remarks-filter=trn-partition 2>&1 | FileCheck %s

// CHECK: remark: [Missed] Whole {{.*}} Function=unknown_op | Reason="linalg.matmul reads it with a tensor that cores do not share", argument=2, param=down_proj.weight
// CHECK: remark: [Missed] Gathered {{.*}} Function=unknown_op | Reason="func.call needs all of dimension 1", bytes=160
// CHECK: remark: [Passed] Partitioned {{.*}} Function=unknown_op | all_gathers=1, all_reduces=0
// CHECK: remark: [Missed] Gathered {{.*}} Function=indices | Reason="linalg.generic needs all of dimension 1", bytes=128

// CHECK: func.func @unknown_op(
// CHECK-SAME: %arg1: tensor<5x6xf32>
// CHECK-SAME: %arg2: tensor<6x9xf32> {trn.param = "down_proj.weight"})
// CHECK: %[[ALL:.*]] = shard.all_gather %{{.*}} on @cores grid_axes = [0] gather_axis = 1 : tensor<4x5xf32> -> tensor<4x10xf32>
// CHECK: %[[H:.*]] = tensor.extract_slice %[[ALL]][0, 0] [4, 9] [1, 1]
// CHECK: call @observe(%[[H]])
// CHECK: linalg.matmul {{.*}} : tensor<4x9xf32>, tensor<6x9xf32>)
// CHECK-NOT: shard.

// Once for both ops that need it: one asks for indices, one takes a maximum.

// CHECK: func.func @indices(
// CHECK: %[[ALL:.*]] = shard.all_gather %{{.*}} : tensor<4x4xf32> -> tensor<4x8xf32>
// CHECK: linalg.generic {{.*}} ins(%[[ALL]] : tensor<4x8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[ALL]] : tensor<4x8xf32>)

// What an op needs of all cores is gathered in front of it.

#row = affine_map<(m, n) -> (m)>
#id = affine_map<(m, n) -> (m, n)>

func.func private @observe(tensor<4x9xf32>) -> tensor<4x9xf32>

func.func @unknown_op(%x: tensor<4x6xf32>, %up: tensor<9x6xf32> {trn.param = "up_proj.weight"},
                      %down: tensor<6x9xf32> {trn.param = "down_proj.weight"}) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x9xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x9xf32>) -> tensor<4x9xf32>
  %h = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %up : tensor<4x6xf32>, tensor<9x6xf32>) outs(%fill : tensor<4x9xf32>) -> tensor<4x9xf32>
  %seen = call @observe(%h) : (tensor<4x9xf32>) -> tensor<4x9xf32>
  %empty_y = tensor.empty() : tensor<4x6xf32>
  %fill_y = linalg.fill ins(%zero : f32) outs(%empty_y : tensor<4x6xf32>) -> tensor<4x6xf32>
  %y = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%seen, %down : tensor<4x9xf32>, tensor<6x9xf32>) outs(%fill_y : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

func.func @indices(%x: tensor<4x6xf32>, %up: tensor<8x6xf32> {trn.param = "up_proj.weight"}) -> (tensor<4x8xf32>, tensor<4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x8xf32>) -> tensor<4x8xf32>
  %h = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %up : tensor<4x6xf32>, tensor<8x6xf32>) outs(%fill : tensor<4x8xf32>) -> tensor<4x8xf32>
  %masked = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h : tensor<4x8xf32>) outs(%empty : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 1 : index
    %c3 = arith.constant 3 : index
    %less = arith.cmpi slt, %i, %c3 : index
    %value = arith.select %less, %in, %zero : f32
    linalg.yield %value : f32
  } -> tensor<4x8xf32>
  %low = arith.constant 0xFF800000 : f32
  %empty_m = tensor.empty() : tensor<4xf32>
  %fill_m = linalg.fill ins(%low : f32) outs(%empty_m : tensor<4xf32>) -> tensor<4xf32>
  %maximum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<4x8xf32>) outs(%fill_m : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %value = arith.maximumf %in, %out : f32
    linalg.yield %value : f32
  } -> tensor<4xf32>
  return %masked, %maximum : tensor<4x8xf32>, tensor<4xf32>
}
