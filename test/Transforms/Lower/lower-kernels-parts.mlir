// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// r is replaced by two parts. The first one's Y^T stays on chip, the second one's goes through
// HBM. U and V are read through ranges of r, and the two terms of O are summed in one bank.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @parts(
// CHECK: %[[SCRATCH:.*]] = memref.alloc() : memref<128x128xbf16, #trn.mem<hbm>>
// CHECK: %[[U:.*]] = trn.alloc {trn.matrix = "u"} : memref<128x384xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[U]] {trn.stage = "yta"}
// CHECK: %[[V:.*]] = trn.alloc {trn.matrix = "v"} : memref<384x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg2 to %[[V]] {trn.stage = "o"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[XT]] {trn.stage = "yta"}
// CHECK: %[[YTA:.*]] = trn.alloc {trn.matrix = "yta"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[YTA_BANK:.*]] = trn.alloc {trn.matrix = "yta"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   %[[U_TILE:.*]] = memref.subview %[[U]][0, %{{.*}}] [128, 128] [1, 1]
// CHECK:   trn.matmul stationary(%[[U_TILE]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[YTA_BANK]] : memref<{{[^>]*>>}} {trn.stage = "yta"}
// CHECK:   %[[YTA_TILE:.*]] = memref.subview %[[YTA]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.tensor_copy %[[YTA_BANK]] into %[[YTA_TILE]] : {{.*}} {trn.stage = "yta"}
// CHECK: {{^ +}}}
// CHECK: %[[YTB:.*]] = trn.alloc {trn.matrix = "ytb"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[YTB_BANK:.*]] = trn.alloc {trn.matrix = "ytb"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: %[[U_TILE_2:.*]] = memref.subview %[[U]][0, 256] [128, 128] [1, 1]
// CHECK: trn.matmul stationary(%[[U_TILE_2]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[YTB_BANK]] : memref<{{[^>]*>>}} {trn.stage = "ytb"}
// CHECK: trn.tensor_copy %[[YTB_BANK]] into %[[YTB]] : {{.*}} {trn.stage = "ytb"}
// CHECK: trn.dma_copy %[[YTB]] to %[[SCRATCH]] {trn.stage = "ytb"}
// CHECK: %[[YTB_2:.*]] = trn.alloc {trn.matrix = "ytb"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %[[SCRATCH]] to %[[YTB_2]] {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[YTA_TILE_2:.*]] = memref.subview %[[YTA]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   %[[V_TILE:.*]] = memref.subview %[[V]][%{{.*}}, 0] [128, 512] [1, 1]
// CHECK:   trn.matmul stationary(%[[YTA_TILE_2]]{{ .*}}) moving(%[[V_TILE]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: %[[V_TILE_2:.*]] = memref.subview %[[V]][256, 0] [128, 512] [1, 1]
// CHECK: trn.matmul stationary(%[[YTB_2]]{{ .*}}) moving(%[[V_TILE_2]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%true) {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %arg3 {trn.stage = "o"}
func.func private @parts(%x: memref<128x128xbf16>, %u: memref<128x384xbf16>, %v: memref<384x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, r = 384, n = 512, ra = 256 of r, rb = 128 of r from 256],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yta : ra x m bf16, ytb : rb x m bf16],
    stages = [yta = u * xt over k, ytb = u * xt over k, o = yta * v over ra + ytb * v over rb],
    nests = [yta (m = 128), ytb (m = 128), o (m = 128)],
    homes = [xt at m, u at kernel, yta at m, ytb at m for ytb, ytb at m for o, v at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<128x384xbf16> to tensor<128x384xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<384x512xbf16> to tensor<384x512xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<128x384xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<128x384xf32>) -> tensor<128x384xf32>
  %y_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %u_in : tensor<128x128xbf16>, tensor<128x384xbf16>) outs(%y_zero : tensor<128x384xf32>) -> tensor<128x384xf32>
  %y_init = tensor.empty() : tensor<128x384xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<128x384xf32>) outs(%y_init : tensor<128x384xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x384xbf16>
  %o_empty = tensor.empty() : tensor<128x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<128x384xbf16>, tensor<384x512xbf16>) outs(%o_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
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
