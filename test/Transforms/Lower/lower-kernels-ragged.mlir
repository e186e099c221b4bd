// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Blocks at the end of a dim may be smaller: code of their own behind each loop, with tiles of
// what is left. Strips of 128, 128 and 44 rows, blocks of 512 and 88 columns, tiles of 128 and
// 72 of the contraction.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @ragged(
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<200x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[XT]] {trn.stage = "o"}
// CHECK:   %[[W:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<200x512xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%true{{.*}}) {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK:   %[[W_2:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<200x88xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W_2]] {trn.stage = "o"}
// CHECK:   %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x88xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x88xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} accumulate(%true{{.*}}) {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK_2]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O_2]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<200x44xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT_2]] {trn.stage = "o"}
// CHECK: %[[W_3:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<200x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[W_3]] {trn.stage = "o"}
// CHECK: %[[O_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<44x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<44x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_3]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_3]] : memref<{{[^>]*>>}} accumulate(%true) {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_3]] into %[[O_3]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_3]] to %{{.*}} {trn.stage = "o"}
// CHECK: %[[W_4:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<200x88xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[W_4]] {trn.stage = "o"}
// CHECK: %[[O_4:.*]] = trn.alloc {trn.matrix = "o"} : memref<44x88xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK_4:.*]] = trn.alloc {trn.matrix = "o"} : memref<44x88xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_4]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_4]] : memref<{{[^>]*>>}} accumulate(%true) {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_4]] into %[[O_4]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_4]] to %{{.*}} {trn.stage = "o"}
func.func private @ragged(%x: memref<200x300xbf16>, %w: memref<200x600xbf16>, %o: memref<300x600xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 200, m = 300, n = 600],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128, n = 512)],
    homes = [xt at m, w at n slots 2, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<200x300xbf16> to tensor<200x300xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<200x600xbf16> to tensor<200x600xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<300x600xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<300x600xf32>) -> tensor<300x600xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<200x300xbf16>, tensor<200x600xbf16>) outs(%o_zero : tensor<300x600xf32>) -> tensor<300x600xf32>
  %o_init = tensor.empty() : tensor<300x600xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<300x600xf32>) outs(%o_init : tensor<300x600xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<300x600xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<300x600xbf16>, memref<300x600xbf16>) -> ()
  return
}
