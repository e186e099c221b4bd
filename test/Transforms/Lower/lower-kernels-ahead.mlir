// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// Y^T of the next strip is computed while O of this one is: a block of its rows behind each block
// of columns.

// CHECK-LABEL: func.func private @product(
// CHECK: trn.alloc {trn.matrix = "xt"} : memref<256x512xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c4{{(_[0-9]+)?}} step
// CHECK: trn.alloc buffers 2 {trn.matrix = "x"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "xt"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.transpose {{.*}}{trn.stage = "xt"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "xt"}
// CHECK: }
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "u"} : memref<256x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "yt"}
// CHECK: trn.alloc {trn.matrix = "v"} : memref<256x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.alloc {trn.matrix = "yt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc {trn.matrix = "yt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: }
func.func private @product(%x: memref<512x256xbf16>, %u: memref<256x256xbf16>, %v: memref<256x512xbf16>, %o: memref<512x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 512, k = 256, r = 256, n = 512],
    matrices = [x : m x k bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yt : r x m bf16, xt : k x m bf16],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (m = 128), yt (m = 128, r = 128), o (m = 128, n = 256)],
    homes = [x at m slots 2, xt at kernel, yt at m slots 2 ahead 1, u at kernel, v at kernel, o at n]>} {
  %zero = arith.constant 0.0 : f32
  %x_in = bufferization.to_tensor %x restrict : memref<512x256xbf16> to tensor<512x256xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %y_empty = tensor.empty() : tensor<512x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<512x256xf32>) -> tensor<512x256xf32>
  %y_sums = linalg.matmul ins(%x_in, %u_in : tensor<512x256xbf16>, tensor<256x256xbf16>) outs(%y_zero : tensor<512x256xf32>) -> tensor<512x256xf32>
  %y_init = tensor.empty() : tensor<512x256xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<512x256xf32>) outs(%y_init : tensor<512x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x256xbf16>
  %o_empty = tensor.empty() : tensor<512x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<512x256xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
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

// Three strips are in flight: X^T runs two ahead, Y^T one, which reads what came in the iteration
// before. X^T comes in one piece.

// CHECK-LABEL: func.func private @strips_in_flight(
// CHECK: trn.alloc {trn.matrix = "u"} : memref<256x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "yt"}
// CHECK: trn.alloc {trn.matrix = "v"} : memref<256x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc {trn.matrix = "yt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc {trn.matrix = "yt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc buffers 2 {trn.matrix = "x"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "xt"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.transpose {{.*}}{trn.stage = "xt"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "xt"}
// CHECK: }
// CHECK: trn.alloc buffers 2 {trn.matrix = "x"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "xt"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.transpose {{.*}}{trn.stage = "xt"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "xt"}
// CHECK: }
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.alloc buffers 2 {trn.matrix = "x"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "xt"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.transpose {{.*}}{trn.stage = "xt"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "xt"}
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
func.func private @strips_in_flight(%x: memref<768x256xbf16>, %u: memref<256x256xbf16>, %v: memref<256x256xbf16>, %o: memref<768x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 768, k = 256, r = 256, n = 256],
    matrices = [x : m x k bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yt : r x m bf16, xt : k x m bf16],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
    nests = [xt (m = 128), yt (m = 128, r = 128), o (m = 128, n = 128)],
    homes = [x at m slots 2, xt at m slots 2 ahead 2 in 1, u at kernel, yt at m slots 2 ahead 1, v at kernel, o at n]>} {
  %zero = arith.constant 0.0 : f32
  %x_in = bufferization.to_tensor %x restrict : memref<768x256xbf16> to tensor<768x256xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %y_empty = tensor.empty() : tensor<768x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<768x256xf32>) -> tensor<768x256xf32>
  %y_sums = linalg.matmul ins(%x_in, %u_in : tensor<768x256xbf16>, tensor<256x256xbf16>) outs(%y_zero : tensor<768x256xf32>) -> tensor<768x256xf32>
  %y_init = tensor.empty() : tensor<768x256xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<768x256xf32>) outs(%y_init : tensor<768x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<768x256xbf16>
  %o_empty = tensor.empty() : tensor<768x256xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<768x256xf32>) -> tensor<768x256xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<768x256xbf16>, tensor<256x256xbf16>) outs(%o_zero : tensor<768x256xf32>) -> tensor<768x256xf32>
  %o_init = tensor.empty() : tensor<768x256xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<768x256xf32>) outs(%o_init : tensor<768x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<768x256xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<768x256xbf16>, memref<768x256xbf16>) -> ()
  return
}

// A kernel of two chains: the weight of the second one is loaded, and its Z turned, while the
// first one is computed, in two pieces each.

// CHECK-LABEL: func.func private @two_chains(
// CHECK: trn.alloc {trn.matrix = "zt"} : memref<256x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc {trn.matrix = "w"} : memref<256x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc {trn.matrix = "u"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "yt"}
// CHECK: trn.alloc {trn.matrix = "v"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.alloc {trn.matrix = "x"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "xt"}
// CHECK: trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.transpose {{.*}}{trn.stage = "xt"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "xt"}
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "yt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.alloc {trn.matrix = "z"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "zt"}
// CHECK: trn.transpose {{.*}}{trn.stage = "zt"}
// CHECK: trn.transpose {{.*}}{trn.stage = "zt"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "zt"}
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "x"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "xt"}
// CHECK: trn.alloc {trn.matrix = "xt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.transpose {{.*}}{trn.stage = "xt"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "xt"}
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "yt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "yt"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "yt"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "q"}
// CHECK: }
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.alloc {trn.matrix = "q"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "q"}
// CHECK: }
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "q"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "q"}
// CHECK: }
func.func private @two_chains(%x: memref<256x256xbf16>, %u: memref<256x128xbf16>, %v: memref<128x512xbf16>, %z: memref<256x256xbf16>, %w: memref<256x512xbf16>, %o: memref<256x512xbf16> {trn.result}, %q: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, r = 128, n = 512, i = 256, l = 256, j = 512],
    matrices = [x : m x k bf16 input, u : k x r bf16 input, v : r x n bf16 input, z : i x l bf16 input, w : l x j bf16 input, o : m x n bf16 result, q : i x j bf16 result, yt : r x m bf16, xt : k x m bf16, zt : l x i bf16],
    stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r, zt = transpose z, q = zt * w over l],
    nests = [xt (m = 128), yt (m = 128), o (m = 128, n = 256), zt (l = 128), q (i = 128)],
    homes = [x at m, xt at m, u at kernel, yt at m, v at kernel, o at n, z at l, zt at kernel ahead 1, w at kernel ahead 1 in 2, q at i]>} {
  %zero = arith.constant 0.0 : f32
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %z_in = bufferization.to_tensor %z restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %y_empty = tensor.empty() : tensor<256x128xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %y_sums = linalg.matmul ins(%x_in, %u_in : tensor<256x256xbf16>, tensor<256x128xbf16>) outs(%y_zero : tensor<256x128xf32>) -> tensor<256x128xf32>
  %y_init = tensor.empty() : tensor<256x128xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<256x128xf32>) outs(%y_init : tensor<256x128xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x128xbf16>
  %o_empty = tensor.empty() : tensor<256x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<256x128xbf16>, tensor<128x512xbf16>) outs(%o_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_init = tensor.empty() : tensor<256x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x512xf32>) outs(%o_init : tensor<256x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  %q_empty = tensor.empty() : tensor<256x512xf32>
  %q_zero = linalg.fill ins(%zero : f32) outs(%q_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %q_sums = linalg.matmul ins(%z_in, %w_in : tensor<256x256xbf16>, tensor<256x512xbf16>) outs(%q_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
  %q_init = tensor.empty() : tensor<256x512xbf16>
  %q_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%q_sums : tensor<256x512xf32>) outs(%q_init : tensor<256x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  bufferization.materialize_in_destination %q_out in restrict writable %q : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// Rows of W that lie beside each other on a partition come in one piece.

// CHECK-LABEL: func.func private @by_partitions(
// CHECK: trn.alloc {trn.matrix = "xt"} : memref<128x32xbf16, #trn.mem<sbuf>>
// CHECK: scf.for {{.*}} to %c4{{(_[0-9]+)?}} step
// CHECK: trn.dma_copy {{.*}}{trn.stage = "xt"}
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "w"} : memref<128x1024xbf16, #trn.mem<sbuf>>
// CHECK: trn.alloc {trn.matrix = "w"} : memref<128x1024xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
// CHECK: scf.for {{.*}} to %c2{{(_[0-9]+)?}} step
// CHECK: trn.matmul {{.*}}{trn.stage = "o"}
// CHECK: }
// CHECK: trn.alloc {trn.matrix = "o"} : memref<4x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy {{.*}}{trn.stage = "o"}
// CHECK: trn.dma_copy {{.*}}{trn.stage = "o"}
func.func private @by_partitions(%x: memref<4x1024xbf16>, %w: memref<1024x512xbf16>, %o: memref<4x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 4, k = 1024, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (m = 4, n = 512, k = 256)],
    homes = [xt at kernel packed, w at k slots 2 ahead 1 in 1, o at n sums at n in psum],
    interleaved = [k]>} {
  %zero = arith.constant 0.0 : f32
  %x_in = bufferization.to_tensor %x restrict : memref<4x1024xbf16> to tensor<4x1024xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<1024x512xbf16> to tensor<1024x512xbf16>
  %o_empty = tensor.empty() : tensor<4x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<4x512xf32>) -> tensor<4x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<4x1024xbf16>, tensor<1024x512xbf16>) outs(%o_zero : tensor<4x512xf32>) -> tensor<4x512xf32>
  %o_init = tensor.empty() : tensor<4x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<4x512xf32>) outs(%o_init : tensor<4x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<4x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<4x512xbf16>, memref<4x512xbf16>) -> ()
  return
}
