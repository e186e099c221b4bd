// The least traffic does not depend on whether values are computed: host code turns both weights
// into memory that it uses twice, but they are two matrices.

// RUN: trn-run %s --compile=effort=1 --timing-only | FileCheck %s
// RUN: trn-run %s --compile=effort=1 | FileCheck %s

// x and two weights of bf16, sums of f32 and the second result; what the host computes of the sums
// is a matrix of its own: 2 * 16 * 128 + 2 * (2 * 128 * 128) + 4 * 16 * 128 + 2 * 16 * 128 + 4 * 16 * 128.
// CHECK: hbm_lower_bound_bytes{{ +}}90,112

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<16x128xbf16>, %a: tensor<128x128xbf16> {trn.param = "a"},
                %b: tensor<128x128xbf16> {trn.param = "b"}) -> tensor<16x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xbf16>
  %sums = tensor.empty() : tensor<16x128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%sums : tensor<16x128xf32>) -> tensor<16x128xf32>
  %at = linalg.transpose ins(%a : tensor<128x128xbf16>) outs(%empty : tensor<128x128xbf16>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %at : tensor<16x128xbf16>, tensor<128x128xbf16>) outs(%zeros : tensor<16x128xf32>) -> tensor<16x128xf32>
  %narrow = tensor.empty() : tensor<16x128xbf16>
  %s = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<16x128xf32>) outs(%narrow : tensor<16x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %sin = math.sin %in : f32
    %t = arith.truncf %sin : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<16x128xbf16>
  %bt = linalg.transpose ins(%b : tensor<128x128xbf16>) outs(%empty : tensor<128x128xbf16>) permutation = [1, 0]
  %z = linalg.matmul ins(%s, %bt : tensor<16x128xbf16>, tensor<128x128xbf16>) outs(%zeros : tensor<16x128xf32>) -> tensor<16x128xf32>
  return %z : tensor<16x128xf32>
}
