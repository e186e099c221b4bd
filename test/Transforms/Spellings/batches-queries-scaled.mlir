// Queries of several sequences are scaled behind the transposition of their heads, as in timm: the kernel that computes them scales them, too.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK-COUNT-2: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(b, h, i, d) -> (b, h, i, d)>

func.func @main(%x: tensor<4x20x32xbf16>, %w: tensor<32x64xbf16>) -> tensor<8x20x20xf32> {
  %zero = arith.constant 0.0 : f32
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<4x20x32xbf16> into tensor<80x32xbf16>
  %pe = tensor.empty() : tensor<80x64xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<80x64xf32>) -> tensor<80x64xf32>
  %p = linalg.matmul ins(%x2, %w : tensor<80x32xbf16>, tensor<32x64xbf16>) outs(%pz : tensor<80x64xf32>) -> tensor<80x64xf32>
  %r = arith.truncf %p : tensor<80x64xf32> to tensor<80x64xbf16>
  %qk = tensor.expand_shape %r [[0, 1], [2, 3, 4]] output_shape [4, 20, 2, 2, 16] : tensor<80x64xbf16> into tensor<4x20x2x2x16xbf16>
  %te = tensor.empty() : tensor<2x4x2x20x16xbf16>
  %t = linalg.transpose ins(%qk : tensor<4x20x2x2x16xbf16>) outs(%te : tensor<2x4x2x20x16xbf16>) permutation = [2, 0, 3, 1, 4]
  %q5 = tensor.extract_slice %t[0, 0, 0, 0, 0] [1, 4, 2, 20, 16] [1, 1, 1, 1, 1] : tensor<2x4x2x20x16xbf16> to tensor<1x4x2x20x16xbf16>
  %q4 = tensor.collapse_shape %q5 [[0, 1], [2], [3], [4]] : tensor<1x4x2x20x16xbf16> into tensor<4x2x20x16xbf16>
  %k5 = tensor.extract_slice %t[1, 0, 0, 0, 0] [1, 4, 2, 20, 16] [1, 1, 1, 1, 1] : tensor<2x4x2x20x16xbf16> to tensor<1x4x2x20x16xbf16>
  %k3 = tensor.collapse_shape %k5 [[0, 1, 2], [3], [4]] : tensor<1x4x2x20x16xbf16> into tensor<8x20x16xbf16>
  %se = tensor.empty() : tensor<4x2x20x16xbf16>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q4 : tensor<4x2x20x16xbf16>) outs(%se : tensor<4x2x20x16xbf16>) {
  ^bb0(%a: bf16, %old: bf16):
    %quarter = arith.constant 0.25 : bf16
    %m = arith.mulf %a, %quarter : bf16
    linalg.yield %m : bf16
  } -> tensor<4x2x20x16xbf16>
  %q3 = tensor.collapse_shape %scaled [[0, 1], [2], [3]] : tensor<4x2x20x16xbf16> into tensor<8x20x16xbf16>
  %oe = tensor.empty() : tensor<8x20x20xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<8x20x20xf32>) -> tensor<8x20x20xf32>
  %o = linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%q3, %k3 : tensor<8x20x16xbf16>, tensor<8x20x16xbf16>) outs(%oz : tensor<8x20x20xf32>) -> tensor<8x20x20xf32>
  return %o : tensor<8x20x20xf32>
}
