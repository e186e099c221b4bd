// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// What is computed of a product is computed on its way out of PSUM.

#id = affine_map<(d0, d1) -> (d0, d1)>

// One instruction computes silu, and rounds.

// CHECK-LABEL: func.func private @silu(
// CHECK: trn.matmul {{.*}} into %[[BANK:.*]] :
// CHECK-NOT: trn.tensor
// CHECK: trn.activation silu(%[[BANK]] : memref<128x512xf32, #trn.mem<psum>>) into %{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>>
// CHECK-NOT: trn.activation
func.func private @silu(%x: memref<128x256xbf16>, %w: memref<128x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 256, n = 512],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = silu([x * w over k])],
    nests = [o (m = 128)],
    homes = [x at m, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x256xbf16>, tensor<128x512xbf16>) outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %narrow = tensor.empty() : tensor<256x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<256x512xf32>) outs(%narrow : tensor<256x512xbf16>) {
  ^bb0(%in0: f32, %old: bf16):
    %one = arith.constant 1.0 : f32
    %minus = arith.negf %in0 : f32
    %power = math.exp %minus : f32
    %below = arith.addf %power, %one : f32
    %silu = arith.divf %in0, %below : f32
    %rounded = arith.truncf %silu : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// Nor does a scale and a bias of each row cost anything.

// CHECK-LABEL: func.func private @columns(
// CHECK-DAG: %[[S:.*]] = trn.alloc {trn.matrix = "s"} : memref<128x1xf32, #trn.mem<sbuf>>
// CHECK-DAG: %[[B:.*]] = trn.alloc {trn.matrix = "b"} : memref<128x1xf32, #trn.mem<sbuf>>
// CHECK: trn.matmul {{.*}} into %[[BANK:.*]] :
// CHECK-NOT: trn.tensor
// CHECK: trn.activation tanh(%[[BANK]] : {{.*}}) scales(%[[S]] : {{.*}}) biases(%[[B]] : {{.*}}) into
func.func private @columns(%x: memref<128x256xbf16>, %w: memref<128x512xbf16>, %s: memref<256x1xf32>, %b: memref<256xf32>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 256, n = 512, unit = 1, one = 1],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, s : m x unit f32 input, b : m x one f32 input, o : m x n bf16 result],
    stages = [o = tanh(add(mul([x * w over k], s), b))],
    nests = [o (m = 128)],
    homes = [x at m, w at kernel, s at m, b at m, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %s_in = bufferization.to_tensor %s restrict : memref<256x1xf32> to tensor<256x1xf32>
  %b_in = bufferization.to_tensor %b restrict : memref<256xf32> to tensor<256xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x256xbf16>, tensor<128x512xbf16>) outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %narrow = tensor.empty() : tensor<256x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %s_in, %b_in : tensor<256x512xf32>, tensor<256x1xf32>, tensor<256xf32>) outs(%narrow : tensor<256x512xbf16>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %old: bf16):
    %scaled = arith.mulf %in0, %in1 : f32
    %biased = arith.addf %scaled, %in2 : f32
    %tanh = math.tanh %biased : f32
    %rounded = arith.truncf %tanh : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// A bias of each column comes once, to all partitions.

// CHECK-LABEL: func.func private @rows(
// CHECK: %[[B:.*]] = trn.alloc {trn.matrix = "b"} : memref<128x512xf32, #trn.mem<sbuf>>
// CHECK: %[[ROW:.*]] = memref.subview %{{.*}}[0, 0] [128, 512] [0, 1] : memref<1x512xf32> to
// CHECK: trn.dma_copy %[[ROW]] to %[[B]]
// CHECK: scf.for
// CHECK: trn.matmul {{.*}} into %[[BANK:.*]] :
// CHECK: trn.tensor_tensor add(%[[BANK]] : {{.*}}, %[[B]] : {{.*}}) into %[[SUM:.*]] :
// CHECK: trn.activation relu(%[[SUM]] :
func.func private @rows(%x: memref<128x256xbf16>, %w: memref<128x512xbf16>, %b: memref<512xf32>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 256, n = 512, one = 1],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, b : one x n f32 input, o : m x n bf16 result],
    stages = [o = relu(add([x * w over k], b))],
    nests = [o (m = 128)],
    homes = [x at m, w at kernel, b at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %b_in = bufferization.to_tensor %b restrict : memref<512xf32> to tensor<512xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x256xbf16>, tensor<128x512xbf16>) outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %narrow = tensor.empty() : tensor<256x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, affine_map<(d0, d1) -> (d1)>, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %b_in : tensor<256x512xf32>, tensor<512xf32>) outs(%narrow : tensor<256x512xbf16>) {
  ^bb0(%in0: f32, %in1: f32, %old: bf16):
    %zero_ = arith.constant 0.0 : f32
    %sum = arith.addf %in0, %in1 : f32
    %relu = arith.maximumf %sum, %zero_ : f32
    %rounded = arith.truncf %relu : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// Two sums share the tile of x. An instruction reads one bank, so silu of the other sum is in SBUF.

// CHECK-LABEL: func.func private @gating(
// CHECK: trn.matmul {{.*}} into %[[GATE:.*]] :
// CHECK: trn.matmul {{.*}} into %[[UP:.*]] :
// CHECK: trn.activation silu(%[[GATE]] : {{.*}}) into %[[SILU:.*]] :
// CHECK: trn.tensor_tensor mul(%[[SILU]] : {{.*}}, %[[UP]] : {{.*}}#trn.mem<psum>>) into
func.func private @gating(%x: memref<128x256xbf16>, %w: memref<128x512xbf16>, %u: memref<128x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 256, n = 512],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, u : k x n bf16 input, o : m x n bf16 result],
    stages = [o = mul(silu([x * w over k]), [x * u over k])],
    nests = [o (m = 128)],
    homes = [x at m, w at kernel, u at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %gate = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x256xbf16>, tensor<128x512xbf16>) outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %up = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %u_in : tensor<128x256xbf16>, tensor<128x512xbf16>) outs(%init : tensor<256x512xf32>) -> tensor<256x512xf32>
  %narrow = tensor.empty() : tensor<256x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<256x512xf32>, tensor<256x512xf32>) outs(%narrow : tensor<256x512xbf16>) {
  ^bb0(%in0: f32, %in1: f32, %old: bf16):
    %one = arith.constant 1.0 : f32
    %minus = arith.negf %in0 : f32
    %power = math.exp %minus : f32
    %below = arith.addf %power, %one : f32
    %silu = arith.divf %in0, %below : f32
    %product = arith.mulf %silu, %in1 : f32
    %rounded = arith.truncf %product : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}
