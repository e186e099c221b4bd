// RUN: trn-opt %s --trn-normalize-products 2> %t | FileCheck %s
// RUN: FileCheck %s --check-prefix=ENDS --allow-empty < %t

// Columns of an argument and a product, in dimensions of which the product has
// merged some or split others: one form is chosen, by patterns that end.

// ENDS-NOT: rewriting stops

#rows = affine_map<(b, t, s, d) -> (b, t, d)>
#keys = affine_map<(b, t, s, d) -> (s, d)>
#scores = affine_map<(b, t, s, d) -> (b, t, s)>
#id = affine_map<(b, t, s) -> (b, t, s)>

// CHECK-LABEL: @merged(
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} "reduction"]}
// CHECK: %[[PART:.*]] = tensor.extract_slice {{.*}} : tensor<10x33xf32> to tensor<10x1xf32>
// CHECK: linalg.generic {{.*}} ins(%[[PART]], %[[PRODUCT]] : tensor<10x1xf32>, tensor<10x1xf32>)
// CHECK-COUNT-1: tensor.expand_shape
// CHECK-NOT: _shape %
// CHECK: return
func.func @merged(%x: tensor<2x5x16xf32>, %k: tensor<1x16xf32>, %bias: tensor<2x5x33xf32>) -> tensor<2x5x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %p = linalg.generic {indexing_maps = [#rows, #keys, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %k : tensor<2x5x16xf32>, tensor<1x16xf32>) outs(%z : tensor<2x5x1xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %sum, %m : f32
    linalg.yield %r : f32
  } -> tensor<2x5x1xf32>
  %part = tensor.extract_slice %bias[0, 0, 32] [2, 5, 1] [1, 1, 1] : tensor<2x5x33xf32> to tensor<2x5x1xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%part, %p : tensor<2x5x1xf32>, tensor<2x5x1xf32>) outs(%e : tensor<2x5x1xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x5x1xf32>
  return %o : tensor<2x5x1xf32>
}

#query = affine_map<(b, h, s, d) -> (h, b, d)>
#cache = affine_map<(b, h, s, d) -> (h, b, s, d)>

// CHECK-LABEL: @split(
// CHECK: %[[PRODUCT:.*]] = linalg.generic {{.*}} "reduction"]}
// CHECK: %[[PART:.*]] = tensor.extract_slice {{.*}} : tensor<2x3x1x19xf32> to tensor<2x3x1x3xf32>
// CHECK: linalg.generic {{.*}} ins(%[[PRODUCT]], %[[PART]] : tensor<2x3x1x3xf32>, tensor<2x3x1x3xf32>)
// CHECK-COUNT-1: tensor.collapse_shape
// CHECK-NOT: _shape %
// CHECK: return
func.func @split(%q: tensor<3x2x8xf32>, %k: tensor<3x2x3x8xf32>, %bias: tensor<2x3x19xf32>) -> tensor<2x3x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %p = linalg.generic {indexing_maps = [#query, #cache, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<3x2x8xf32>, tensor<3x2x3x8xf32>) outs(%z : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %m = arith.mulf %a, %b : f32
    %r = arith.addf %m, %sum : f32
    linalg.yield %r : f32
  } -> tensor<2x3x3xf32>
  %part = tensor.extract_slice %bias[0, 0, 16] [2, 3, 3] [1, 1, 1] : tensor<2x3x19xf32> to tensor<2x3x3xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p, %part : tensor<2x3x3xf32>, tensor<2x3x3xf32>) outs(%e : tensor<2x3x3xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<2x3x3xf32>
  return %o : tensor<2x3x3xf32>
}
