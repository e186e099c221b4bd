// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Strips of rows have the columns alone that a mask leaves, in whole tiles, and the mask itself only where it
// hides something. The engines of nests are those that the schedule says.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// CHECK-LABEL: func.func private @causal(
// CHECK: %[[MASK:.*]] = trn.alloc {trn.matrix = "c"} : memref<128x256xbf16
// CHECK: %[[ALL:.*]] = trn.alloc {trn.matrix = "s"} : memref<128x256xf32, #trn.mem<sbuf>>
// CHECK: memref.subview %[[MASK]][0, 0] [128, 128]
// CHECK: trn.matmul stationary({{.*}} moving({{.*}} into %[[BANK:.*]] : memref<128x128xf32, #trn.mem<psum>> {trn.stage = "s"}
// CHECK-NOT: trn.matmul
// CHECK: %[[SCORES:.*]] = memref.subview %[[ALL]][0, 0] [128, 128]
// CHECK: trn.tensor_tensor min(%[[BANK]] {{.*}} into %[[SCORES]] : {{.*}} {trn.stage = "s"}
// CHECK-NOT: trn.stage = "s"
// CHECK: trn.activation exp(%[[SCORES]] {{.*}} scale 1.250000e-01 biases({{.*}} reducing add(
// CHECK: trn.tensor_scalar div({{.*}} constant 1.000000e+00 reversed into %[[INVERSE:.*]] : memref<128x1xf32, #trn.mem<sbuf>> {trn.stage = "r"}
// CHECK: trn.activation copy({{.*}} scales(%[[INVERSE]] : {{.*}} {trn.stage = "r"}
// CHECK: trn.transpose
// CHECK: trn.tensor_copy {{.*}} on vector {trn.stage = "rt"}
// CHECK: trn.matmul {{.*}} {trn.stage = "o"}
// CHECK-NOT: trn.matmul

// CHECK-NOT: {trn.matrix = "c"}
// CHECK: trn.matmul {{.*}} into %[[BANK:.*]] : memref<128x256xf32, #trn.mem<psum>> {trn.stage = "s"}
// CHECK: %[[LEFT:.*]] = memref.subview %[[BANK]][0, 0] [128, 128]
// CHECK: trn.tensor_copy %[[LEFT]] into {{.*}} {trn.stage = "s"}
// CHECK: %[[RIGHT:.*]] = memref.subview %[[BANK]][0, 128] [128, 128]
// CHECK: trn.tensor_tensor min(%[[RIGHT]] {{.*}} {trn.stage = "s"}
// CHECK: scf.for
// CHECK: trn.matmul {{.*}} {trn.stage = "o"}
// CHECK-NOT: trn.matmul
func.func private @causal(%x: memref<256x64xbf16>, %w: memref<64x256xbf16>, %c: memref<256x256xbf16> {trn.band = #trn.band<none to 0 of inf>}, %v: memref<256x64xbf16>, %o: memref<256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, c : m x n bf16 input band none to 0 of inf, v : n x e bf16 input,
                o : m x e bf16 result, s : m x n f32, a : m x one f32, p : m x n f32, l : m x one f32, r : m x n bf16,
                xt : k x m bf16, rt : n x m bf16],
    stages = [xt = transpose x, s = min([xt * w over k], c), a = max s over n,
              p = exp(sub(mul(s, 0.125), mul(a, 0.125))), l = sum p over n, r = div(p, l), rt = transpose r,
              o = rt * v over n],
    nests = [xt (m = 128), s (m = 128), a (m = 128), p (m = 128), l (m = 128), r (m = 128) on scalar, rt (m = 128) on vector, o (m = 128)],
    homes = [x at m, xt at m, w at kernel, c at m, s at m, a at m, p at m, l at m, r at m, rt at m, v at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x64xbf16> to tensor<256x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xbf16> to tensor<64x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xbf16> to tensor<256x64xbf16>
  %c_in = bufferization.to_tensor %c restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<256x256xf32>
  %row = tensor.empty() : tensor<256xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<256xf32>) -> tensor<256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<256xf32>) -> tensor<256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<256x256xf32>) -> tensor<256x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<256x64xbf16>, tensor<64x256xbf16>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s_init = tensor.empty() : tensor<256x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %c_in : tensor<256x256xf32>, tensor<256x256xbf16>) outs(%s_init : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: bf16, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    %number = arith.extf %mask : bf16 to f32
    %masked = arith.minimumf %scaled, %number : f32
    linalg.yield %masked : f32
  } -> tensor<256x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<256x256xf32>) outs(%lows : tensor<256xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<256xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<256x256xf32>, tensor<256xf32>) outs(%wide : tensor<256x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<256x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<256x256xf32>) outs(%zeros : tensor<256xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<256xf32>
  %p_init = tensor.empty() : tensor<256x256xbf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<256x256xf32>, tensor<256xf32>) outs(%p_init : tensor<256x256xbf16>) {
  ^bb0(%in: f32, %all: f32, %old: bf16):
    %share = arith.divf %in, %all : f32
    %narrow = arith.truncf %share : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<256x256xbf16>
  %o_empty = tensor.empty() : tensor<256x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x64xf32>) -> tensor<256x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<256x256xbf16>, tensor<256x64xbf16>) outs(%o_init : tensor<256x64xf32>) -> tensor<256x64xf32>
  %result_init = tensor.empty() : tensor<256x64xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<256x64xf32>) outs(%result_init : tensor<256x64xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %narrow = arith.truncf %in : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<256x64xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<256x64xbf16>, memref<256x64xbf16>) -> ()
  return
}
