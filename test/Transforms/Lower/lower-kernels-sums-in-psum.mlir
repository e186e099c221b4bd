// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Blocks of a weight stream by once, and the sums of all tiles of O stay open in banks of PSUM
// meanwhile. Every first product of a bank begins its sums, the others go on.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @one_row_of_tiles(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<384x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[XT]] {trn.stage = "o"}
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:   %[[W:.*]] = trn.alloc buffers 3 {trn.matrix = "w"} : memref<128x1024xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x1024xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O_BANK]] into %{{.*}} : {{.*}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_2]] into %{{.*}} : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %arg2 {trn.stage = "o"}
func.func private @one_row_of_tiles(%x: memref<384x128xbf16>, %w: memref<384x1024xbf16>, %o: memref<128x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 384, m = 128, n = 1024],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128)],
    homes = [xt at kernel, w at k slots 3, o at kernel sums at kernel in psum]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<384x128xbf16> to tensor<384x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<384x1024xbf16> to tensor<384x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<128x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<384x128xbf16>, tensor<384x1024xbf16>) outs(%o_zero : tensor<128x1024xf32>) -> tensor<128x1024xf32>
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

// Ragged tiles have banks of their own. The loop over k lies inside of the one over m, so the
// sums of a strip are taken out before the next one's begin.

// CHECK-LABEL: func.func private @inside_of_a_strip(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT]] {trn.stage = "o"}
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x88xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[W:.*]] = trn.alloc buffers 3 {trn.matrix = "w"} : memref<128x600xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x600xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O_BANK]] into %{{.*}} : {{.*}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_2]] into %{{.*}} : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<256x72xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT_2]] {trn.stage = "o"}
// CHECK: %[[O_BANK_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<72x512xf32, #trn.mem<psum>>
// CHECK: %[[O_BANK_4:.*]] = trn.alloc {trn.matrix = "o"} : memref<72x88xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[W_2:.*]] = trn.alloc buffers 3 {trn.matrix = "w"} : memref<128x600xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W_2]] {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_3]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_4]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<72x600xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O_BANK_3]] into %{{.*}} : {{.*}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_4]] into %{{.*}} : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_2]] to %{{.*}} {trn.stage = "o"}
func.func private @inside_of_a_strip(%x: memref<256x200xbf16>, %w: memref<256x600xbf16>, %o: memref<200x600xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 256, m = 200, n = 600],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128, k = 128)],
    homes = [xt at m, w at k slots 3, o at m sums at m in psum]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x200xbf16> to tensor<256x200xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x600xbf16> to tensor<256x600xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<200x600xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<200x600xf32>) -> tensor<200x600xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<256x200xbf16>, tensor<256x600xbf16>) outs(%o_zero : tensor<200x600xf32>) -> tensor<200x600xf32>
  %o_init = tensor.empty() : tensor<200x600xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<200x600xf32>) outs(%o_init : tensor<200x600xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<200x600xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<200x600xbf16>, memref<200x600xbf16>) -> ()
  return
}

// Tiles of few columns lie side by side in a bank, the last one with fewer rows.

// CHECK-LABEL: func.func private @tiles_share_a_bank(
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x12xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:   %[[FIRST:.*]] = memref.subview %[[O_BANK]][0, 0] [128, 4] [1, 1]
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[FIRST]] : {{.*}} accumulate(
// CHECK:   %[[SECOND:.*]] = memref.subview %[[O_BANK]][0, 4] [128, 4] [1, 1]
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[SECOND]] : {{.*}} accumulate(
// CHECK:   %[[THIRD:.*]] = memref.subview %[[O_BANK]][0, 8] [44, 4] [1, 1]
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[THIRD]] : {{.*}} accumulate(
// CHECK: {{^ +}}}
// CHECK: %[[SUMS:.*]] = memref.subview %[[O_BANK]][0, 8] [44, 4] [1, 1]
// CHECK: trn.tensor_copy %[[SUMS]] into
func.func private @tiles_share_a_bank(%x: memref<384x300xbf16>, %w: memref<384x4xbf16>, %o: memref<300x4xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 384, m = 300, n = 4],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128)],
    homes = [xt at k slots 3, w at kernel, o at kernel sums at kernel in psum]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<384x300xbf16> to tensor<384x300xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<384x4xbf16> to tensor<384x4xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<300x4xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<300x4xf32>) -> tensor<300x4xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<384x300xbf16>, tensor<384x4xbf16>) outs(%o_zero : tensor<300x4xf32>) -> tensor<300x4xf32>
  %o_init = tensor.empty() : tensor<300x4xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<300x4xf32>) outs(%o_init : tensor<300x4xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<300x4xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<300x4xbf16>, memref<300x4xbf16>) -> ()
  return
}
