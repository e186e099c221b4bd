// RUN: trn-opt %s --trn-normalize-rows | FileCheck %s

// Sums of bf16 and f16 are f32 and rounded once, as those of products. Maxima round nothing.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// CHECK-LABEL: @sums(
// CHECK: %[[S:.*]] = linalg.generic {{.*}} ins(%{{.*}} : tensor<64x40xbf16>) outs(%{{.*}} : tensor<64xf32>)
// CHECK: %[[X:.*]] = arith.mulf %{{.*}}, %{{.*}} : bf16
// CHECK: %[[W:.*]] = arith.extf %[[X]] : bf16 to f32
// CHECK: arith.addf %[[W]], %{{.*}} : f32
// CHECK: linalg.generic {{.*}} ins(%[[S]] : tensor<64xf32>)
// CHECK: arith.truncf %{{.*}} : f32 to bf16
func.func @sums(%x: tensor<64x40xbf16>) -> tensor<64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<64xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<64xbf16>) -> tensor<64xbf16>
  %o = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x40xbf16>) outs(%f : tensor<64xbf16>) {
  ^bb0(%in: bf16, %old: bf16):
    %q = arith.mulf %in, %in : bf16
    %r = arith.addf %old, %q : bf16
    linalg.yield %r : bf16
  } -> tensor<64xbf16>
  return %o : tensor<64xbf16>
}

// CHECK-LABEL: @maxima(
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<64xbf16>)
// CHECK-NEXT: ^
// CHECK-NEXT: arith.maximumf %{{.*}} : bf16
func.func @maxima(%x: tensor<64x40xbf16>) -> tensor<64xbf16> {
  %low = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<64xbf16>
  %f = linalg.fill ins(%low : bf16) outs(%e : tensor<64xbf16>) -> tensor<64xbf16>
  %o = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x40xbf16>) outs(%f : tensor<64xbf16>) {
  ^bb0(%in: bf16, %old: bf16):
    %r = arith.maximumf %in, %old : bf16
    linalg.yield %r : bf16
  } -> tensor<64xbf16>
  return %o : tensor<64xbf16>
}
