// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// While a strip is computed, X^T of the next one comes into a second buffer. The two take
// turns, so the loop runs over pairs of strips, with what is left behind it.

#id = affine_map<(d0, d1) -> (d0, d1)>

// Five strips: two pairs fill the next strip's, the last one fills nothing.

// CHECK-LABEL: func.func private @pairs(
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W]] {trn.stage = "o"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[X]] {trn.stage = "xt"}
// CHECK: %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X]] into %[[XT_BANK]] : {{.*}} {trn.stage = "xt"}
// CHECK: trn.tensor_copy %[[XT_BANK]] into %[[XT]] : {{.*}} {trn.stage = "xt"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK:   %[[X_2:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[X_2]] {trn.stage = "xt"}
// CHECK:   %[[XT_BANK_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.transpose %[[X_2]] into %[[XT_BANK_2]] : {{.*}} {trn.stage = "xt"}
// CHECK:   trn.tensor_copy %[[XT_BANK_2]] into %[[XT_2]] : {{.*}} {trn.stage = "xt"}
// CHECK:   %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[XT_2]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK_2]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O_2]] to %{{.*}} {trn.stage = "o"}
// CHECK:   %[[X_3:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[X_3]] {trn.stage = "xt"}
// CHECK:   %[[XT_BANK_3:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.transpose %[[X_3]] into %[[XT_BANK_3]] : {{.*}} {trn.stage = "xt"}
// CHECK:   trn.tensor_copy %[[XT_BANK_3]] into %[[XT]] : {{.*}} {trn.stage = "xt"}
// CHECK: {{^ +}}}
// CHECK: %[[O_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK_3]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_3]] into %[[O_3]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_3]] to %{{.*}} {trn.stage = "o"}
func.func private @pairs(%x: memref<640x128xbf16>, %w: memref<128x512xbf16>, %o: memref<640x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 640, k = 128, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128), o (m = 128)],
    homes = [x at m, xt at m slots 2 ahead 1, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<640x128xbf16> to tensor<640x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<640x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<640x512xf32>) -> tensor<640x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<640x128xbf16>, tensor<128x512xbf16>) outs(%o_zero : tensor<640x512xf32>) -> tensor<640x512xf32>
  %o_init = tensor.empty() : tensor<640x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<640x512xf32>) outs(%o_init : tensor<640x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<640x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<640x512xbf16>, memref<640x512xbf16>) -> ()
  return
}

// An input that needs no transposition is loaded in the same way. Of four strips the first
// three fill the next one.

// CHECK-LABEL: func.func private @loaded(
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W]] {trn.stage = "o"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT]] {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %{{.*}} to %[[XT_2]] {trn.stage = "o"}
// CHECK: %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT_2]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_2]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_2]] to %{{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %{{.*}} to %[[XT]] {trn.stage = "o"}
// CHECK: %[[O_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK_3:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK_3]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_3]] into %[[O_3]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_3]] to %{{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %{{.*}} to %[[XT_2]] {trn.stage = "o"}
// CHECK: %[[O_4:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK_4:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT_2]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK_4]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK_4]] into %[[O_4]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_4]] to %{{.*}} {trn.stage = "o"}
func.func private @loaded(%x: memref<128x512xbf16>, %w: memref<128x512xbf16>, %o: memref<512x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 512, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 128)],
    homes = [xt at m slots 2 ahead 1, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<512x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x512xbf16>, tensor<128x512xbf16>) outs(%o_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_init = tensor.empty() : tensor<512x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<512x512xf32>) outs(%o_init : tensor<512x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<512x512xbf16>, memref<512x512xbf16>) -> ()
  return
}
