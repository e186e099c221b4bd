// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Each partition has rows of the weight that lie beside each other in HBM. X, its gain and y keep the order of their
// columns there: a tile of the transpose takes each fourth column of y.

// CHECK-LABEL: func.func private @scaled(
// CHECK: trn.tensor_tensor mul({{.*}} : memref<3x512xbf16, #trn.mem<sbuf>>, {{.*}} : memref<3x512xbf16, #trn.mem<sbuf>>)
// CHECK: memref.subview %{{.*}}[0, %{{.*}}] [3, 128] [1, 4] : memref<3x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.transpose %{{.*}} into %{{.*}} : memref<3x128xbf16, strided<[512, 4], offset: ?>, #trn.mem<sbuf>>
// CHECK: memref.reinterpret_cast %arg2 to offset: [0], sizes: [128, 512], strides: [512, 1]
// CHECK: trn.dma_copy {{.*}} : memref<128x512xbf16{{.*}}> to memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.matmul
func.func private @scaled(%x: memref<3x512xbf16>, %g: memref<3x512xbf16>, %w: memref<512x128xbf16>, %y: memref<3x512xbf16> {trn.result}, %o: memref<3x128xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 3, k = 512, n = 128],
    matrices = [x : m x k bf16 input, g : m x k bf16 input, w : k x n bf16 input, y : m x k bf16 result, o : m x n bf16 result, yt : k x m bf16],
    stages = [y = mul(x, g), yt = transpose y, o = yt * w over k],
    nests = [y (), yt (m = 3, k = 256), o ()],
    homes = [x at kernel, g at kernel, y at kernel, yt at kernel, w at kernel, o at kernel],
    interleaved = [k]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<3x512xbf16> to tensor<3x512xbf16>
  %g_in = bufferization.to_tensor %g restrict : memref<3x512xbf16> to tensor<3x512xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<512x128xbf16> to tensor<512x128xbf16>
  %wide = tensor.empty() : tensor<3x512xbf16>
  %scaled = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x_in, %g_in : tensor<3x512xbf16>, tensor<3x512xbf16>) outs(%wide : tensor<3x512xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %old: bf16):
    %one = arith.mulf %a, %b : bf16
    linalg.yield %one : bf16
  } -> tensor<3x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x128xf32>) -> tensor<3x128xf32>
  %sums = linalg.matmul ins(%scaled, %w_in : tensor<3x512xbf16>, tensor<512x128xbf16>) outs(%init : tensor<3x128xf32>) -> tensor<3x128xf32>
  %narrow = tensor.empty() : tensor<3x128xbf16>
  %result = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<3x128xf32>) outs(%narrow : tensor<3x128xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %rounded = arith.truncf %in : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<3x128xbf16>
  bufferization.materialize_in_destination %scaled in restrict writable %y : (tensor<3x512xbf16>, memref<3x512xbf16>) -> ()
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<3x128xbf16>, memref<3x128xbf16>) -> ()
  return
}
