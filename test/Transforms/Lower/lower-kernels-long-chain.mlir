// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// A chain of three products: every intermediate is turned implicitly and stays on chip.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @three(
// CHECK: %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[X]] {trn.stage = "xt"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.transpose %[[X]] into %[[XT_BANK]] : {{.*}} {trn.stage = "xt"}
// CHECK: trn.tensor_copy %[[XT_BANK]] into %[[XT]] : {{.*}} {trn.stage = "xt"}
// CHECK: %[[W1:.*]] = trn.alloc {trn.matrix = "w1"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W1]] {trn.stage = "y1t"}
// CHECK: %[[Y1T:.*]] = trn.alloc {trn.matrix = "y1t"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[Y1T_BANK:.*]] = trn.alloc {trn.matrix = "y1t"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[W1]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[Y1T_BANK]] : memref<{{[^>]*>>}} {trn.stage = "y1t"}
// CHECK: trn.tensor_copy %[[Y1T_BANK]] into %[[Y1T]] : {{.*}} {trn.stage = "y1t"}
// CHECK: %[[W2:.*]] = trn.alloc {trn.matrix = "w2"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg2 to %[[W2]] {trn.stage = "y2t"}
// CHECK: %[[Y2T:.*]] = trn.alloc {trn.matrix = "y2t"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: %[[Y2T_BANK:.*]] = trn.alloc {trn.matrix = "y2t"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[W2]]{{ .*}}) moving(%[[Y1T]]{{ .*}}) into %[[Y2T_BANK]] : memref<{{[^>]*>>}} {trn.stage = "y2t"}
// CHECK: trn.tensor_copy %[[Y2T_BANK]] into %[[Y2T]] : {{.*}} {trn.stage = "y2t"}
// CHECK: %[[W3:.*]] = trn.alloc {trn.matrix = "w3"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg3 to %[[W3]] {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[Y2T]]{{ .*}}) moving(%[[W3]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %arg4 {trn.stage = "o"}
func.func private @three(%x: memref<128x128xbf16>, %w1: memref<128x128xbf16>, %w2: memref<128x128xbf16>, %w3: memref<128x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 128, k = 128, r1 = 128, r2 = 128, n = 512],
    matrices = [x : m x k bf16 input, w1 : k x r1 bf16 input, w2 : r1 x r2 bf16 input, w3 : r2 x n bf16 input, o : m x n bf16 result, y1t : r1 x m bf16, y2t : r2 x m bf16, xt : k x m bf16],
    stages = [xt = transpose x, y1t = w1 * xt over k, y2t = w2 * y1t over r1, o = y2t * w3 over r2],
    nests = [xt (), y1t (), y2t (), o ()],
    homes = [x at kernel, xt at kernel, w1 at kernel, y1t at kernel, w2 at kernel, y2t at kernel, w3 at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w1_in = bufferization.to_tensor %w1 restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w2_in = bufferization.to_tensor %w2 restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w3_in = bufferization.to_tensor %w3 restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<128x128xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y1_sums = linalg.matmul ins(%x_in, %w1_in : tensor<128x128xbf16>, tensor<128x128xbf16>) outs(%y1_zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y1_init = tensor.empty() : tensor<128x128xbf16>
  %y1_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y1_sums : tensor<128x128xf32>) outs(%y1_init : tensor<128x128xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x128xbf16>
  %y2_empty = tensor.empty() : tensor<128x128xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y2_sums = linalg.matmul ins(%y1_out, %w2_in : tensor<128x128xbf16>, tensor<128x128xbf16>) outs(%y2_zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y2_init = tensor.empty() : tensor<128x128xbf16>
  %y2_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y2_sums : tensor<128x128xf32>) outs(%y2_init : tensor<128x128xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x128xbf16>
  %o_empty = tensor.empty() : tensor<128x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_sums = linalg.matmul ins(%y2_out, %w3_in : tensor<128x128xbf16>, tensor<128x512xbf16>) outs(%o_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
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
