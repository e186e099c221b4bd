// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s
// RUN: trn-opt %s --split-input-file --trn-normalize-rows --trn-normalize-products | FileCheck %s --check-prefix=PRODUCTS

// Rows in two dimensions are rows in one: what a norm does to one does not depend on where it lies.

#id = affine_map<(b, s, c) -> (b, s, c)>
#row = affine_map<(b, s, c) -> (b, s)>
#column = affine_map<(b, s, c) -> (c)>

// CHECK-LABEL: @sequences(
// CHECK-SAME: %[[X:.*]]: tensor<4x32x64xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<4x32x64xf32> into tensor<128x64xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[FLAT]] : tensor<128x64xf32>) outs(%{{.*}} : tensor<128xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} iterator_types = ["parallel"]} ins(%[[S]] : tensor<128xf32>)
// CHECK: %[[O:.*]] = linalg.generic {{.*}} ins(%[[FLAT]], %[[R]], %{{.*}} : tensor<128x64xf32>, tensor<128xf32>, tensor<64xf32>)
// CHECK: tensor.expand_shape %[[O]] {{.*}} tensor<128x64xf32> into tensor<4x32x64xf32>
func.func @sequences(%x: tensor<4x32x64xf32>, %gain: tensor<64xf32>) -> tensor<4x32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<4x32xf32>
  %whole = tensor.empty() : tensor<4x32x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<4x32xf32>) -> tensor<4x32xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x32x64xf32>) outs(%zeros : tensor<4x32xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %sum : f32
    linalg.yield %r : f32
  } -> tensor<4x32xf32>
  %root = math.rsqrt %s : tensor<4x32xf32>
  %o = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %root, %gain : tensor<4x32x64xf32>, tensor<4x32xf32>, tensor<64xf32>) outs(%whole : tensor<4x32x64xf32>) {
  ^bb0(%in: f32, %scale: f32, %g: f32, %out: f32):
    %a = arith.mulf %in, %scale : f32
    %b = arith.mulf %a, %g : f32
    linalg.yield %b : f32
  } -> tensor<4x32x64xf32>
  return %o : tensor<4x32x64xf32>
}

// -----

// Then nothing stands between a norm and a product that has one dimension of rows, too. While its weight is
// repeated for each sequence, it seems to have batches.

#id = affine_map<(b, s, c) -> (b, s, c)>
#row = affine_map<(b, s, c) -> (b, s)>
#weight = affine_map<(b, r, c) -> (r, c)>

// CHECK-LABEL: @before_a_product(
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
// PRODUCTS-LABEL: @before_a_product(
// PRODUCTS: %[[S:.*]] = linalg.generic {{.*}} "reduction"]} {{.*}} outs(%{{.*}} : tensor<128xf32>)
// PRODUCTS: %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[S]] : tensor<128x64xf32>, tensor<128xf32>)
// PRODUCTS: ins(%[[N]], %{{.*}} : tensor<128x64xf32>, tensor<64x16xf32>)
func.func @before_a_product(%x: tensor<4x32x64xf32>, %w: tensor<64x16xf32>) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<4x32xf32>
  %whole = tensor.empty() : tensor<4x32x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<4x32xf32>) -> tensor<4x32xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<4x32x64xf32>) outs(%zeros : tensor<4x32xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<4x32xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<4x32x64xf32>, tensor<4x32xf32>) outs(%whole : tensor<4x32x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %in, %sum : f32
    linalg.yield %a : f32
  } -> tensor<4x32x64xf32>
  %repeated = tensor.empty() : tensor<4x64x16xf32>
  %weights = linalg.broadcast ins(%w : tensor<64x16xf32>) outs(%repeated : tensor<4x64x16xf32>) dimensions = [0]
  %wide = tensor.empty() : tensor<4x32x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %o = linalg.batch_matmul ins(%n, %weights : tensor<4x32x64xf32>, tensor<4x64x16xf32>) outs(%init : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %o : tensor<4x32x16xf32>
}

// -----

// Not where a product has a dimension as a batch, before or behind, as attention has.

#id = affine_map<(b, s, c) -> (b, s, c)>
#row = affine_map<(b, s, c) -> (b, s)>

// CHECK-LABEL: @batches(
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
// PRODUCTS-LABEL: @batches(
// PRODUCTS-NOT: tensor.collapse_shape
// PRODUCTS: return
func.func @batches(%q: tensor<4x32x64xf32>, %k: tensor<4x64x16xf32>) -> tensor<4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<4x32xf32>
  %whole = tensor.empty() : tensor<4x32x16xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<4x32xf32>) -> tensor<4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%whole : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %p = linalg.batch_matmul ins(%q, %k : tensor<4x32x64xf32>, tensor<4x64x16xf32>) outs(%init : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %e = math.exp %p : tensor<4x32x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%e : tensor<4x32x16xf32>) outs(%zeros : tensor<4x32xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<4x32xf32>
  return %s : tensor<4x32xf32>
}

// -----

// Nor where what reads a row depends on one of the dimensions, as the cosines of a position do.

#id = affine_map<(m, h, c) -> (m, h, c)>
#row = affine_map<(m, h, c) -> (m, h)>
#position = affine_map<(m, h, c) -> (m, c)>

// CHECK-LABEL: @positions(
// CHECK-NOT: tensor.collapse_shape
// CHECK: return
func.func @positions(%x: tensor<32x4x64xf32>, %cos: tensor<32x64xf32>) -> tensor<32x4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<32x4xf32>
  %whole = tensor.empty() : tensor<32x4x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<32x4xf32>) -> tensor<32x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<32x4x64xf32>) outs(%zeros : tensor<32x4xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<32x4xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<32x4x64xf32>, tensor<32x4xf32>) outs(%whole : tensor<32x4x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %a = arith.divf %in, %sum : f32
    linalg.yield %a : f32
  } -> tensor<32x4x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #position, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%n, %cos : tensor<32x4x64xf32>, tensor<32x64xf32>) outs(%whole : tensor<32x4x64xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %a = arith.mulf %in, %c : f32
    linalg.yield %a : f32
  } -> tensor<32x4x64xf32>
  return %o : tensor<32x4x64xf32>
}
