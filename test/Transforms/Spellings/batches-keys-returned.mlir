// Keys of a batch of one that attention reads, and that are returned for a cache: the kernel stores them as heads.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 1: relative error
// CHECK: launches 1
// CHECK-NOT: host_ops

#rows = affine_map<(b, i, n, k) -> (b, i, k)>
#weight = affine_map<(b, i, n, k) -> (n, k)>
#sums = affine_map<(b, i, n, k) -> (b, i, n)>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>

func.func @main(%x: tensor<1x40x64xbf16>, %w: tensor<32x64xbf16>, %q: tensor<1x2x40x16xbf16>) -> (tensor<1x2x40x40xf32>, tensor<1x2x40x16xbf16>) {
  %zero = arith.constant 0.0 : f32
  %ke = tensor.empty() : tensor<1x40x32xf32>
  %kz = linalg.fill ins(%zero : f32) outs(%ke : tensor<1x40x32xf32>) -> tensor<1x40x32xf32>
  %sums = linalg.generic {indexing_maps = [#rows, #weight, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<1x40x64xbf16>, tensor<32x64xbf16>) outs(%kz : tensor<1x40x32xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %c = arith.extf %a : bf16 to f32
    %d = arith.extf %b : bf16 to f32
    %p = arith.mulf %c, %d : f32
    %sum = arith.addf %out, %p : f32
    linalg.yield %sum : f32
  } -> tensor<1x40x32xf32>
  %rows = arith.truncf %sums : tensor<1x40x32xf32> to tensor<1x40x32xbf16>
  %apart = tensor.expand_shape %rows [[0], [1], [2, 3]] output_shape [1, 40, 2, 16] : tensor<1x40x32xbf16> into tensor<1x40x2x16xbf16>
  %he = tensor.empty() : tensor<1x2x40x16xbf16>
  %keys = linalg.transpose ins(%apart : tensor<1x40x2x16xbf16>) outs(%he : tensor<1x2x40x16xbf16>) permutation = [0, 2, 1, 3]
  %se = tensor.empty() : tensor<1x2x40x40xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x2x40x40xf32>) -> tensor<1x2x40x40xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %keys : tensor<1x2x40x16xbf16>, tensor<1x2x40x16xbf16>) outs(%sz : tensor<1x2x40x40xf32>) {
  ^bb0(%a: bf16, %b: bf16, %out: f32):
    %c = arith.extf %a : bf16 to f32
    %d = arith.extf %b : bf16 to f32
    %p = arith.mulf %c, %d : f32
    %sum = arith.addf %out, %p : f32
    linalg.yield %sum : f32
  } -> tensor<1x2x40x40xf32>
  return %scores, %keys : tensor<1x2x40x40xf32>, tensor<1x2x40x16xbf16>
}
