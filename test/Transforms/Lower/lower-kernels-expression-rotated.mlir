// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Rotary embeddings of four heads. Columns that move to the left are negated on the way; all heads read the tables
// of one.

// CHECK-LABEL: func.func private @rotated(
// CHECK: trn.tensor_tensor mul({{.*}} : memref<128x4x32xbf16, strided<[128, 32, 1], offset: ?>, #trn.mem<sbuf>>, {{.*}} : memref<128x4x32xbf16, strided<[32, 0, 1], offset: ?>, #trn.mem<sbuf>>)
// CHECK: trn.activation copy({{.*}} : memref<128x4x16xbf16, strided<[128, 32, 1], offset: ?>, #trn.mem<sbuf>>) scale -1.000000e+00 into
// CHECK: trn.activation copy({{.*}} : memref<128x4x16xbf16, {{.*}}>) into %{{.*}} : memref<128x4x16xbf16, strided<[128, 32, 1], offset: 16>
// CHECK: trn.tensor_tensor mul({{.*}} : memref<128x4x32xbf16, strided<[32, 0, 1], offset: ?>, #trn.mem<sbuf>>)
// CHECK: trn.tensor_tensor add(
func.func private @rotated(%x: memref<128x256xbf16>, %w: memref<128x128xbf16>, %c: memref<256x32xbf16>, %s: memref<256x32xbf16>, %o: memref<256x128xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 256, n = 128, h = 32, g = 32],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, c : m x h bf16 input, s : m x g bf16 input, o : m x n bf16 result, q : m x n bf16],
    stages = [q = x * w over k, o = add(bf16(mul(q, c)), bf16(mul(rotate(q, 16), s)))],
    nests = [q (m = 256), o (m = 256)],
    homes = [x at m, w at kernel, q at m, c at m, s at m, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %c_in = bufferization.to_tensor %c restrict : memref<256x32xbf16> to tensor<256x32xbf16>
  %s_in = bufferization.to_tensor %s restrict : memref<256x32xbf16> to tensor<256x32xbf16>
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
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, (j floordiv 32) * 32 + (j + 16) mod 32)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q : tensor<256x128xbf16>) outs(%narrow : tensor<256x128xbf16>) {
  ^bb0(%in: bf16, %old: bf16):
    %j = linalg.index 1 : index
    %both = arith.constant 32 : index
    %half = arith.constant 16 : index
    %place = arith.remui %j, %both : index
    %left = arith.cmpi ult, %place, %half : index
    %minus = arith.negf %in : bf16
    %value = arith.select %left, %minus, %in : bf16
    linalg.yield %value : bf16
  } -> tensor<256x128xbf16>
  %result = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j mod 32)>, affine_map<(i, j) -> (i, j mod 32)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%q, %r, %c_in, %s_in : tensor<256x128xbf16>, tensor<256x128xbf16>, tensor<256x32xbf16>, tensor<256x32xbf16>) outs(%narrow : tensor<256x128xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %cos: bf16, %sin: bf16, %old: bf16):
    %one = arith.mulf %a, %cos : bf16
    %two = arith.mulf %b, %sin : bf16
    %sum = arith.addf %one, %two : bf16
    linalg.yield %sum : bf16
  } -> tensor<256x128xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<256x128xbf16>, memref<256x128xbf16>) -> ()
  return
}
