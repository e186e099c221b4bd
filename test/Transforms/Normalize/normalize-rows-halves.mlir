// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// Halves that are computed alike are computed at once, by a rotation. What is
// subtracted in one of them is negated.

// CHECK-LABEL: @halves(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x4xf32>, %[[C:[a-z0-9]*]]: tensor<8x2xf32>, %[[S:[a-z0-9]*]]: tensor<8x2xf32>
// CHECK-DAG: %[[C2:.*]] = tensor.concat dim(1) %[[C]], %[[C]]
// CHECK-DAG: %[[S2:.*]] = tensor.concat dim(1) %[[S]], %[[S]]
// CHECK-DAG: %[[R:.*]] = arith.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00]]>
// CHECK-DAG: %[[Y:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[R]] :
// CHECK: %[[O:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[C2]], %[[Y]], %[[S2]] :
// CHECK-NEXT: ^bb0(%[[A:.*]]: f32, %[[B:.*]]: f32, %[[D:.*]]: f32, %[[E:.*]]: f32,
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK-NEXT: %[[Q:.*]] = arith.mulf %[[D]], %[[E]]
// CHECK-NEXT: arith.addf %[[P]], %[[Q]]
// CHECK: return %[[O]]
func.func @halves(%x: tensor<8x4xf32>, %c: tensor<8x2xf32>, %s: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %ac = arith.mulf %a, %c : tensor<8x2xf32>
  %bs = arith.mulf %b, %s : tensor<8x2xf32>
  %l = arith.subf %ac, %bs : tensor<8x2xf32>
  %as = arith.mulf %s, %a : tensor<8x2xf32>
  %bc = arith.mulf %b, %c : tensor<8x2xf32>
  %r = arith.addf %as, %bc : tensor<8x2xf32>
  %o = tensor.concat dim(1) %l, %r : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// So are neighbours, which are put together as pairs.

// CHECK-LABEL: @neighbours(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x4xf32>, %[[C:[a-z0-9]*]]: tensor<8x2xf32>
// CHECK: tensor.concat dim(2) %{{.*}}, %{{.*}} : (tensor<8x2x1xf32>, tensor<8x2x1xf32>)
// CHECK: arith.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00],
// CHECK: arith.addf
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @neighbours(%x: tensor<8x4xf32>, %c: tensor<8x2xf32>, %s: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %p = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 2, 2] : tensor<8x4xf32> into tensor<8x2x2xf32>
  %a1 = tensor.extract_slice %p[0, 0, 0] [8, 2, 1] [1, 1, 1] : tensor<8x2x2xf32> to tensor<8x2x1xf32>
  %b1 = tensor.extract_slice %p[0, 0, 1] [8, 2, 1] [1, 1, 1] : tensor<8x2x2xf32> to tensor<8x2x1xf32>
  %a = tensor.collapse_shape %a1 [[0], [1, 2]] : tensor<8x2x1xf32> into tensor<8x2xf32>
  %b = tensor.collapse_shape %b1 [[0], [1, 2]] : tensor<8x2x1xf32> into tensor<8x2xf32>
  %ac = arith.mulf %a, %c : tensor<8x2xf32>
  %bs = arith.mulf %b, %s : tensor<8x2xf32>
  %l = arith.subf %ac, %bs : tensor<8x2xf32>
  %as = arith.mulf %a, %s : tensor<8x2xf32>
  %bc = arith.mulf %b, %c : tensor<8x2xf32>
  %r = arith.addf %as, %bc : tensor<8x2xf32>
  %l1 = tensor.expand_shape %l [[0], [1, 2]] output_shape [8, 2, 1] : tensor<8x2xf32> into tensor<8x2x1xf32>
  %r1 = tensor.expand_shape %r [[0], [1, 2]] output_shape [8, 2, 1] : tensor<8x2xf32> into tensor<8x2x1xf32>
  %o2 = tensor.concat dim(2) %l1, %r1 : (tensor<8x2x1xf32>, tensor<8x2x1xf32>) -> tensor<8x2x2xf32>
  %o = tensor.collapse_shape %o2 [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// A sign that a product does not take, as of an exponential, tells them apart.

// CHECK-LABEL: @signs(
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: return
func.func @signs(%x: tensor<8x4xf32>, %c: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %ac = arith.mulf %a, %c : tensor<8x2xf32>
  %eb = math.exp %b : tensor<8x2xf32>
  %l = arith.subf %ac, %eb : tensor<8x2xf32>
  %bc = arith.mulf %b, %c : tensor<8x2xf32>
  %ea = math.exp %a : tensor<8x2xf32>
  %r = arith.addf %bc, %ea : tensor<8x2xf32>
  %o = tensor.concat dim(1) %l, %r : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Rows that are taken apart leave pairs as they were: neighbours in a row of the result are none in one row of the tensor.

// CHECK-LABEL: @rows(
// CHECK: arith.subf
// CHECK: arith.addf
// CHECK: return
func.func @rows(%x: tensor<12x2xf32>, %c: tensor<3x4x1xf32>, %s: tensor<3x4x1xf32>) -> tensor<3x8xf32> {
  %p = tensor.expand_shape %x [[0, 1], [2]] output_shape [3, 4, 2] : tensor<12x2xf32> into tensor<3x4x2xf32>
  %a = tensor.extract_slice %p[0, 0, 0] [3, 4, 1] [1, 1, 1] : tensor<3x4x2xf32> to tensor<3x4x1xf32>
  %b = tensor.extract_slice %p[0, 0, 1] [3, 4, 1] [1, 1, 1] : tensor<3x4x2xf32> to tensor<3x4x1xf32>
  %ac = arith.mulf %a, %c : tensor<3x4x1xf32>
  %bs = arith.mulf %b, %s : tensor<3x4x1xf32>
  %l = arith.subf %ac, %bs : tensor<3x4x1xf32>
  %as = arith.mulf %a, %s : tensor<3x4x1xf32>
  %bc = arith.mulf %b, %c : tensor<3x4x1xf32>
  %r = arith.addf %as, %bc : tensor<3x4x1xf32>
  %o2 = tensor.concat dim(2) %l, %r : (tensor<3x4x1xf32>, tensor<3x4x1xf32>) -> tensor<3x4x2xf32>
  %o = tensor.collapse_shape %o2 [[0], [1, 2]] : tensor<3x4x2xf32> into tensor<3x8xf32>
  return %o : tensor<3x8xf32>
}
