// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// X has no home where X^T is computed, so the DMA transposes it on its way from HBM, as trn2
// can.

#id = affine_map<(d0, d1) -> (d0, d1)>

module attributes {trn.machine = #trn.machine<"trn2">} {

// CHECK-LABEL: func.func private @by_dma(
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W]] {trn.stage = "o"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   %[[ARG0_TILE:.*]] = memref.subview %arg0[%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.dma_transpose %[[ARG0_TILE]] to %[[XT]] {trn.stage = "xt"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   %[[ARG2_TILE:.*]] = memref.subview %arg2[%{{.*}}, 0] [128, 512] [1, 1]
// CHECK:   trn.dma_copy %[[O]] to %[[ARG2_TILE]] {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @by_dma(%x: memref<256x128xbf16>, %w: memref<128x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 128, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128), o (m = 128)],
    homes = [xt at m, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x128xbf16>, tensor<128x512xbf16>) outs(%o_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_init = tensor.empty() : tensor<256x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x512xf32>) outs(%o_init : tensor<256x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}
}
