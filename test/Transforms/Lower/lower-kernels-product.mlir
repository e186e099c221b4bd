// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// A product whose X is given transposed. Nothing of linalg and no tensor is left; every
// instruction carries its stage, every buffer its matrix. Sums begin with the first tile of k
// and go on with the others; a block of the result is stored as soon as it is complete.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @product(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[XT]] {trn.stage = "o"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[W:.*]] = trn.alloc buffers 2 {trn.matrix = "w"} : memref<256x512xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @product(%x: memref<256x128xbf16>, %w: memref<256x1024xbf16>, %o: memref<128x1024xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 256, m = 128, n = 1024],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n f32 result],
    stages = [o = xt * w over k],
    nests = [o (n = 512)],
    homes = [xt at kernel, w at n slots 2, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x1024xbf16> to tensor<256x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<128x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<256x128xbf16>, tensor<256x1024xbf16>) outs(%o_zero : tensor<128x1024xf32>) -> tensor<128x1024xf32>
  %o_init = tensor.empty() : tensor<128x1024xf32>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<128x1024xf32>) outs(%o_init : tensor<128x1024xf32>) {
  ^bb0(%sum: f32, %old: f32):
    linalg.yield %sum : f32
  } -> tensor<128x1024xf32>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<128x1024xf32>, memref<128x1024xf32>) -> ()
  return
}
