// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Few rows of X would come through few partitions. Packed, each row is cut into as many rows
// as tiles of k fit: 16 rows of 512 are 64 of 128. Turned at once, tile t of k is every fourth
// column from t on.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @packed(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x64xbf16, #trn.mem<sbuf>>
// CHECK: %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<64x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[X]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x64xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X]] into %[[XT_BANK]] : {{.*}} {trn.stage = "xt"}
// CHECK: trn.tensor_copy %[[XT_BANK]] into %[[XT]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<512x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W]] {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<16x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<16x512xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 {
// CHECK:   %[[XT_TILE:.*]] = memref.subview %[[XT]][0, %{{.*}}] [128, 16] [1, 4]
// CHECK:   %[[W_TILE:.*]] = memref.subview %[[W]][%{{.*}}, 0] [128, 512] [1, 1]
// CHECK:   trn.matmul stationary(%[[XT_TILE]]{{ .*}}) moving(%[[W_TILE]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %arg2 {trn.stage = "o"}
func.func private @packed(%x: memref<16x512xbf16>, %w: memref<512x512xbf16>, %o: memref<16x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 16, k = 512, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel packed, xt at kernel packed, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<16x512xbf16> to tensor<16x512xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<512x512xbf16> to tensor<512x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<16x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<16x512xf32>) -> tensor<16x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<16x512xbf16>, tensor<512x512xbf16>) outs(%o_zero : tensor<16x512xf32>) -> tensor<16x512xf32>
  %o_init = tensor.empty() : tensor<16x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<16x512xf32>) outs(%o_init : tensor<16x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<16x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<16x512xbf16>, memref<16x512xbf16>) -> ()
  return
}
