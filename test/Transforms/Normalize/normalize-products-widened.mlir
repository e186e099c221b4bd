// What is widened behind the reshape of a product is widened by a generic, the form that kernels take.
// RUN: trn-opt %s --trn-normalize-products | FileCheck %s

// CHECK-LABEL: func.func @widened
// CHECK-NOT: arith.extf {{.*}} : tensor
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK-NOT: arith.extf {{.*}} : tensor
func.func @widened(%x: tensor<60x24xbf16>, %w: tensor<24x1xbf16>) -> tensor<2x1xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %pe = tensor.empty() : tensor<60x1xf32>
  %pz = linalg.fill ins(%zero : f32) outs(%pe : tensor<60x1xf32>) -> tensor<60x1xf32>
  %p = linalg.matmul ins(%x, %w : tensor<60x24xbf16>, tensor<24x1xbf16>) outs(%pz : tensor<60x1xf32>) -> tensor<60x1xf32>
  %rounded = arith.truncf %p : tensor<60x1xf32> to tensor<60x1xbf16>
  %rows = tensor.expand_shape %rounded [[0, 1], [2]] output_shape [2, 30, 1] : tensor<60x1xbf16> into tensor<2x30x1xbf16>
  %e = tensor.empty() : tensor<2x30x1xf32>
  %wide = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%rows : tensor<2x30x1xbf16>) outs(%e : tensor<2x30x1xf32>) {
  ^bb0(%a: bf16, %old: f32):
    %f = arith.extf %a : bf16 to f32
    linalg.yield %f : f32
  } -> tensor<2x30x1xf32>
  %me = tensor.empty() : tensor<2x1xf32>
  %mi = linalg.fill ins(%low : f32) outs(%me : tensor<2x1xf32>) -> tensor<2x1xf32>
  %m = linalg.reduce { arith.maximumf } ins(%wide : tensor<2x30x1xf32>) outs(%mi : tensor<2x1xf32>) dimensions = [1]
  return %m : tensor<2x1xf32>
}
