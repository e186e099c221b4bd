// RUN: trn-opt %s --trn-outline-collectives | FileCheck %s

// What cores do together becomes kernels of one instruction, equal ones once.

shard.grid @cores(shape = 2)

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<4x64xbf16>) -> (tensor<4x64xbf16>, tensor<4x128xbf16>, tensor<2x64xbf16>) {
  // CHECK: %[[X:.*]] = bufferization.to_buffer %{{.*}} read_only
  // CHECK: %[[SUM:.*]] = memref.alloc() : memref<4x64xbf16>
  // CHECK: call @main_all_reduce(%[[X]], %[[SUM]])
  // CHECK: bufferization.to_tensor %[[SUM]] restrict
  %0 = shard.all_reduce %x on @cores grid_axes = [0] : tensor<4x64xbf16> -> tensor<4x64xbf16>
  // CHECK: call @main_all_reduce(
  %1 = shard.all_reduce %0 on @cores grid_axes = [0] : tensor<4x64xbf16> -> tensor<4x64xbf16>
  // CHECK: call @main_all_gather(
  %2 = shard.all_gather %1 on @cores grid_axes = [0] gather_axis = 1 : tensor<4x64xbf16> -> tensor<4x128xbf16>
  // CHECK: call @main_reduce_scatter(
  %3 = shard.reduce_scatter %1 on @cores grid_axes = [0] scatter_axis = 0 : tensor<4x64xbf16> -> tensor<2x64xbf16>
  return %1, %2, %3 : tensor<4x64xbf16>, tensor<4x128xbf16>, tensor<2x64xbf16>
}

// CHECK: func.func private @main_all_reduce(%[[A:.*]]: memref<4x64xbf16>, %[[B:.*]]: memref<4x64xbf16> {trn.result}) attributes {trn.kernel}
// CHECK-NEXT: trn.all_reduce %[[A]] to %[[B]] cores 2
// CHECK: func.func private @main_all_gather
// CHECK-NEXT: trn.all_gather %{{.*}} to %{{.*}} dim 1 cores 2
// CHECK: func.func private @main_reduce_scatter
// CHECK-NEXT: trn.reduce_scatter %{{.*}} to %{{.*}} dim 0 cores 2
