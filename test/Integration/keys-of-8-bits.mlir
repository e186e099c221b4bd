// Keys that are stored in 8 bits become wider and are transposed, both ahead of the products that read them.
// RUN: trn-run %s --compile=machine=trn2 --verify | FileCheck %s
// CHECK: relative error
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#i = affine_map<(b, t, d) -> (b, t, d)>
func.func @main(%q: tensor<4x3x64xbf16>, %k: tensor<4x300x64xi8>) -> tensor<4x3x300xf32> {
  %zero = arith.constant 0.0 : f32
  %wide_init = tensor.empty() : tensor<4x300x64xbf16>
  %wide = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k : tensor<4x300x64xi8>) outs(%wide_init : tensor<4x300x64xbf16>) {
  ^bb0(%a: i8, %old: bf16):
    %w = arith.sitofp %a : i8 to bf16
    linalg.yield %w : bf16
  } -> tensor<4x300x64xbf16>
  %turned_init = tensor.empty() : tensor<4x64x300xbf16>
  %turned = linalg.transpose ins(%wide : tensor<4x300x64xbf16>) outs(%turned_init : tensor<4x64x300xbf16>) permutation = [0, 2, 1]
  %empty = tensor.empty() : tensor<4x3x300xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x3x300xf32>) -> tensor<4x3x300xf32>
  %o = linalg.batch_matmul ins(%q, %turned : tensor<4x3x64xbf16>, tensor<4x64x300xbf16>) outs(%init : tensor<4x3x300xf32>) -> tensor<4x3x300xf32>
  return %o : tensor<4x3x300xf32>
}
