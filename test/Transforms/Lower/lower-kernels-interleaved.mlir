// Each partition has the rows of w that lie beside each other in HBM, and elements of X that do.
// RUN: trn-opt %s --trn-lower-kernels --split-input-file | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
// CHECK-LABEL: func.func private @kernel(
// CHECK-SAME: %[[X:.*]]: memref<2x512xbf16>, %[[W:.*]]: memref<512x256xbf16>, %{{.*}}: memref<2x256xf32>
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x8xbf16, #trn.mem<sbuf>>
// CHECK: scf.for
// CHECK:   memref.reinterpret_cast %[[X]] to offset: [%{{.*}}], sizes: [128, 4], strides: [4, 1]
// CHECK:   memref.subview %[[XT]][0, %{{.*}}] [128, 4] [1, 1]
// CHECK:   trn.dma_copy
// CHECK-NOT: trn.transpose
// CHECK: %[[WIDE:.*]] = memref.reinterpret_cast %[[W]] to offset: [%{{.*}}], sizes: [128, 512], strides: [1024, 1]
// CHECK: trn.dma_copy %[[WIDE]] to %[[BLOCK:.*]] {trn.stage = "o"} : memref<128x512xbf16, {{.*}}> to memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: memref.subview %[[XT]][0, %{{.*}}] [128, 2] [1, 4]
// CHECK: memref.subview %[[BLOCK]][0, %{{.*}}] [128, 256] [1, 1]
// CHECK: trn.matmul
func.func private @kernel(%x: memref<2x512xbf16>, %w: memref<512x256xbf16>, %o: memref<2x256xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 2, k = 512, n = 256],
      matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result, xt : k x m bf16],
      stages = [xt = transpose x, o = xt * w over k],
      nests = [xt (), o (m = 2, n = 256, k = 256)],
      homes = [xt at kernel packed, w at k slots 2, o at n sums at n in psum],
      interleaved = [k]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<2x512xbf16> to tensor<2x512xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<512x256xbf16> to tensor<512x256xbf16>
  %zeros = arith.constant dense<0.0> : tensor<2x256xf32>
  %y = linalg.matmul ins(%x_in, %w_in : tensor<2x512xbf16>, tensor<512x256xbf16>) outs(%zeros : tensor<2x256xf32>) -> tensor<2x256xf32>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<2x256xf32>, memref<2x256xf32>) -> ()
  return
}
