// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// A store writes the columns of several heads to where each head lies in HBM, 128 rows at a time.

// CHECK-LABEL: func.func private @kernel(
// CHECK-SAME: %[[O:[a-z0-9]+]]: memref<6x300x32xf32> {trn.result}
// CHECK: scf.for
// CHECK: memref.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [128, 4, 32]
// CHECK: memref.subview %{{.*}} [128, 4, 32] [1, 1, 1]
// CHECK: %[[HEADS:.*]] = memref.subview %[[O]][0, %{{.*}}, 0] [4, 128, 32] [1, 1, 1]
// CHECK: memref.transpose %[[HEADS]] (d0, d1, d2) -> (d1, d0, d2)
// CHECK: trn.dma_copy
func.func private @kernel(%x: memref<300x128xbf16>, %w: memref<128x192xbf16>, %o: memref<6x300x32xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 300, k = 128, n = 192],
      matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result heads of 32, xt : k x m bf16],
      stages = [xt = transpose x, o = xt * w over k],
      nests = [xt (m = 256), o (m = 256, n = 128)],
      homes = [x at m, xt at m, w at n, o at n slots 2]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<300x128xbf16> to tensor<300x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x192xbf16> to tensor<128x192xbf16>
  %zeros = arith.constant dense<0.0> : tensor<300x192xf32>
  %y = linalg.matmul ins(%x_in, %w_in : tensor<300x128xbf16>, tensor<128x192xbf16>) outs(%zeros : tensor<300x192xf32>) -> tensor<300x192xf32>
  %heads = tensor.expand_shape %y [[0], [1, 2]] output_shape [300, 6, 32] : tensor<300x192xf32> into tensor<300x6x32xf32>
  %empty = tensor.empty() : tensor<6x300x32xf32>
  %moved = linalg.transpose ins(%heads : tensor<300x6x32xf32>) outs(%empty : tensor<6x300x32xf32>) permutation = [1, 0, 2]
  bufferization.materialize_in_destination %moved in restrict writable %o : (tensor<6x300x32xf32>, memref<6x300x32xf32>) -> ()
  return
}
