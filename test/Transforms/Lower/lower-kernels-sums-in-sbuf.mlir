// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Where the contraction is cut by a loop further out, sums lie in SBUF: the first block is
// written, the others are added.

#id = affine_map<(d0, d1) -> (d0, d1)>

// In f32, until they are complete and rounded.

// CHECK-LABEL: func.func private @in_f32(
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<sbuf>>
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT]] {trn.stage = "o"}
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT_2]] {trn.stage = "o"}
// CHECK: %[[W_2:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[W_2]] {trn.stage = "o"}
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT_2]]{{ .*}}) moving(%[[W_2]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_tensor add(%[[O_BANK_2]]{{ .*}}, %[[O]]{{ .*}}) into %[[O]]{{ .*}}{trn.stage = "o"}
// CHECK: %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_copy %[[O]] into %[[O_2]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O_2]] to %arg2 {trn.stage = "o"}
func.func private @in_f32(%x: memref<256x128xbf16>, %w: memref<256x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 256, m = 128, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128)],
    homes = [xt at k, w at k, o at kernel sums at kernel in sbuf f32]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<128x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<256x128xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
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

// In the type of the result they lie where it does.

// CHECK-LABEL: func.func private @in_its_own_type(
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT]] {trn.stage = "o"}
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[XT_2]] {trn.stage = "o"}
// CHECK: %[[W_2:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[W_2]] {trn.stage = "o"}
// CHECK: %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT_2]]{{ .*}}) moving(%[[W_2]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK: trn.tensor_tensor add(%[[O_BANK_2]]{{ .*}}, %[[O]]{{ .*}}) into %[[O]]{{ .*}}{trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %arg2 {trn.stage = "o"}
func.func private @in_its_own_type(%x: memref<256x128xbf16>, %w: memref<256x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 256, m = 128, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128)],
    homes = [xt at k, w at k, o at kernel sums at kernel in sbuf bf16]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<128x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<256x128xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
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

// Without sums outside of the loop they go through HBM: each block is stored, and loaded again
// before something is added.

// CHECK-LABEL: func.func private @through_hbm(
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[XT]] {trn.stage = "o"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[W]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[W_2:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W_2]] {trn.stage = "o"}
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     %[[XT_2:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:     trn.dma_copy %{{.*}} to %[[XT_2]] {trn.stage = "o"}
// CHECK:     %[[O_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK:     trn.dma_copy %{{.*}} to %[[O_2]] {trn.stage = "o"}
// CHECK:     %[[O_BANK_2:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK:     trn.matmul stationary(%[[XT_2]]{{ .*}}) moving(%[[W_2]]{{ .*}}) into %[[O_BANK_2]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:     trn.tensor_tensor add(%[[O_BANK_2]]{{ .*}}, %[[O_2]]{{ .*}}) into %[[O_2]]{{ .*}}{trn.stage = "o"}
// CHECK:     trn.dma_copy %[[O_2]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: {{^ +}}}
func.func private @through_hbm(%x: memref<384x256xbf16>, %w: memref<384x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 384, m = 256, n = 512],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (k = 128, m = 128)],
    homes = [xt at m, w at k, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<384x256xbf16> to tensor<384x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<384x512xbf16> to tensor<384x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<384x256xbf16>, tensor<384x512xbf16>) outs(%o_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
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
