// RUN: trn-opt %s --trn-outline-collectives -split-input-file | FileCheck %s

// What cores reduce by other functions, exchange, and pass on.

// CHECK-LABEL: func.func @main
shard.grid @cores(shape = 2)
func.func @main(%x: tensor<4x64xbf16>, %ids: tensor<4x64xi32>)
    -> (tensor<4x64xbf16>, tensor<2x64xbf16>, tensor<2x128xi32>, tensor<4x128xbf16>, tensor<4x64xbf16>) {
  // CHECK: call @main_all_reduce(
  %0 = shard.all_reduce %x on @cores grid_axes = [0] reduction = max : tensor<4x64xbf16> -> tensor<4x64xbf16>
  // CHECK: call @main_reduce_scatter(
  %1 = shard.reduce_scatter %x on @cores grid_axes = [0] reduction = min scatter_axis = 0 : tensor<4x64xbf16> -> tensor<2x64xbf16>
  // CHECK: call @main_all_to_all(
  %2 = shard.all_to_all %ids on @cores grid_axes = [0] split_axis = 0 concat_axis = 1 : tensor<4x64xi32> -> tensor<2x128xi32>
  // Others than the root may have the result, too.
  // CHECK: call @main_all_gather(
  %3 = shard.gather %x on @cores grid_axes = [0] gather_axis = 1 root = [1] : (tensor<4x64xbf16>) -> tensor<4x128xbf16>
  // CHECK: call @main_all_reduce_{{[0-9]+}}(
  %4 = shard.reduce %x on @cores grid_axes = [0] reduction = product root = [0] : (tensor<4x64xbf16>) -> tensor<4x64xbf16>
  return %0, %1, %2, %3, %4 : tensor<4x64xbf16>, tensor<2x64xbf16>, tensor<2x128xi32>, tensor<4x128xbf16>, tensor<4x64xbf16>
}
// CHECK: trn.all_reduce {{.*}} by max cores 2
// CHECK: trn.reduce_scatter {{.*}} dim 0 by min cores 2
// CHECK: trn.all_to_all {{.*}} split 0 concat 1 cores 2
// CHECK: trn.all_gather {{.*}} dim 1 cores 2
// CHECK: trn.all_reduce {{.*}} by mul cores 2

// -----

// Tensors that move along one axis, or both.

// CHECK-LABEL: func.func @moves
shard.grid @cores(shape = 2x3)
func.func @moves(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: call @[[NEXT:moves_collective_permute]](
  %0 = shard.shift %x on @cores grid_axes = [1] shift_axis = 1 offset = 1 rotate : tensor<4xf32> -> tensor<4xf32>
  // CHECK: call @[[BACK:moves_collective_permute_[0-9]+]](
  %1 = shard.shift %0 on @cores grid_axes = [0, 1] shift_axis = 1 offset = -1 : tensor<4xf32> -> tensor<4xf32>
  // CHECK: call @[[DOWN:moves_collective_permute_[0-9]+]](
  %2 = shard.shift %1 on @cores grid_axes = [0] shift_axis = 0 offset = 1 : tensor<4xf32> -> tensor<4xf32>
  // As far as the first one.
  // CHECK: call @[[NEXT]](
  %3 = shard.shift %2 on @cores grid_axes = [1] shift_axis = 1 offset = -5 rotate : tensor<4xf32> -> tensor<4xf32>
  // CHECK: call @[[NONE:moves_collective_permute_[0-9]+]](
  %4 = shard.shift %3 on @cores grid_axes = [1] shift_axis = 1 offset = -9223372036854775808 : tensor<4xf32> -> tensor<4xf32>
  // CHECK: call @[[ROW:moves_collective_permute_[0-9]+]](
  %5 = shard.broadcast %4 on @cores grid_axes = [1] root = [2] : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK: call @[[ALL:moves_collective_permute_[0-9]+]](
  %6 = shard.broadcast %5 on @cores grid_axes = [1, 0] root = [2, 1] : (tensor<4xf32>) -> tensor<4xf32>
  return %6 : tensor<4xf32>
}
// CHECK: func.func private @[[NEXT]]
// CHECK: from [2, 0, 1, 5, 3, 4]
// CHECK: func.func private @[[BACK]]
// CHECK: from [1, 2, -1, 4, 5, -1]
// CHECK: func.func private @[[DOWN]]
// CHECK: from [-1, -1, -1, 0, 1, 2]
// CHECK: func.func private @[[NONE]]
// CHECK: from [-1, -1, -1, -1, -1, -1]
// CHECK: func.func private @[[ROW]]
// CHECK: from [2, 2, 2, 5, 5, 5]
// CHECK: func.func private @[[ALL]]
// CHECK: from [5, 5, 5, 5, 5, 5]

// -----

// Of all pieces that cores exchange, each keeps that of the root.

// CHECK-LABEL: func.func @scatters
shard.grid @cores(shape = 3)
func.func @scatters(%x: tensor<6x4xf32>) -> tensor<2x4xf32> {
  // CHECK: call @scatters_all_to_all(
  // CHECK: %[[PIECES:.*]] = bufferization.to_tensor
  // CHECK: tensor.extract_slice %[[PIECES]][4, 0] [2, 4] [1, 1]
  %0 = shard.scatter %x on @cores grid_axes = [0] scatter_axis = 0 root = [2] : (tensor<6x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}
// CHECK: trn.all_to_all {{.*}} split 0 concat 0 cores 3

// -----

// Cores that differ in their places on some axes only meet, or all in the order of the axes.

// CHECK-LABEL: func.func @groups
shard.grid @cores(shape = 2x3)
func.func @groups(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<12xf32>, tensor<36xf32>, tensor<36xf32>) {
  // CHECK: call @groups_all_reduce(
  %0 = shard.all_reduce %x on @cores grid_axes = [1] : tensor<6xf32> -> tensor<6xf32>
  // A sum is the same in any order.
  // CHECK: call @groups_all_reduce_{{[0-9]+}}(
  %1 = shard.all_reduce %x on @cores grid_axes = [1, 0] : tensor<6xf32> -> tensor<6xf32>
  // CHECK: call @groups_all_gather(
  %2 = shard.all_gather %x on @cores grid_axes = [0] gather_axis = 0 : tensor<6xf32> -> tensor<12xf32>
  // CHECK: call @groups_all_gather_{{[0-9]+}}(
  %3 = shard.all_gather %x on @cores grid_axes = [1, 0] gather_axis = 0 : tensor<6xf32> -> tensor<36xf32>
  // CHECK: call @groups_all_gather_{{[0-9]+}}(
  %4 = shard.all_gather %x on @cores grid_axes = [0, 1] gather_axis = 0 : tensor<6xf32> -> tensor<36xf32>
  return %0, %1, %2, %3, %4 : tensor<6xf32>, tensor<6xf32>, tensor<12xf32>, tensor<36xf32>, tensor<36xf32>
}
// CHECK: trn.all_reduce {{.*}} cores 3 groups [0, 1, 2, 3, 4, 5] :
// CHECK: trn.all_reduce {{.*}} cores 6 :
// CHECK: trn.all_gather {{.*}} dim 0 cores 2 groups [0, 3, 1, 4, 2, 5] :
// CHECK: trn.all_gather {{.*}} dim 0 cores 6 groups [0, 3, 1, 4, 2, 5] :
// CHECK: trn.all_gather {{.*}} dim 0 cores 6 :
