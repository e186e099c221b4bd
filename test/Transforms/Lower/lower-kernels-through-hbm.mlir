// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Y^T has no home that serves both nests, so it lies in HBM between them: what computes it
// stores it to scratch, what reads it loads it again, in blocks of its own.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @spilled(
// CHECK: %[[SCRATCH:.*]] = memref.alloc() : memref<256x128xbf16, #trn.mem<hbm>>
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[XT]] {trn.stage = "yt"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[U:.*]] = trn.alloc {trn.matrix = "u"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[U]] {trn.stage = "yt"}
// CHECK:   %[[YT:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   %[[YT_BANK:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[U]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[YT_BANK]] : memref<{{[^>]*>>}} {trn.stage = "yt"}
// CHECK:   trn.tensor_copy %[[YT_BANK]] into %[[YT]] : {{.*}} {trn.stage = "yt"}
// CHECK:   trn.dma_copy %[[YT]] to %{{.*}} {trn.stage = "yt"}
// CHECK: {{^ +}}}
// CHECK: %[[YT_2:.*]] = trn.alloc {trn.matrix = "yt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %[[SCRATCH]] to %[[YT_2]] {trn.stage = "o"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[V:.*]] = trn.alloc {trn.matrix = "v"} : memref<256x256xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[V]] {trn.stage = "o"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x256xf32, #trn.mem<psum>>
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @spilled(%x: memref<128x128xbf16>, %u: memref<128x256xbf16>, %v: memref<256x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, r = 256, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yt : r x m bf16],
    stages = [yt = u * xt over k, o = yt * v over r],
    nests = [yt (r = 128), o (n = 256)],
    homes = [xt at kernel, u at r, yt at r for yt, yt at kernel for o, v at n, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<128x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %u_in : tensor<128x128xbf16>, tensor<128x256xbf16>) outs(%y_zero : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y_init = tensor.empty() : tensor<128x256xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<128x256xf32>) outs(%y_init : tensor<128x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x256xbf16>
  %o_empty = tensor.empty() : tensor<128x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<128x256xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_init = tensor.empty() : tensor<128x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<128x512xf32>) outs(%o_init : tensor<128x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<128x512xbf16>, memref<128x512xbf16>) -> ()
  return
}
