// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// What the tensor engine transposes comes with neighbouring rows on each partition: as many as a bank has tiles, or
// as divide the blocks. Its columns find their places in the bank. Where loops cut the columns, rows come one by one,
// and so they do where the plan says so.

// CHECK-LABEL: func.func private @four(
// CHECK: %[[PART:.*]] = memref.reinterpret_cast %arg0 to offset: [%{{.*}}], sizes: [128, 256], strides: [256, 1]
// CHECK: trn.dma_copy %[[PART]] to %[[X:.*]] {trn.stage = "xt"}
// CHECK: %[[BANK:.*]] = trn.alloc {{.*}}memref<64x512xf32, #trn.mem<psum>>
// CHECK: %[[FIRST:.*]] = memref.subview %[[X]][0, 0] [128, 64] [1, 1]
// CHECK: %[[EVERY:.*]] = memref.subview %[[BANK]][0, 0] [64, 128] [1, 4]
// CHECK: trn.transpose %[[FIRST]] into %[[EVERY]]
// CHECK: memref.subview %[[X]][0, 192] [128, 64] [1, 1]
// CHECK: memref.subview %[[BANK]][0, 3] [64, 128] [1, 4]
func.func private @four(%x: memref<1024x64xbf16>, %w: memref<64x128xbf16>, %o: memref<1024x128xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 1024, k = 64, n = 128],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k], nests = [xt (m = 512), o (m = 512)],
    homes = [x at m slots 2, xt at m, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<1024x64xbf16> to tensor<1024x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<64x128xbf16> to tensor<64x128xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x128xf32>) -> tensor<1024x128xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<1024x64xbf16>, tensor<64x128xbf16>) outs(%init : tensor<1024x128xf32>) -> tensor<1024x128xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<1024x128xf32>, memref<1024x128xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @two(
// CHECK: memref.reinterpret_cast %arg0 {{.*}}sizes: [128, 128], strides: [128, 1]
// CHECK: memref.subview %{{.*}}[0, 1] [64, 128] [1, 2]
func.func private @two(%x: memref<768x64xbf16>, %w: memref<64x128xbf16>, %o: memref<768x128xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 768, k = 64, n = 128],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k], nests = [xt (m = 256), o (m = 256)],
    homes = [x at m slots 2, xt at m, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<768x64xbf16> to tensor<768x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<64x128xbf16> to tensor<64x128xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<768x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<768x128xf32>) -> tensor<768x128xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<768x64xbf16>, tensor<64x128xbf16>) outs(%init : tensor<768x128xf32>) -> tensor<768x128xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<768x128xf32>, memref<768x128xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @apart(
// CHECK-NOT: reinterpret_cast
func.func private @apart(%x: memref<1024x64xbf16>, %w: memref<64x128xbf16>, %o: memref<1024x128xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 1024, k = 64, n = 128],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k], nests = [xt (m = 512), o (m = 512)],
    homes = [x at m slots 2 apart, xt at m, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<1024x64xbf16> to tensor<1024x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<64x128xbf16> to tensor<64x128xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x128xf32>) -> tensor<1024x128xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<1024x64xbf16>, tensor<64x128xbf16>) outs(%init : tensor<1024x128xf32>) -> tensor<1024x128xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<1024x128xf32>, memref<1024x128xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @columns_are_cut(
// CHECK-NOT: reinterpret_cast
func.func private @columns_are_cut(%x: memref<1024x256xbf16>, %w: memref<256x128xbf16>, %o: memref<1024x128xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 1024, k = 256, n = 128],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k], nests = [xt (m = 512, k = 128), o (m = 512)],
    homes = [x at k slots 2, xt at m, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<1024x256xbf16> to tensor<1024x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x128xf32>) -> tensor<1024x128xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<1024x256xbf16>, tensor<256x128xbf16>) outs(%init : tensor<1024x128xf32>) -> tensor<1024x128xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<1024x128xf32>, memref<1024x128xf32>) -> ()
  return
}
