// RUN: trn-opt %s --split-input-file --trn-normalize-rows --trn-normalize-products | FileCheck %s
// What is normalised stays as it is.
// RUN: trn-opt %s --split-input-file --trn-normalize-rows --trn-normalize-products -o %t.mlir
// RUN: trn-opt %t.mlir --split-input-file --trn-normalize-rows --trn-normalize-products | FileCheck %s

// Heads of a product are normed as groups of its columns.

// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[COLUMN:.*]] = affine_map<(d0, d1, d2) -> (d0, d1 * 16 + d2)>
// CHECK-DAG: #[[WINDOW:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[GROUP:.*]] = affine_map<(d0, d1) -> (d0, d1 floordiv 16)>
// CHECK-DAG: #[[GAIN:.*]] = affine_map<(d0, d1) -> (d1 mod 16)>
// CHECK-LABEL: @norm(
// CHECK: %[[Q:.*]] = linalg.matmul
// CHECK: %[[SQUARES:.*]] = linalg.generic {{.*}} ins(%[[Q]] : tensor<8x48xf32>)
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[COLUMN]], #[[WINDOW]], {{.*}}], iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[SQUARES]], %{{.*}} : tensor<8x48xf32>, tensor<16xf32>)
// CHECK: %[[R:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<8x3xf32>)
// CHECK: %[[N:.*]] = linalg.generic {indexing_maps = [#[[ROWS]], #[[GROUP]], #[[GAIN]], #[[ROWS]]], {{.*}}} ins(%[[Q]], %[[R]], %arg2 :
// CHECK: tensor.expand_shape %[[N]] {{\[\[}}0], [1, 2]] output_shape [8, 3, 16]
func.func @norm(%x: tensor<8x4xf32>, %w: tensor<4x48xf32>, %gain: tensor<16xf32>) -> tensor<8x3x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x48xf32>) -> tensor<8x48xf32>
  %q = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x48xf32>) outs(%z : tensor<8x48xf32>) -> tensor<8x48xf32>
  %h = tensor.expand_shape %q [[0], [1, 2]] output_shape [8, 3, 16] : tensor<8x48xf32> into tensor<8x3x16xf32>
  %he = tensor.empty() : tensor<8x3x16xf32>
  %squares = linalg.generic {indexing_maps = [affine_map<(r, g, c) -> (r, g, c)>, affine_map<(r, g, c) -> (r, g, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%h : tensor<8x3x16xf32>) outs(%he : tensor<8x3x16xf32>) {
  ^bb0(%a: f32, %old: f32):
    %square = arith.mulf %a, %a : f32
    linalg.yield %square : f32
  } -> tensor<8x3x16xf32>
  %se = tensor.empty() : tensor<8x3xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<8x3xf32>) -> tensor<8x3xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(r, g, c) -> (r, g, c)>, affine_map<(r, g, c) -> (r, g)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%squares : tensor<8x3x16xf32>) outs(%sz : tensor<8x3xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %new = arith.addf %a, %sum : f32
    linalg.yield %new : f32
  } -> tensor<8x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(r, g) -> (r, g)>, affine_map<(r, g) -> (r, g)>],
      iterator_types = ["parallel", "parallel"]} ins(%s : tensor<8x3xf32>) outs(%se : tensor<8x3xf32>) {
  ^bb0(%a: f32, %old: f32):
    %rsqrt = math.rsqrt %a : f32
    linalg.yield %rsqrt : f32
  } -> tensor<8x3xf32>
  %n = linalg.generic {indexing_maps = [affine_map<(r, g, c) -> (r, g, c)>, affine_map<(r, g, c) -> (r, g)>, affine_map<(r, g, c) -> (c)>, affine_map<(r, g, c) -> (r, g, c)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%h, %r, %gain : tensor<8x3x16xf32>, tensor<8x3xf32>, tensor<16xf32>) outs(%he : tensor<8x3x16xf32>) {
  ^bb0(%a: f32, %scale: f32, %g: f32, %old: f32):
    %scaled = arith.mulf %a, %scale : f32
    %new = arith.mulf %scaled, %g : f32
    linalg.yield %new : f32
  } -> tensor<8x3x16xf32>
  return %n : tensor<8x3x16xf32>
}

// -----

// Maxima of heads alone are of no norm.

// CHECK-LABEL: @no_norm(
// CHECK: tensor.expand_shape %{{.*}} output_shape [8, 3, 16]
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<24x16xf32>)
func.func @no_norm(%x: tensor<8x4xf32>, %w: tensor<4x48xf32>) -> tensor<8x3xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x48xf32>) -> tensor<8x48xf32>
  %q = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x48xf32>) outs(%z : tensor<8x48xf32>) -> tensor<8x48xf32>
  %h = tensor.expand_shape %q [[0], [1, 2]] output_shape [8, 3, 16] : tensor<8x48xf32> into tensor<8x3x16xf32>
  %se = tensor.empty() : tensor<8x3xf32>
  %sz = linalg.fill ins(%least : f32) outs(%se : tensor<8x3xf32>) -> tensor<8x3xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(r, g, c) -> (r, g, c)>, affine_map<(r, g, c) -> (r, g)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%h : tensor<8x3x16xf32>) outs(%sz : tensor<8x3xf32>) {
  ^bb0(%a: f32, %max: f32):
    %new = arith.maximumf %a, %max : f32
    linalg.yield %new : f32
  } -> tensor<8x3xf32>
  return %s : tensor<8x3xf32>
}
