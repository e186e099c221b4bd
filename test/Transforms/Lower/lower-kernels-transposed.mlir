// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// What lies the wrong way round gets a stage of its own, or is computed the other way round.

#id = affine_map<(d0, d1) -> (d0, d1)>

// X comes by rows, two neighbours on each partition. Tiles of X^T that have the same rows are turned into one bank, so
// that one copy takes them out.

// CHECK-LABEL: func.func private @x_by_rows(
// CHECK: %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[ROWS:.*]] = memref.reinterpret_cast %arg0 to offset: [0], sizes: [128, 512], strides: [512, 1]
// CHECK: trn.dma_copy %[[ROWS]] to %[[X]] {trn.stage = "xt"}
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<256x256xbf16, #trn.mem<sbuf>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[XT_BANK:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x256xf32, #trn.mem<psum>>
// CHECK:   %[[X_TILE:.*]] = memref.subview %[[X]][0, %{{.*}}] [128, 128] [1, 1]
// CHECK:   %[[XT_BANK_TILE:.*]] = memref.subview %[[XT_BANK]][0, 0] [128, 128] [1, 2]
// CHECK:   trn.transpose %[[X_TILE]] into %[[XT_BANK_TILE]] : {{.*}} {trn.stage = "xt"}
// CHECK:   %[[X_TILE_2:.*]] = memref.subview %[[X]][0, %{{.*}}] [128, 128] [1, 1]
// CHECK:   %[[XT_BANK_TILE_2:.*]] = memref.subview %[[XT_BANK]][0, 1] [128, 128] [1, 2]
// CHECK:   trn.transpose %[[X_TILE_2]] into %[[XT_BANK_TILE_2]] : {{.*}} {trn.stage = "xt"}
// CHECK:   %[[XT_TILE:.*]] = memref.subview %[[XT]][%{{.*}}, 0] [128, 256] [1, 1]
// CHECK:   trn.tensor_copy %[[XT_BANK]] into %[[XT_TILE]] : {{.*}} {trn.stage = "xt"}
// CHECK: {{^ +}}}
// CHECK: %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[W]] {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     %[[XT_TILE_2:.*]] = memref.subview %[[XT]][%{{.*}}, %{{.*}}] [128, 128] [1, 1]
// CHECK:     %[[W_TILE:.*]] = memref.subview %[[W]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:     trn.matmul stationary(%[[XT_TILE_2]]{{ .*}}) moving(%[[W_TILE]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK:   %[[O_TILE:.*]] = memref.subview %[[O]][%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O_TILE]] : {{.*}} {trn.stage = "o"}
// CHECK:   %[[ARG2_TILE:.*]] = memref.subview %arg2[%{{.*}}, 0] [128, 128] [1, 1]
// CHECK:   trn.dma_copy %[[O_TILE]] to %[[ARG2_TILE]] {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @x_by_rows(%x: memref<256x256xbf16>, %w: memref<256x128xbf16>, %o: memref<256x128xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 128],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel, xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x128xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x256xbf16>, tensor<256x128xbf16>) outs(%o_zero : tensor<256x128xf32>) -> tensor<256x128xf32>
  %o_init = tensor.empty() : tensor<256x128xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x128xf32>) outs(%o_init : tensor<256x128xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x128xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x128xbf16>, memref<256x128xbf16>) -> ()
  return
}

// The result is stored by columns: the weight is the stationary operand, and nothing is
// turned.

// CHECK-LABEL: func.func private @o_by_columns(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[XT]] {trn.stage = "o"}
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[W:.*]] = trn.alloc {trn.matrix = "w"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK:   trn.dma_copy %{{.*}} to %[[W]] {trn.stage = "o"}
// CHECK:   %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK:   %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x256xf32, #trn.mem<psum>>
// CHECK:   trn.matmul stationary(%[[W]]{{ .*}}) moving(%[[XT]]{{ .*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} {trn.stage = "o"}
// CHECK:   trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK:   trn.dma_copy %[[O]] to %{{.*}} {trn.stage = "o"}
// CHECK: {{^ +}}}
func.func private @o_by_columns(%x: memref<128x256xbf16>, %w: memref<128x256xbf16>, %o: memref<256x256xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 256, n = 256],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : n x m bf16 result],
    stages = [o = w * xt over k],
    nests = [o (n = 128)],
    homes = [xt at kernel, w at n, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x256xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x256xbf16>, tensor<128x256xbf16>) outs(%o_zero : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o_init = tensor.empty() : tensor<256x256xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x256xf32>) outs(%o_init : tensor<256x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x256xbf16>
  %o_turned = tensor.empty() : tensor<256x256xbf16>
  %o_t = linalg.transpose ins(%o_out : tensor<256x256xbf16>) outs(%o_turned : tensor<256x256xbf16>) permutation = [1, 0]
  bufferization.materialize_in_destination %o_t in restrict writable %o : (tensor<256x256xbf16>, memref<256x256xbf16>) -> ()
  return
}

// Y is computed by rows, and turned on chip.

// CHECK-LABEL: func.func private @explicit(
// CHECK: %[[XT:.*]] = trn.alloc {trn.matrix = "xt"} : memref<128x128xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg0 to %[[XT]] {trn.stage = "y"}
// CHECK: %[[U:.*]] = trn.alloc {trn.matrix = "u"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg1 to %[[U]] {trn.stage = "y"}
// CHECK: %[[Y:.*]] = trn.alloc {trn.matrix = "y"} : memref<128x256xbf16, #trn.mem<sbuf>>
// CHECK: %[[Y_BANK:.*]] = trn.alloc {trn.matrix = "y"} : memref<128x256xf32, #trn.mem<psum>>
// CHECK: trn.matmul stationary(%[[XT]]{{ .*}}) moving(%[[U]]{{ .*}}) into %[[Y_BANK]] : memref<{{[^>]*>>}} {trn.stage = "y"}
// CHECK: trn.tensor_copy %[[Y_BANK]] into %[[Y]] : {{.*}} {trn.stage = "y"}
// CHECK: %[[YT:.*]] = trn.alloc {trn.matrix = "yt"} : memref<256x128xbf16, #trn.mem<sbuf>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   %[[YT_BANK:.*]] = trn.alloc {trn.matrix = "yt"} : memref<128x128xf32, #trn.mem<psum>>
// CHECK:   trn.transpose %{{.*}} into %[[YT_BANK]] : {{.*}} {trn.stage = "yt"}
// CHECK:   trn.tensor_copy %[[YT_BANK]] into %{{.*}} : {{.*}} {trn.stage = "yt"}
// CHECK: {{^ +}}}
// CHECK: %[[V:.*]] = trn.alloc {trn.matrix = "v"} : memref<256x512xbf16, #trn.mem<sbuf>>
// CHECK: trn.dma_copy %arg2 to %[[V]] {trn.stage = "o"}
// CHECK: %[[O:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK: %[[O_BANK:.*]] = trn.alloc {trn.matrix = "o"} : memref<128x512xf32, #trn.mem<psum>>
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   trn.matmul stationary(%{{.*}}) moving(%{{.*}}) into %[[O_BANK]] : memref<{{[^>]*>>}} accumulate(%{{.*}}) {trn.stage = "o"}
// CHECK: {{^ +}}}
// CHECK: trn.tensor_copy %[[O_BANK]] into %[[O]] : {{.*}} {trn.stage = "o"}
// CHECK: trn.dma_copy %[[O]] to %arg3 {trn.stage = "o"}
func.func private @explicit(%x: memref<128x128xbf16>, %u: memref<128x256xbf16>, %v: memref<256x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, r = 256, n = 512],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, y : m x r bf16, yt : r x m bf16],
    stages = [y = xt * u over k, yt = transpose y, o = yt * v over r],
    nests = [y (), yt (), o ()],
    homes = [xt at kernel, u at kernel, y at kernel, yt at kernel, v at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<128x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %u_in : tensor<128x128xbf16>, tensor<128x256xbf16>) outs(%y_zero : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y_init = tensor.empty() : tensor<128x256xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<128x256xf32>) outs(%y_init : tensor<128x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x256xbf16>
  %o_empty = tensor.empty() : tensor<128x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<128x256xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
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
