// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-lower-kernels

// A schedule may be edited, and a body, too: a kernel that is lowered computes what both say.
// What bodies may hold is in kernel-graph-invalid.mlir, which plans can be followed in
// Dialect/Trn/schedule-plan-invalid.mlir.

#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{kernel has no plan; run trn-plan-kernels first}}
func.func private @no_schedule(%x: memref<64x96xbf16>, %w: memref<96x32xbf16>, %o: memref<64x32xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x96xbf16> to tensor<64x96xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xbf16> to tensor<96x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<64x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%o_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_init = tensor.empty() : tensor<64x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<64x32xf32>) outs(%o_init : tensor<64x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{kernel has no plan; run trn-plan-kernels first}}
func.func private @graph_without_a_plan(%x: memref<64x96xbf16>, %w: memref<96x32xbf16>, %o: memref<64x32xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 64, k = 96, n = 32],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x96xbf16> to tensor<64x96xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xbf16> to tensor<96x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<64x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%o_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_init = tensor.empty() : tensor<64x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<64x32xf32>) outs(%o_init : tensor<64x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
  return
}

// -----

// The arguments fit, but the schedule multiplies X^T twice.
#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{trn.schedule computes something else than the kernel; plan it again with trn-plan-kernels}}
// expected-note @below {{the kernel computes, up to names, dims = [m = 64, k = 96, n = 32], matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16], stages = [xt = transpose x, o = xt * w over k]}}
func.func private @another_product(%x: memref<64x96xbf16>, %w: memref<96x32xbf16>, %o: memref<64x32xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 64, k = 96, n = 32],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k + xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel, xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x96xbf16> to tensor<64x96xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xbf16> to tensor<96x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<64x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%o_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_init = tensor.empty() : tensor<64x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<64x32xf32>) outs(%o_init : tensor<64x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
  return
}

// -----

// Dims are known by their order.
#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{trn.schedule computes something else than the kernel; plan it again with trn-plan-kernels}}
// expected-note @below {{the kernel computes, up to names, dims = [m = 64, k = 96, n = 32], matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16], stages = [xt = transpose x, o = xt * w over k]}}
func.func private @another_order(%x: memref<64x96xbf16>, %w: memref<96x32xbf16>, %o: memref<64x32xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 96, m = 64, n = 32],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel, xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x96xbf16> to tensor<64x96xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xbf16> to tensor<96x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<64x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%o_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_init = tensor.empty() : tensor<64x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<64x32xf32>) outs(%o_init : tensor<64x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
  return
}

// -----

// X is transposed by the body and by nobody in the schedule; it is square, so the types agree.
#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{trn.schedule computes something else than the kernel; plan it again with trn-plan-kernels}}
// expected-note @below {{stages = [xt = transpose x, o = xt * w over k]}}
func.func private @another_layout(%x: memref<96x96xbf16>, %w: memref<96x32xbf16>, %o: memref<96x32xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 96, m = 96, n = 32],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<96x96xbf16> to tensor<96x96xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xbf16> to tensor<96x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<96x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<96x32xf32>) -> tensor<96x32xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<96x96xbf16>, tensor<96x32xbf16>) outs(%o_zero : tensor<96x32xf32>) -> tensor<96x32xf32>
  %o_init = tensor.empty() : tensor<96x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<96x32xf32>) outs(%o_init : tensor<96x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<96x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<96x32xbf16>, memref<96x32xbf16>) -> ()
  return
}

// -----

// A part that is not behind the others of its dim, as the compiler splits them.
#id = affine_map<(d0, d1) -> (d0, d1)>

// expected-error @below {{trn.schedule computes something else than the kernel; plan it again with trn-plan-kernels}}
// expected-note @below {{the kernel computes, up to names, dims = [k = 96, m = 64, r = 256, n = 32, ra = 128 of r, rb = 128 of r from 128], matrices = [x : k x m bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yta : ra x m bf16, ytb : rb x m bf16], stages = [yta = u * x over k, ytb = u * x over k, o = yta * v over ra + ytb * v over rb]}}
func.func private @other_parts(%x: memref<96x64xbf16>, %u: memref<96x256xbf16>, %v: memref<256x32xbf16>, %o: memref<64x32xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 96, m = 64, r = 256, n = 32, ra = 128 of r from 128, rb = 128 of r],
    matrices = [xt : k x m bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result, yta : ra x m bf16, ytb : rb x m bf16],
    stages = [yta = u * xt over k, ytb = u * xt over k, o = yta * v over ra + ytb * v over rb],
    nests = [yta (), ytb (), o ()],
    homes = [xt at kernel, u at kernel, yta at kernel, ytb at kernel, v at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<96x64xbf16> to tensor<96x64xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<96x256xbf16> to tensor<96x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x32xbf16> to tensor<256x32xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x256xf32>) -> tensor<64x256xf32>
  %y_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %u_in : tensor<96x64xbf16>, tensor<96x256xbf16>) outs(%y_zero : tensor<64x256xf32>) -> tensor<64x256xf32>
  %y_init = tensor.empty() : tensor<64x256xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<64x256xf32>) outs(%y_init : tensor<64x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x256xbf16>
  %o_empty = tensor.empty() : tensor<64x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<64x256xbf16>, tensor<256x32xbf16>) outs(%o_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_init = tensor.empty() : tensor<64x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<64x32xf32>) outs(%o_init : tensor<64x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

module attributes {trn.machine = #trn.machine<"trn1", {moving_free_max = 64 : i64}>} {
// expected-error @below {{'moving_free_max' of the machine is 64, but kernels are cut into tiles of 'partitions' rows and columns, so it must be at least 128}}
func.func private @machine_without_tiles(%x: memref<64x96xbf16>, %w: memref<96x32xbf16>, %o: memref<64x32xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x96xbf16> to tensor<64x96xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xbf16> to tensor<96x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<64x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%o_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_init = tensor.empty() : tensor<64x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<64x32xf32>) outs(%o_init : tensor<64x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<64x32xbf16>, memref<64x32xbf16>) -> ()
  return
}
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// All of W takes 2 tiles of rows by 65536 columns of 2 bytes.

// expected-error @below {{trn.schedule is too large for SBUF: 278784 bytes a partition are needed, but 180224 are usable (w [256 x 65536] 262144, o [64 x 8192] 16384, xt [256 x 64] 256)}}
func.func private @schedule_beyond_sbuf(%x: memref<256x64xbf16>, %w: memref<256x65536xbf16>, %o: memref<64x65536xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 256, m = 64, n = 65536],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o (m = 64, n = 8192)],
    homes = [xt at kernel, w at kernel, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x64xbf16> to tensor<256x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x65536xbf16> to tensor<256x65536xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<64x65536xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x65536xf32>) -> tensor<64x65536xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<256x64xbf16>, tensor<256x65536xbf16>) outs(%o_zero : tensor<64x65536xf32>) -> tensor<64x65536xf32>
  %o_init = tensor.empty() : tensor<64x65536xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<64x65536xf32>) outs(%o_init : tensor<64x65536xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<64x65536xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<64x65536xbf16>, memref<64x65536xbf16>) -> ()
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// The sums of O fill all banks, and X is transposed beside them.

// expected-error @below {{trn.schedule is too large for PSUM: 9 banks are needed, but there are 8}}
func.func private @schedule_beyond_psum(%x: memref<128x256xbf16>, %w: memref<256x4096xbf16>, %o: memref<128x4096xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 128, k = 256, n = 4096],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (m = 128, k = 128), o (m = 128, k = 128)],
    homes = [x at k, xt at k, w at k, o at m sums at m in psum]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x4096xbf16> to tensor<256x4096xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<128x4096xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x4096xf32>) -> tensor<128x4096xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<128x256xbf16>, tensor<256x4096xbf16>) outs(%o_zero : tensor<128x4096xf32>) -> tensor<128x4096xf32>
  %o_init = tensor.empty() : tensor<128x4096xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<128x4096xf32>) outs(%o_init : tensor<128x4096xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x4096xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<128x4096xbf16>, memref<128x4096xbf16>) -> ()
  return
}
