// Dynamic dimensions get sizes, and what follows from them becomes static.
// RUN: trn-opt %s --split-input-file --trn-specialize=sizes=3x8 | FileCheck %s

// The mask has the rows of x; the rows of the weight are those of its neighbour.
// CHECK-LABEL: func @tied(
// CHECK-SAME: %{{.*}}: tensor<3x8x40xf32>, %{{.*}}: tensor<40x48xf32>, %{{.*}}: tensor<8xf32>, %{{.*}}: tensor<48xf32>) -> tensor<3x8x48xf32>
// CHECK: linalg.matmul ins({{.*}} : tensor<24x40xf32>, tensor<40x48xf32>)
// CHECK-NOT: tensor<?
// CHECK: return {{.*}} : tensor<3x8x48xf32>
func.func @tied(%x: tensor<?x?x40xf32>, %w: tensor<40x48xf32>, %mask: tensor<?xf32>, %bias: tensor<?xf32>) -> tensor<?x?x48xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x40xf32>
  %s = tensor.dim %x, %c1 : tensor<?x?x40xf32>
  %rows = arith.muli %b, %s : index
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x40xf32> into tensor<?x40xf32>
  %empty = tensor.empty(%rows) : tensor<?x48xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x48xf32>) -> tensor<?x48xf32>
  %y2 = linalg.matmul ins(%x2, %w : tensor<?x40xf32>, tensor<40x48xf32>) outs(%zeros : tensor<?x48xf32>) -> tensor<?x48xf32>
  %y = tensor.expand_shape %y2 [[0, 1], [2]] output_shape [%b, %s, 48] : tensor<?x48xf32> into tensor<?x?x48xf32>
  %o_empty = tensor.empty(%b, %s) : tensor<?x?x48xf32>
  %masked = linalg.generic {indexing_maps = [affine_map<(b, m, n) -> (b, m, n)>, affine_map<(b, m, n) -> (m)>, affine_map<(b, m, n) -> (n)>, affine_map<(b, m, n) -> (b, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %mask, %bias : tensor<?x?x48xf32>, tensor<?xf32>, tensor<?xf32>) outs(%o_empty : tensor<?x?x48xf32>) {
  ^bb0(%a: f32, %m: f32, %n: f32, %old: f32):
    %scaled = arith.mulf %a, %m : f32
    %sum = arith.addf %scaled, %n : f32
    linalg.yield %sum : f32
  } -> tensor<?x?x48xf32>
  %o = math.tanh %masked : tensor<?x?x48xf32>
  return %o : tensor<?x?x48xf32>
}

// -----

// What nobody can know stays dynamic.
// CHECK-LABEL: func @unknown(
// CHECK-SAME: %{{.*}}: tensor<3x8xf32>, %{{.*}}: index) -> tensor<?x8xf32>
func.func @unknown(%x: tensor<?x?xf32>, %rows: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %columns = tensor.dim %x, %c1 : tensor<?x?xf32>
  %part = tensor.extract_slice %x[0, 0] [%rows, %columns] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %part : tensor<?x?xf32>
}

// -----

// Functions that are called by nobody here may be called with anything elsewhere, and recursion has
// no end.
// CHECK-LABEL: func private @again(%{{.*}}: tensor<?xf32>)
// CHECK: call @again
func.func private @again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %y = call @again(%x) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
// CHECK-LABEL: func @recursive(%{{.*}}: tensor<3x8xf32>)
// CHECK: call @again
func.func @recursive(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
  %y = call @again(%flat) : (tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
