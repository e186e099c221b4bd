// Two tiles of rows of w lie on all partitions, neighbours beside each other. The 44 rows behind them are a tile of
// their own, in both: in columns of x, too.
// RUN: trn-opt %s --trn-lower-kernels | FileCheck %s

// CHECK-LABEL: func.func private @kernel(
// CHECK-SAME: %[[X:.*]]: memref<2x300xbf16>, %[[W:.*]]: memref<300x256xbf16>, %{{.*}}: memref<2x256xf32>
// CHECK: trn.dma_copy %[[X]] to %[[ROWS:.*]] {trn.stage = "xt"}
// CHECK: memref.subview %[[ROWS]][0, %{{.*}}] [2, 128] [1, 2]
// CHECK: trn.transpose
// CHECK: memref.subview %[[ROWS]][0, 256] [2, 44] [1, 1]
// CHECK: trn.transpose
// CHECK: %[[TILES:.*]] = memref.reinterpret_cast %[[W]] to offset: [0], sizes: [128, 512], strides: [512, 1]
// CHECK: trn.dma_copy %[[TILES]] to %{{.*}} {trn.stage = "o"}
// CHECK: trn.matmul
// CHECK: %[[REST:.*]] = memref.subview %[[W]][256, 0] [44, 256] [1, 1]
// CHECK: trn.dma_copy %[[REST]] to %{{.*}} {trn.stage = "o"}
// CHECK: trn.matmul
func.func private @kernel(%x: memref<2x300xbf16>, %w: memref<300x256xbf16>, %o: memref<2x256xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 2, k = 300, n = 256],
      matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result, xt : k x m bf16],
      stages = [xt = transpose x, o = xt * w over k],
      nests = [xt (), o (m = 2, n = 256, k = 256)],
      homes = [x at kernel, xt at kernel, w at k slots 2, o at n sums at n in psum],
      interleaved = [k]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<2x300xbf16> to tensor<2x300xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<300x256xbf16> to tensor<300x256xbf16>
  %zeros = arith.constant dense<0.0> : tensor<2x256xf32>
  %y = linalg.matmul ins(%x_in, %w_in : tensor<2x300xbf16>, tensor<300x256xbf16>) outs(%zeros : tensor<2x256xf32>) -> tensor<2x256xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<2x256xf32>, memref<2x256xf32>) -> ()
  return
}
