// RUN: trn-opt %s --split-input-file --trn-normalize-rows --trn-normalize-products | FileCheck %s

// Rotary embeddings of the heads of a product.

// Rows of all heads are rotated at once. What reads heads one by one does so behind that.

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[OTHER:.*]] = affine_map<(d0, d1) -> (d0, (d1 floordiv 4) * 4 + (d1 + 2) mod 4)>
// CHECK-DAG: #[[TABLE:.*]] = affine_map<(d0, d1) -> (d0, d1 mod 4)>
// CHECK-DAG: #[[HEADS:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
// CHECK-LABEL: @halves(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[OTHER]], #[[ALL]]], {{.*}} ins(%[[P]] : tensor<8x12xf32>)
// CHECK: linalg.index 1
// CHECK: arith.select
// CHECK: %[[O:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]], #[[TABLE]], #[[TABLE]], #[[ALL]]], {{.*}} ins(%[[P]], %[[R]], %{{.*}}, %{{.*}} : tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
// CHECK: %[[H:.*]] = tensor.expand_shape %[[O]] {{\[\[}}0], [1, 2]] {{.*}} into tensor<8x3x4xf32>
// CHECK-NOT: linalg.transpose
// CHECK: linalg.generic {indexing_maps = [#[[HEADS]], {{.*}} ins(%[[H]], %{{.*}} : tensor<8x3x4xf32>, tensor<3x8x4xf32>)
func.func @halves(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %c: tensor<8x4xf32>, %s: tensor<8x4xf32>, %k: tensor<3x8x4xf32>) -> tensor<3x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x12xf32>) outs(%f : tensor<8x12xf32>) -> tensor<8x12xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 4] : tensor<8x12xf32> into tensor<8x3x4xf32>
  %et = tensor.empty() : tensor<3x8x4xf32>
  %q = linalg.transpose ins(%h : tensor<8x3x4xf32>) outs(%et : tensor<3x8x4xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %b = tensor.extract_slice %q[0, 0, 2] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %n = arith.negf %b : tensor<3x8x2xf32>
  %r = tensor.concat dim(2) %n, %a : (tensor<3x8x2xf32>, tensor<3x8x2xf32>) -> tensor<3x8x4xf32>
  %cb = linalg.broadcast ins(%c : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x8x4xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x8x4xf32>
  %o = arith.addf %m1, %m2 : tensor<3x8x4xf32>
  %e3 = tensor.empty() : tensor<3x8x8xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%o, %k : tensor<3x8x4xf32>, tensor<3x8x4xf32>) outs(%f3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return %sc : tensor<3x8x8xf32>
}

// -----

// With what is computed of the heads behind that.

// CHECK-LABEL: @scaled(
// CHECK: linalg.index
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x4xf32>, tensor<8x4xf32>)
// CHECK: arith.addf
// CHECK-NEXT: arith.mulf
// CHECK-NEXT: linalg.yield
func.func @scaled(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %c: tensor<8x4xf32>, %s: tensor<8x4xf32>, %k: tensor<3x8x4xf32>) -> tensor<3x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x12xf32>) outs(%f : tensor<8x12xf32>) -> tensor<8x12xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 4] : tensor<8x12xf32> into tensor<8x3x4xf32>
  %et = tensor.empty() : tensor<3x8x4xf32>
  %q = linalg.transpose ins(%h : tensor<8x3x4xf32>) outs(%et : tensor<3x8x4xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %b = tensor.extract_slice %q[0, 0, 2] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %n = arith.negf %b : tensor<3x8x2xf32>
  %r = tensor.concat dim(2) %n, %a : (tensor<3x8x2xf32>, tensor<3x8x2xf32>) -> tensor<3x8x4xf32>
  %cb = linalg.broadcast ins(%c : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x8x4xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x8x4xf32>
  %o = arith.addf %m1, %m2 : tensor<3x8x4xf32>
  %factor = arith.constant dense<0.125> : tensor<3x8x4xf32>
  %os = arith.mulf %o, %factor : tensor<3x8x4xf32>
  %e3 = tensor.empty() : tensor<3x8x8xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%os, %k : tensor<3x8x4xf32>, tensor<3x8x4xf32>) outs(%f3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return %sc : tensor<3x8x8xf32>
}

// -----

// Those that a function returns one after the other are moved behind that.

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[TABLE:.*]] = affine_map<(d0, d1) -> (d0, d1 mod 4)>
// CHECK-LABEL: @returned(
// CHECK: linalg.index 1
// CHECK: %[[O:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]], #[[TABLE]], #[[TABLE]], #[[ALL]]]
// CHECK: %[[H:.*]] = tensor.expand_shape %[[O]] {{\[\[}}0], [1, 2]] {{.*}} into tensor<8x3x4xf32>
// CHECK: %[[MOVED:.*]] = linalg.transpose ins(%[[H]] {{.*}} permutation = [1, 0, 2]
// CHECK: return %{{.*}}, %[[MOVED]]
func.func @returned(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %c: tensor<8x4xf32>, %s: tensor<8x4xf32>, %k: tensor<3x8x4xf32>) -> (tensor<3x8x8xf32>, tensor<3x8x4xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x12xf32>) outs(%f : tensor<8x12xf32>) -> tensor<8x12xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 4] : tensor<8x12xf32> into tensor<8x3x4xf32>
  %et = tensor.empty() : tensor<3x8x4xf32>
  %q = linalg.transpose ins(%h : tensor<8x3x4xf32>) outs(%et : tensor<3x8x4xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %b = tensor.extract_slice %q[0, 0, 2] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %n = arith.negf %b : tensor<3x8x2xf32>
  %r = tensor.concat dim(2) %n, %a : (tensor<3x8x2xf32>, tensor<3x8x2xf32>) -> tensor<3x8x4xf32>
  %cb = linalg.broadcast ins(%c : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x8x4xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x8x4xf32>
  %o = arith.addf %m1, %m2 : tensor<3x8x4xf32>
  %e3 = tensor.empty() : tensor<3x8x8xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%o, %k : tensor<3x8x4xf32>, tensor<3x8x4xf32>) outs(%f3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return %sc, %o : tensor<3x8x8xf32>, tensor<3x8x4xf32>
}

// -----

// Where no product computes the heads, there is nothing to join.

// CHECK-LABEL: @given(
// CHECK-NOT: linalg.index
func.func @given(%p: tensor<8x12xf32>, %c: tensor<8x4xf32>, %s: tensor<8x4xf32>, %k: tensor<3x8x4xf32>) -> tensor<3x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 4] : tensor<8x12xf32> into tensor<8x3x4xf32>
  %et = tensor.empty() : tensor<3x8x4xf32>
  %q = linalg.transpose ins(%h : tensor<8x3x4xf32>) outs(%et : tensor<3x8x4xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %b = tensor.extract_slice %q[0, 0, 2] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %n = arith.negf %b : tensor<3x8x2xf32>
  %r = tensor.concat dim(2) %n, %a : (tensor<3x8x2xf32>, tensor<3x8x2xf32>) -> tensor<3x8x4xf32>
  %cb = linalg.broadcast ins(%c : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x8x4xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x8x4xf32>
  %o = arith.addf %m1, %m2 : tensor<3x8x4xf32>
  %e3 = tensor.empty() : tensor<3x8x8xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%o, %k : tensor<3x8x4xf32>, tensor<3x8x4xf32>) outs(%f3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return %sc : tensor<3x8x8xf32>
}

// -----

// Those of one row are rotated in it, even if they are returned.

// CHECK-DAG: #[[ALL:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[OTHER:.*]] = affine_map<(d0, d1) -> (d0, (d1 floordiv 4) * 4 + (d1 + 2) mod 4)>
// CHECK-DAG: #[[TABLE:.*]] = affine_map<(d0, d1) -> (d1 mod 4)>
// CHECK-LABEL: @one_row(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[OTHER]], #[[ALL]]], {{.*}} ins(%[[P]] : tensor<1x12xf32>)
// CHECK: %[[O:.*]] = linalg.generic {indexing_maps = [#[[ALL]], #[[ALL]], #[[TABLE]], #[[TABLE]], #[[ALL]]], {{.*}} ins(%[[P]], %[[R]], %{{.*}}, %{{.*}} : tensor<1x12xf32>, tensor<1x12xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK: tensor.collapse_shape %[[O]]
// CHECK: into tensor<3x1x4xf32>
// CHECK-NOT: linalg.generic
func.func @one_row(%x: tensor<1x16xf32>, %w: tensor<16x12xf32>, %c: tensor<1x4xf32>, %s: tensor<1x4xf32>, %k: tensor<3x1x4xf32>) -> (tensor<3x1x1xf32>, tensor<3x1x4xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x12xf32>) -> tensor<1x12xf32>
  %p = linalg.matmul ins(%x, %w : tensor<1x16xf32>, tensor<16x12xf32>) outs(%f : tensor<1x12xf32>) -> tensor<1x12xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [1, 3, 4] : tensor<1x12xf32> into tensor<1x3x4xf32>
  %et = tensor.empty() : tensor<3x1x4xf32>
  %q = linalg.transpose ins(%h : tensor<1x3x4xf32>) outs(%et : tensor<3x1x4xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 1, 2] [1, 1, 1] : tensor<3x1x4xf32> to tensor<3x1x2xf32>
  %b = tensor.extract_slice %q[0, 0, 2] [3, 1, 2] [1, 1, 1] : tensor<3x1x4xf32> to tensor<3x1x2xf32>
  %n = arith.negf %b : tensor<3x1x2xf32>
  %r = tensor.concat dim(2) %n, %a : (tensor<3x1x2xf32>, tensor<3x1x2xf32>) -> tensor<3x1x4xf32>
  %cb = linalg.broadcast ins(%c : tensor<1x4xf32>) outs(%et : tensor<3x1x4xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<1x4xf32>) outs(%et : tensor<3x1x4xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x1x4xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x1x4xf32>
  %o = arith.addf %m1, %m2 : tensor<3x1x4xf32>
  %e3 = tensor.empty() : tensor<3x1x1xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%o, %k : tensor<3x1x4xf32>, tensor<3x1x4xf32>) outs(%f3 : tensor<3x1x1xf32>) -> tensor<3x1x1xf32>
  return %sc, %o : tensor<3x1x1xf32>, tensor<3x1x4xf32>
}

// -----

// The other way round.

// CHECK-LABEL: @other_way(
// CHECK-NOT: linalg.index
func.func @other_way(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %c: tensor<8x4xf32>, %s: tensor<8x4xf32>, %k: tensor<3x8x4xf32>) -> tensor<3x8x8xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x12xf32>) outs(%f : tensor<8x12xf32>) -> tensor<8x12xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 4] : tensor<8x12xf32> into tensor<8x3x4xf32>
  %et = tensor.empty() : tensor<3x8x4xf32>
  %q = linalg.transpose ins(%h : tensor<8x3x4xf32>) outs(%et : tensor<3x8x4xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %b = tensor.extract_slice %q[0, 0, 2] [3, 8, 2] [1, 1, 1] : tensor<3x8x4xf32> to tensor<3x8x2xf32>
  %n = arith.negf %a : tensor<3x8x2xf32>
  %r = tensor.concat dim(2) %b, %n : (tensor<3x8x2xf32>, tensor<3x8x2xf32>) -> tensor<3x8x4xf32>
  %cb = linalg.broadcast ins(%c : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<8x4xf32>) outs(%et : tensor<3x8x4xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x8x4xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x8x4xf32>
  %o = arith.addf %m1, %m2 : tensor<3x8x4xf32>
  %e3 = tensor.empty() : tensor<3x8x8xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>] ins(%o, %k : tensor<3x8x4xf32>, tensor<3x8x4xf32>) outs(%f3 : tensor<3x8x8xf32>) -> tensor<3x8x8xf32>
  return %sc : tensor<3x8x8xf32>
}

// -----

// No columns.

// CHECK-LABEL: @empty(
// CHECK: tensor.expand_shape
func.func @empty(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %p: tensor<8x0xf32>) -> (tensor<8x3x0xf32>, tensor<8x12xf32>) {
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [8, 3, 0] : tensor<8x0xf32> into tensor<8x3x0xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %q = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x12xf32>) outs(%f : tensor<8x12xf32>) -> tensor<8x12xf32>
  return %h, %q : tensor<8x3x0xf32>, tensor<8x12xf32>
}

// -----

// Tensors of any rank are no heads.

// CHECK-LABEL: @any_rank(
// CHECK: tensor.cast %{{.*}} : tensor<*xf32> to tensor<8x3x4xf32>
func.func @any_rank(%x: tensor<8x16xf32>, %w: tensor<16x12xf32>, %u: tensor<*xf32>) -> (tensor<8x12xf32>, tensor<8x3x4xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x12xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x12xf32>) -> tensor<8x12xf32>
  %p = linalg.matmul ins(%x, %w : tensor<8x16xf32>, tensor<16x12xf32>) outs(%f : tensor<8x12xf32>) -> tensor<8x12xf32>
  %h = tensor.cast %u : tensor<*xf32> to tensor<8x3x4xf32>
  return %p, %h : tensor<8x12xf32>, tensor<8x3x4xf32>
}
