// RUN: trn-opt %s --trn-normalize-products | FileCheck %s

// What reduces the rows of a product takes them in the dimensions in which the product computes them: no
// reshape stands between scores of grouped heads, their maximum, and the product with values.

#scores = affine_map<(h, r, c, k) -> (h, r, c)>
#id = affine_map<(h, r, c) -> (h, r, c)>
#row = affine_map<(h, r, c) -> (h, r)>

// CHECK-LABEL: @grouped(
// CHECK: %[[S:.*]] = linalg.batch_matmul {{.*}} -> tensor<2x256x128xf32>
// CHECK-NOT: tensor.expand_shape %[[S]]
// CHECK: %[[M:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[S]] : tensor<2x256x128xf32>) outs(%{{.*}} : tensor<2x256xf32>)
// CHECK: %[[E:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[M]] : tensor<2x256x128xf32>, tensor<2x256xf32>)
// CHECK: linalg.batch_matmul ins(%[[E]], %{{.*}} : tensor<2x256x128xf32>, tensor<2x128x64xf32>)
func.func @grouped(%q: tensor<2x256x64xf32>, %k: tensor<2x64x128xf32>, %v: tensor<2x128x64xf32>) -> tensor<2x256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<2x256x128xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x256x128xf32>) -> tensor<2x256x128xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x256x64xf32>, tensor<2x64x128xf32>) outs(%sz : tensor<2x256x128xf32>) -> tensor<2x256x128xf32>
  %groups = tensor.expand_shape %s [[0], [1, 2], [3]] output_shape [2, 2, 128, 128] : tensor<2x256x128xf32> into tensor<2x2x128x128xf32>
  %heads = tensor.collapse_shape %groups [[0, 1], [2], [3]] : tensor<2x2x128x128xf32> into tensor<4x128x128xf32>
  %re = tensor.empty() : tensor<4x128xf32>
  %l = linalg.fill ins(%low : f32) outs(%re : tensor<4x128xf32>) -> tensor<4x128xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%heads : tensor<4x128x128xf32>) outs(%l : tensor<4x128xf32>) {
  ^bb0(%in: f32, %most: f32):
    %larger = arith.maximumf %in, %most : f32
    linalg.yield %larger : f32
  } -> tensor<4x128xf32>
  %ee = tensor.empty() : tensor<4x128x128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%heads, %m : tensor<4x128x128xf32>, tensor<4x128xf32>) outs(%ee : tensor<4x128x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<4x128x128xf32>
  %split = tensor.expand_shape %e [[0, 1], [2], [3]] output_shape [2, 2, 128, 128] : tensor<4x128x128xf32> into tensor<2x2x128x128xf32>
  %merged = tensor.collapse_shape %split [[0], [1, 2], [3]] : tensor<2x2x128x128xf32> into tensor<2x256x128xf32>
  %oe = tensor.empty() : tensor<2x256x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
  %o = linalg.batch_matmul ins(%merged, %v : tensor<2x256x128xf32>, tensor<2x128x64xf32>) outs(%oz : tensor<2x256x64xf32>) -> tensor<2x256x64xf32>
  return %o : tensor<2x256x64xf32>
}

// What is added to a rotation of heads has the groups that the rotation has: x * c is not left behind a reshape.

#rotation = affine_map<(h, r, c, k) -> (h, r, k)>
#matrix = affine_map<(h, r, c, k) -> (k, c)>
#turned = affine_map<(h, r, c, k) -> (h, r, c)>
#position = affine_map<(h, r, c) -> (r, c)>
#query = affine_map<(h, r, c, k) -> (h, r, k)>
#key = affine_map<(h, r, c, k) -> (h, c, k)>

// CHECK-LABEL: @rotated(
// CHECK: %[[T:.*]] = linalg.generic {{.*}} "reduction"]} {{.*}} outs(%{{.*}} : tensor<2x2x128x64xf32>)
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x2x128x64xf32>, tensor<128x64xf32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[T]], %{{.*}} : tensor<2x2x128x64xf32>, tensor<128x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<2x2x128x64xf32>, tensor<2x2x128x64xf32>)
func.func @rotated(%x: tensor<4x128x64xf32>, %s: tensor<64x64xf32>, %c: tensor<128x64xf32>, %k: tensor<2x32x64xf32>) -> tensor<4x128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x128x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
  %t = linalg.generic {indexing_maps = [#rotation, #matrix, #turned], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %s : tensor<4x128x64xf32>, tensor<64x64xf32>) outs(%z : tensor<4x128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %sum, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x128x64xf32>
  %a = linalg.generic {indexing_maps = [#id, #position, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %c : tensor<4x128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<4x128x64xf32>) {
  ^bb0(%in: f32, %cos: f32, %out: f32):
    %p = arith.mulf %in, %cos : f32
    linalg.yield %p : f32
  } -> tensor<4x128x64xf32>
  %ts = linalg.generic {indexing_maps = [#id, #position, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%t, %c : tensor<4x128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<4x128x64xf32>) {
  ^bb0(%in: f32, %sin: f32, %out: f32):
    %p = arith.mulf %in, %sin : f32
    linalg.yield %p : f32
  } -> tensor<4x128x64xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%a, %ts : tensor<4x128x64xf32>, tensor<4x128x64xf32>) outs(%e : tensor<4x128x64xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %p = arith.addf %in, %other : f32
    linalg.yield %p : f32
  } -> tensor<4x128x64xf32>
  %ke = tensor.empty() : tensor<2x2x32x64xf32>
  %repeated = linalg.broadcast ins(%k : tensor<2x32x64xf32>) outs(%ke : tensor<2x2x32x64xf32>) dimensions = [1]
  %keys = tensor.collapse_shape %repeated [[0, 1], [2], [3]] : tensor<2x2x32x64xf32> into tensor<4x32x64xf32>
  %oe = tensor.empty() : tensor<4x128x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x128x32xf32>) -> tensor<4x128x32xf32>
  %o = linalg.contract indexing_maps = [#query, #key, #turned]
      ins(%q, %keys : tensor<4x128x64xf32>, tensor<4x32x64xf32>) outs(%oz : tensor<4x128x32xf32>) -> tensor<4x128x32xf32>
  return %o : tensor<4x128x32xf32>
}

// Squares of heads, which are columns of one product, stay next to their sum: a kernel that ends before the
// reshape would store them.

#head = affine_map<(r, h, c) -> (r, h)>

// CHECK-LABEL: @heads(
// CHECK: linalg.matmul
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape {{.*}} into tensor<24x16xf32>
// CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}} ins(%[[ROWS]] : tensor<24x16xf32>)
// CHECK: linalg.generic {{.*}} "reduction"]} ins(%[[SQUARES]] : tensor<24x16xf32>)
func.func @heads(%x: tensor<8x32xf32>, %w: tensor<32x48xf32>) -> tensor<8x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x48xf32>) -> tensor<8x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x32xf32>, tensor<32x48xf32>) outs(%z : tensor<8x48xf32>) -> tensor<8x48xf32>
  %heads = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 16] : tensor<8x48xf32> into tensor<8x3x16xf32>
  %he = tensor.empty() : tensor<8x3x16xf32>
  %squares = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%heads : tensor<8x3x16xf32>) outs(%he : tensor<8x3x16xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.mulf %in, %in : f32
    linalg.yield %q : f32
  } -> tensor<8x3x16xf32>
  %se = tensor.empty() : tensor<8x3xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x3xf32>) -> tensor<8x3xf32>
  %s = linalg.generic {indexing_maps = [#id, #head], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%squares : tensor<8x3x16xf32>) outs(%sz : tensor<8x3xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<8x3xf32>
  return %s : tensor<8x3xf32>
}
