// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Each of four heads is normed by itself: a column of numbers for each. ScalarE adds up the squares, and computes the
// roots for all heads at once.

// CHECK-LABEL: func.func private @normed(
// CHECK: trn.matmul
// CHECK: scf.for
// CHECK: trn.activation square({{.*}} : memref<128x32xbf16, {{.*}}>) {{.*}}memref<128x1xf32
// CHECK: trn.activation rsqrt({{.*}} : memref<128x4xf32
// CHECK: scf.for
// CHECK: trn.tensor_scalar {{.*}} : memref<128x32xbf16, {{.*}}memref<128x1xf32
func.func private @normed(%x: memref<128x256xbf16>, %w: memref<128x128xbf16>, %g: memref<32xbf16>, %o: memref<256x128xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 256, n = 128, c = 32, one = 1, h = 4 groups of n],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, g : one x c bf16 input, o : m x n bf16 result, q : m x n bf16, s : m x h f32, r : m x h f32],
    stages = [q = x * w over k, s = sum square(q) over n, r = rsqrt(s), o = mul(bf16(mul(q, r)), g)],
    nests = [q (m = 256), s (m = 256), r (m = 256), o (m = 256)],
    homes = [x at m, w at kernel, q at m, s at m, r at m, g at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %g_in = bufferization.to_tensor %g restrict : memref<32xbf16> to tensor<32xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x128xf32>) -> tensor<256x128xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x256xbf16>, tensor<128x128xbf16>) outs(%init : tensor<256x128xf32>) -> tensor<256x128xf32>
  %narrow = tensor.empty() : tensor<256x128xbf16>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<256x128xf32>) outs(%narrow : tensor<256x128xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %rounded = arith.truncf %in : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x128xbf16>
  %squares = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<256x128xbf16>) outs(%empty : tensor<256x128xf32>) {
  ^bb0(%in: bf16, %old: f32):
    %wide = arith.extf %in : bf16 to f32
    %square = arith.mulf %wide, %wide : f32
    linalg.yield %square : f32
  } -> tensor<256x128xf32>
  %numbers = tensor.empty() : tensor<256x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%numbers : tensor<256x4xf32>) -> tensor<256x4xf32>
  %window = arith.constant dense<0.0> : tensor<32xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, g, c) -> (i, g * 32 + c)>, affine_map<(i, g, c) -> (c)>, affine_map<(i, g, c) -> (i, g)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%squares, %window : tensor<256x128xf32>, tensor<32xf32>) outs(%zeros : tensor<256x4xf32>) {
  ^bb0(%in: f32, %unused: f32, %sum: f32):
    %new = arith.addf %in, %sum : f32
    linalg.yield %new : f32
  } -> tensor<256x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<256x4xf32>) outs(%numbers : tensor<256x4xf32>) {
  ^bb0(%in: f32, %old: f32):
    %root = math.rsqrt %in : f32
    linalg.yield %root : f32
  } -> tensor<256x4xf32>
  %result = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j floordiv 32)>, affine_map<(i, j) -> (j mod 32)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q, %r, %g_in : tensor<256x128xbf16>, tensor<256x4xf32>, tensor<32xbf16>) outs(%narrow : tensor<256x128xbf16>) {
  ^bb0(%a: bf16, %root: f32, %gain: bf16, %old: bf16):
    %wide = arith.extf %a : bf16 to f32
    %scaled = arith.mulf %wide, %root : f32
    %rounded = arith.truncf %scaled : f32 to bf16
    %new = arith.mulf %rounded, %gain : bf16
    linalg.yield %new : bf16
  } -> tensor<256x128xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<256x128xbf16>, memref<256x128xbf16>) -> ()
  return
}
