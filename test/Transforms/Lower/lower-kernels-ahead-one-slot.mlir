// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// X^T of the next strip comes into the place of this strip's, as soon as nobody reads it any
// more.

#id = affine_map<(d0, d1) -> (d0, d1)>

// A later nest of the strip runs meanwhile: O of this strip, X of the next one.

// CHECK-LABEL: func.func private @behind_its_readers(
// CHECK: %[[U:.*]] = trn.alloc {trn.matrix = "u"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[U]] {trn.stage = "yt"}
// CHECK: %[[V:.*]] = trn.alloc {trn.matrix = "v"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg2 to %[[V]] {trn.stage = "o"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[X]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X]] into %[[XT_BANK]] : {{.*}} {trn.stage = "xt"}
// CHECK: trn.tensor_copy %[[XT_BANK]] into %[[XT]] : {{.*}} {trn.stage = "xt"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[YT:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   %[[YT_BANK:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[U]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[YT_BANK]] : memref<{{[^>]*>>}} {trn.stage = "yt"}
// CHECK:   trn.tensor_copy %[[YT_BANK]] into %[[YT]] : {{.*}} {trn.stage = "yt"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[YT]]{{ .*}}) moving(%[[V]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK:   %[[X_2:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[X_2]] {trn.stage = "xt"}
// CHECK:   %[[XT_BANK_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.transpose %[[X_2]] into %[[XT_BANK_2]] : {{.*}} {trn.stage = "xt"}
// CHECK:   trn.tensor_copy %[[XT_BANK_2]] into %[[XT]] : {{.*}} {trn.stage = "xt"}
// CHECK: {{^ +}}}
// CHECK: %[[YT_2:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[YT_BANK_2:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[U]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[YT_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "yt"}
// CHECK: trn.tensor_copy %[[YT_BANK_2]] into %[[YT_2]] : {{.*}} {trn.stage = "yt"}
// CHECK: %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[YT_2]]{{ .*}}) moving(%[[V]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_2]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_2]] to %{{.*}} {trn.stage = "o"}
func.func private @behind_its_readers(%x: memref<384x128xbf16>, %u: memref<128x128xbf16>, %v: memref<128x512xbf16>, %o: memref<384x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 384, k = 128, r = 128, n = 512],
    matrices = [x : m x k bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yt : r x m bf16, xt : k x m bf16],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (m = 128), yt (m = 128), o (m = 128)],
    homes = [x at m, xt at m ahead 1, u at kernel, yt at m, v at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<384x128xbf16> to tensor<384x128xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<384x128xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<384x128xf32>) -> tensor<384x128xf32>
  %y_sums = linalg.matmul ins(%x_in, %u_in : tensor<384x128xbf16>, tensor<128x128xbf16>) outs(%y_zero : tensor<384x128xf32>) -> tensor<384x128xf32>
  %y_init = tensor.empty() : tensor<384x128xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<384x128xf32>) outs(%y_init : tensor<384x128xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<384x128xbf16>
  %o_empty = tensor.empty() : tensor<384x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<384x512xf32>) -> tensor<384x512xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<384x128xbf16>, tensor<128x512xbf16>) outs(%o_zero : tensor<384x512xf32>) -> tensor<384x512xf32>
  %o_init = tensor.empty() : tensor<384x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<384x512xf32>) outs(%o_init : tensor<384x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<384x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<384x512xbf16>, memref<384x512xbf16>) -> ()
  return
}

// Nothing runs behind the only product, so pieces of X^T are replaced right behind the last
// block of columns that reads them. The first strip's came one ahead of the first block.

// CHECK-LABEL: func.func private @behind_the_last_block_of_columns(
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<256x1024xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W]] {trn.stage = "o"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[ARG0_TILE:.*]] = memref.subview %arg0[0, 0] [128, 128] [1, 1]
// CHECK: trn.dma_copy %[[ARG0_TILE]] to %[[X]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X]] into %[[XT_BANK]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[XT_TILE:.*]] = memref.subview %[[XT]][0, 0] [128, 128] [1, 1]
// CHECK: trn.tensor_copy %[[XT_BANK]] into %[[XT_TILE]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[X_2:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[ARG0_TILE_2:.*]] = memref.subview %arg0[0, 128] [128, 128] [1, 1]
// CHECK: trn.dma_copy %[[ARG0_TILE_2]] to %[[X_2]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X_2]] into %[[XT_BANK_2]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[XT_TILE_2:.*]] = memref.subview %[[XT]][128, 0] [128, 128] [1, 1]
// CHECK: trn.tensor_copy %[[XT_BANK_2]] into %[[XT_TILE_2]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[W_TILE:.*]] = memref.subview %[[W]][0, 0] [128, 512] [1, 1]
// CHECK: trn.matmul stationary(%[[XT_TILE]]{{ .*}}) moving(%[[W_TILE]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: %[[W_TILE_2:.*]] = memref.subview %[[W]][128, 0] [128, 512] [1, 1]
// CHECK: trn.matmul stationary(%[[XT_TILE_2]]{{ .*}}) moving(%[[W_TILE_2]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%true) {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: %[[ARG2_TILE:.*]] = memref.subview %arg2[0, 0] [128, 512] [1, 1]
// CHECK: trn.dma_copy %[[O]] to %[[ARG2_TILE]] {trn.stage = "o"}
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: %[[W_TILE_3:.*]] = memref.subview %[[W]][0, 512] [128, 512] [1, 1]
// CHECK: trn.matmul stationary(%[[XT_TILE]]{{ .*}}) moving(%[[W_TILE_3]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: %[[X_3:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[ARG0_TILE_3:.*]] = memref.subview %arg0[128, 0] [128, 128] [1, 1]
// CHECK: trn.dma_copy %[[ARG0_TILE_3]] to %[[X_3]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK_3:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X_3]] into %[[XT_BANK_3]] : {{.*}} {trn.stage = "xt"}
// CHECK: trn.tensor_copy %[[XT_BANK_3]] into %[[XT_TILE]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[W_TILE_4:.*]] = memref.subview %[[W]][128, 512] [128, 512] [1, 1]
// CHECK: trn.matmul stationary(%[[XT_TILE_2]]{{ .*}}) moving(%[[W_TILE_4]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} accumulate(%true) {trn.stage = "o"}
// CHECK: %[[X_4:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[ARG0_TILE_4:.*]] = memref.subview %arg0[128, 128] [128, 128] [1, 1]
// CHECK: trn.dma_copy %[[ARG0_TILE_4]] to %[[X_4]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK_4:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X_4]] into %[[XT_BANK_4]] : {{.*}} {trn.stage = "xt"}
// CHECK: trn.tensor_copy %[[XT_BANK_4]] into %[[XT_TILE_2]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O_BANK_2]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK: %[[ARG2_TILE_2:.*]] = memref.subview %arg2[0, 512] [128, 512] [1, 1]
// CHECK: trn.dma_copy %[[O_2]] to %[[ARG2_TILE_2]] {trn.stage = "o"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[O_BANK_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     %[[XT_TILE_3:.*]] = memref.subview %[[XT]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:     %[[W_TILE_5:.*]] = memref.subview %[[W]][%{{.*}}, %{{.*}}] [128, 512] [1, 1]
// CHECK:     trn.matmul stationary(%[[XT_TILE_3]]{{ .*}}) moving(%[[W_TILE_5]]{{ .*}}) into %[[O_BANK_3]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:   %[[O_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   trn.tensor_copy %[[O_BANK_3]] into %[[O_3]] : {{.*}} {trn.stage = "o"}
// CHECK:   %[[ARG2_TILE_3:.*]] = memref.subview %arg2[128, %{{.*}}] [128, 512] [1, 1]
// CHECK:   trn.dma_copy %[[O_3]] to %[[ARG2_TILE_3]] {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @behind_the_last_block_of_columns(%x: memref<256x256xbf16>, %w: memref<256x1024xbf16>, %o: memref<256x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 1024],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128, k = 128), o (m = 128, n = 512, k = 128)],
    homes = [x at k, xt at m ahead 1, w at kernel, o at n sums at n in psum]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x1024xbf16> to tensor<256x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x256xbf16>, tensor<256x1024xbf16>) outs(%o_zero : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %o_init = tensor.empty() : tensor<256x1024xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x1024xf32>) outs(%o_init : tensor<256x1024xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x1024xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x1024xbf16>, memref<256x1024xbf16>) -> ()
  return
}

// Where a tile sums over all of k, pieces cannot follow its products: X^T comes between the
// strips.

// CHECK-LABEL: func.func private @between_the_strips(
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<256x1024xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W]] {trn.stage = "o"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[X]] {trn.stage = "xt"}
// CHECK:   %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.transpose %[[X]] into %[[XT_BANK]] : {{.*}} {trn.stage = "xt"}
// CHECK:   trn.tensor_copy %[[XT_BANK]] into %{{.*}} : {{.*}} {trn.stage = "xt"}
// CHECK: {{^ +}}}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:     %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:     scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:       trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:     trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:     trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     %[[X_2:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:     trn.dma_copy %{{.*}} to %[[X_2]] {trn.stage = "xt"}
// CHECK:     %[[XT_BANK_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:     trn.transpose %[[X_2]] into %[[XT_BANK_2]] : {{.*}} {trn.stage = "xt"}
// CHECK:     trn.tensor_copy %[[XT_BANK_2]] into %{{.*}} : {{.*}} {trn.stage = "xt"}
// CHECK: {{^ +}}}
// CHECK: {{^ +}}}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:   trn.tensor_copy %[[O_BANK_2]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O_2]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @between_the_strips(%x: memref<384x256xbf16>, %w: memref<256x1024xbf16>, %o: memref<384x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 384, k = 256, n = 1024],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128, k = 128), o (m = 128, n = 512)],
    homes = [x at k, xt at m ahead 1, w at kernel, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<384x256xbf16> to tensor<384x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x1024xbf16> to tensor<256x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<384x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<384x1024xf32>) -> tensor<384x1024xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<384x256xbf16>, tensor<256x1024xbf16>) outs(%o_zero : tensor<384x1024xf32>) -> tensor<384x1024xf32>
  %o_init = tensor.empty() : tensor<384x1024xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<384x1024xf32>) outs(%o_init : tensor<384x1024xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<384x1024xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<384x1024xbf16>, memref<384x1024xbf16>) -> ()
  return
}
