// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// A tile of several banks: a product for each bank, and one instruction for all of its columns.

// CHECK-LABEL: func.func private @product(
// CHECK: %[[SUMS:.*]] = trn.alloc {{.*}}memref<128x1024xf32, #trn.mem<psum>>
// CHECK: scf.for
// CHECK: %[[FIRST:.*]] = memref.subview %[[SUMS]][0, 0] [128, 512] [1, 1]
// CHECK: trn.matmul {{.*}} into %[[FIRST]]
// CHECK: %[[SECOND:.*]] = memref.subview %[[SUMS]][0, 512] [128, 512] [1, 1]
// CHECK: trn.matmul {{.*}} into %[[SECOND]]
// CHECK: }
// CHECK: trn.tensor_copy %[[SUMS]] into {{.*}}memref<128x1024xf32, #trn.mem<psum>>
// The rest of the columns.
// CHECK: %[[REST:.*]] = trn.alloc {{.*}}memref<128x300xf32, #trn.mem<psum>>
// CHECK: trn.tensor_copy %[[REST]] into {{.*}}memref<128x300xf32, #trn.mem<psum>>
func.func private @product(%x: memref<256x128xbf16>, %w: memref<256x1324xbf16>, %o: memref<128x1324xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 256, m = 128, n = 1324],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k], nests = [o () banks 2],
    homes = [xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x1324xbf16> to tensor<256x1324xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x1324xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x1324xf32>) -> tensor<128x1324xf32>
  %turned = tensor.empty() : tensor<128x256xbf16>
  %xt = linalg.transpose ins(%x_in : tensor<256x128xbf16>) outs(%turned : tensor<128x256xbf16>) permutation = [1, 0]
  %sums = linalg.matmul ins(%xt, %w_in : tensor<128x256xbf16>, tensor<256x1324xbf16>) outs(%init : tensor<128x1324xf32>) -> tensor<128x1324xf32>
  %out = tensor.empty() : tensor<128x1324xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x1324xf32>) outs(%out : tensor<128x1324xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<128x1324xbf16>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<128x1324xbf16>, memref<128x1324xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func private @transposition(
// CHECK: %[[TURNED:.*]] = trn.alloc {{.*}}memref<128x1024xf32, #trn.mem<psum>>
// CHECK-COUNT-8: trn.transpose
// CHECK: trn.tensor_copy %[[TURNED]] into
func.func private @transposition(%x: memref<1024x128xbf16>, %w: memref<128x512xbf16>, %o: memref<1024x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 1024, k = 128, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k], nests = [xt () banks 2, o ()],
    homes = [x at kernel, xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<1024x128xbf16> to tensor<1024x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1024x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<1024x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<1024x512xf32>) -> tensor<1024x512xf32>
  %out = tensor.empty() : tensor<1024x512xbf16>
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<1024x512xf32>) outs(%out : tensor<1024x512xbf16>) {
  ^bb0(%a: f32, %b: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<1024x512xbf16>
  bufferization.materialize_in_destination %y in restrict writable %o : (tensor<1024x512xbf16>, memref<1024x512xbf16>) -> ()
  return
}
