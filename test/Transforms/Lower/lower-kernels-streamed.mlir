// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Nothing can run before X is there, so the first strip's pieces come one ahead of the
// products that read them: the tensor engine begins when two pieces of three are there. Pieces
// of the second strip come while the second block of columns is computed.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @streamed(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<384x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<384x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: %[[X:.*]] = trn.alloc buffers 2 {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[ARG0_TILE:.*]] = memref.subview %arg0[0, 0] [128, 128] [1, 1]
// CHECK: trn.dma_copy %[[ARG0_TILE]] to %[[X]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X]] into %[[XT_BANK]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[XT_TILE:.*]] = memref.subview %[[XT]][0, 0] [128, 128] [1, 1]
// CHECK: trn.tensor_copy %[[XT_BANK]] into %[[XT_TILE]] : {{.*}} {trn.stage = "xt"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[X_2:.*]] = trn.alloc buffers 2 {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   %[[ARG0_TILE_2:.*]] = memref.subview %arg0[0, %{{.*}}] [128, 128] [1, 1]
// CHECK:   trn.dma_copy %[[ARG0_TILE_2]] to %[[X_2]] {trn.stage = "xt"}
// CHECK:   %[[XT_BANK_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.transpose %[[X_2]] into %[[XT_BANK_2]] : {{.*}} {trn.stage = "xt"}
// CHECK:   %[[XT_TILE_2:.*]] = memref.subview %[[XT]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.tensor_copy %[[XT_BANK_2]] into %[[XT_TILE_2]] : {{.*}} {trn.stage = "xt"}
// CHECK:   %[[W:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[ARG1_TILE:.*]] = memref.subview %arg1[%{{.*}}, 0] [128, 512] [1, 1]
// CHECK:   trn.dma_copy %[[ARG1_TILE]] to %[[W]] {trn.stage = "o"}
// CHECK:   %[[XT_TILE_3:.*]] = memref.subview %[[XT]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.matmul stationary(%[[XT_TILE_3]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: %[[W_2:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[ARG1_TILE_2:.*]] = memref.subview %arg1[256, 0] [128, 512] [1, 1]
// CHECK: trn.dma_copy %[[ARG1_TILE_2]] to %[[W_2]] {trn.stage = "o"}
// CHECK: %[[XT_TILE_4:.*]] = memref.subview %[[XT]][256, 0] [128, 128] [1, 1]
// CHECK: trn.matmul stationary(%[[XT_TILE_4]]{{ .*}}) moving(%[[W_2]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%true) {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: %[[ARG2_TILE:.*]] = memref.subview %arg2[0, 0] [128, 512] [1, 1]
// CHECK: trn.dma_copy %[[O]] to %[[ARG2_TILE]] {trn.stage = "o"}
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:   %[[W_3:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[ARG1_TILE_3:.*]] = memref.subview %arg1[%{{.*}}, 512] [128, 512] [1, 1]
// CHECK:   trn.dma_copy %[[ARG1_TILE_3]] to %[[W_3]] {trn.stage = "o"}
// CHECK:   %[[XT_TILE_5:.*]] = memref.subview %[[XT]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.matmul stationary(%[[XT_TILE_5]]{{ .*}}) moving(%[[W_3]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK:   %[[X_3:.*]] = trn.alloc buffers 2 {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   %[[ARG0_TILE_3:.*]] = memref.subview %arg0[128, %{{.*}}] [128, 128] [1, 1]
// CHECK:   trn.dma_copy %[[ARG0_TILE_3]] to %[[X_3]] {trn.stage = "xt"}
// CHECK:   %[[XT_BANK_3:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.transpose %[[X_3]] into %[[XT_BANK_3]] : {{.*}} {trn.stage = "xt"}
// CHECK:   %[[XT_2_TILE:.*]] = memref.subview %[[XT_2]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.tensor_copy %[[XT_BANK_3]] into %[[XT_2_TILE]] : {{.*}} {trn.stage = "xt"}
// CHECK: {{^ +}}}
// CHECK: %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O_BANK_2]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK: %[[ARG2_TILE_2:.*]] = memref.subview %arg2[0, 512] [128, 512] [1, 1]
// CHECK: trn.dma_copy %[[O_2]] to %[[ARG2_TILE_2]] {trn.stage = "o"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[O_BANK_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:     %[[W_4:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:     %[[ARG1_TILE_4:.*]] = memref.subview %arg1[%{{.*}}, %{{.*}}] [128, 512] [1, 1]
// CHECK:     trn.dma_copy %[[ARG1_TILE_4]] to %[[W_4]] {trn.stage = "o"}
// CHECK:     %[[XT_2_TILE_2:.*]] = memref.subview %[[XT_2]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:     trn.matmul stationary(%[[XT_2_TILE_2]]{{ .*}}) moving(%[[W_4]]{{ .*}}) into %[[O_BANK_3]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:   %[[O_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   trn.tensor_copy %[[O_BANK_3]] into %[[O_3]] : {{.*}} {trn.stage = "o"}
// CHECK:   %[[ARG2_TILE_3:.*]] = memref.subview %arg2[128, %{{.*}}] [128, 512] [1, 1]
// CHECK:   trn.dma_copy %[[O_3]] to %[[ARG2_TILE_3]] {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @streamed(%x: memref<256x384xbf16>, %w: memref<384x1024xbf16>, %o: memref<256x1024xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 384, n = 1024],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128, k = 128), o (m = 128, n = 512, k = 128)],
    homes = [x at k slots 2, xt at m slots 2 ahead 1, w at k slots 2, o at n sums at n in psum]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x384xbf16> to tensor<256x384xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<384x1024xbf16> to tensor<384x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x384xbf16>, tensor<384x1024xbf16>) outs(%o_zero : tensor<256x1024xf32>) -> tensor<256x1024xf32>
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
