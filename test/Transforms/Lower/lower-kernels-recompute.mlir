// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// The nest of Y^T has a loop over n, which Y^T lacks: it is computed again for every block of
// columns of O, and needs room for no more than that.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @recompute(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[XT]] {trn.stage = "yt"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[U:.*]] = trn.alloc {trn.matrix = "u"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %arg1 to %[[U]] {trn.stage = "yt"}
// CHECK:   %[[YT:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   %[[YT_BANK:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[U]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[YT_BANK]] : memref<{{[^>]*>>}} {trn.stage = "yt"}
// CHECK:   trn.tensor_copy %[[YT_BANK]] into %[[YT]] : {{.*}} {trn.stage = "yt"}
// CHECK:   %[[V:.*]] = trn.alloc {trn.matrix = "v"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[V]] {trn.stage = "o"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[YT]]{{ .*}}) moving(%[[V]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @recompute(%x: memref<128x128xbf16>, %u: memref<128x128xbf16>, %v: memref<128x1024xbf16>, %o: memref<128x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, r = 128, n = 1024],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yt : r x m bf16],
    stages = [yt = u * xt over k, o = yt * v over r],
    nests = [yt (n = 512), o (n = 512)],
    homes = [xt at kernel, u at n, yt at n, v at n, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<128x1024xbf16> to tensor<128x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<128x128xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %u_in : tensor<128x128xbf16>, tensor<128x128xbf16>) outs(%y_zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y_init = tensor.empty() : tensor<128x128xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<128x128xf32>) outs(%y_init : tensor<128x128xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x128xbf16>
  %o_empty = tensor.empty() : tensor<128x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<128x128xbf16>, tensor<128x1024xbf16>) outs(%o_zero : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %o_init = tensor.empty() : tensor<128x1024xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<128x1024xf32>) outs(%o_init : tensor<128x1024xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x1024xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<128x1024xbf16>, memref<128x1024xbf16>) -> ()
  return
}
