// RUN: trn-opt %s --trn-outline-collectives | FileCheck %s

// Only a row is read of a sum with a residual: that is of the next kernel.

// CHECK-LABEL: @last_row(
// CHECK: call @last_row_all_reduce
// CHECK: %[[SUM:.*]] = bufferization.to_tensor
// CHECK-DAG: %[[RESIDUAL:.*]] = tensor.extract_slice %arg0[7, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
// CHECK-DAG: %[[ROW:.*]] = tensor.extract_slice %[[SUM]][7, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
// CHECK: %[[ADDED:.*]] = linalg.generic {{.*}} ins(%[[RESIDUAL]], %[[ROW]] : tensor<1x64xf32>, tensor<1x64xf32>)
// CHECK: return %[[ADDED]] : tensor<1x64xf32>
// CHECK-LABEL: @all_rows(
// CHECK: %[[ADDED:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<8x64xf32>, tensor<8x64xf32>)
// CHECK: tensor.extract_slice %[[ADDED]]

shard.grid @cores(shape = 2)

#same = affine_map<(m, n) -> (m, n)>

func.func @last_row(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> tensor<1x64xf32> {
  %sum = shard.all_reduce %y on @cores grid_axes = [0] : tensor<8x64xf32> -> tensor<8x64xf32>
  %empty = tensor.empty() : tensor<8x64xf32>
  %added = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %value = arith.addf %a, %b : f32
    linalg.yield %value : f32
  } -> tensor<8x64xf32>
  %row = tensor.extract_slice %added[7, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
  return %row : tensor<1x64xf32>
}

func.func @all_rows(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> (tensor<1x64xf32>, tensor<8x64xf32>) {
  %sum = shard.all_reduce %y on @cores grid_axes = [0] : tensor<8x64xf32> -> tensor<8x64xf32>
  %empty = tensor.empty() : tensor<8x64xf32>
  %added = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%x, %sum : tensor<8x64xf32>, tensor<8x64xf32>) outs(%empty : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %value = arith.addf %a, %b : f32
    linalg.yield %value : f32
  } -> tensor<8x64xf32>
  %row = tensor.extract_slice %added[7, 0] [1, 64] [1, 1] : tensor<8x64xf32> to tensor<1x64xf32>
  return %row, %added : tensor<1x64xf32>, tensor<8x64xf32>
}
