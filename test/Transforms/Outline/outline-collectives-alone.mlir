// RUN: trn-opt %s --trn-outline-collectives | FileCheck %s --implicit-check-not=call --implicit-check-not=trn.

// A core that is alone in its group keeps what it has, and so does one that gets its own tensor.

shard.grid @cores(shape = 2x1)

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4x64xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]] :
func.func @main(%x: tensor<4x64xf32>) -> (tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>,
                                          tensor<4x64xf32>, tensor<4x64xf32>) {
  %0 = shard.all_reduce %x on @cores grid_axes = [1] reduction = max : tensor<4x64xf32> -> tensor<4x64xf32>
  %1 = shard.all_gather %x on @cores grid_axes = [1] gather_axis = 0 : tensor<4x64xf32> -> tensor<4x64xf32>
  %2 = shard.reduce_scatter %x on @cores grid_axes = [1] scatter_axis = 0 : tensor<4x64xf32> -> tensor<4x64xf32>
  %3 = shard.all_to_all %x on @cores grid_axes = [1] split_axis = 0 concat_axis = 0 : tensor<4x64xf32> -> tensor<4x64xf32>
  %4 = shard.shift %x on @cores grid_axes = [0] shift_axis = 0 offset = 2 rotate : tensor<4x64xf32> -> tensor<4x64xf32>
  %5 = shard.broadcast %x on @cores grid_axes = [1] root = [0] : (tensor<4x64xf32>) -> tensor<4x64xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>, tensor<4x64xf32>,
                                  tensor<4x64xf32>, tensor<4x64xf32>
}
