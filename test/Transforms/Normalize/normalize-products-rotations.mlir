// RUN: trn-opt %s --split-input-file --trn-normalize-products | FileCheck %s

// Columns that change places do so by a product with a constant matrix.

// The halves of a rotary embedding, by a concatenation:

// CHECK-LABEL: @halves(
// CHECK: %[[R:.*]] = arith.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %[[R]] : tensor<8x4xf32>, tensor<4x4xf32>)
// CHECK-NOT: tensor.concat
func.func @halves(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %n = arith.negf %b : tensor<8x2xf32>
  %o = tensor.concat dim(1) %n, %a : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// By insertions into a tensor, of heads, in bf16.

// CHECK-LABEL: @insertions(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<{{.*}}xbf16>, tensor<4x4xbf16>)
// CHECK: arith.truncf
func.func @insertions(%x: tensor<8x3x4xbf16>) -> tensor<8x3x4xbf16> {
  %a = tensor.extract_slice %x[0, 0, 0] [8, 3, 2] [1, 1, 1] : tensor<8x3x4xbf16> to tensor<8x3x2xbf16>
  %b = tensor.extract_slice %x[0, 0, 2] [8, 3, 2] [1, 1, 1] : tensor<8x3x4xbf16> to tensor<8x3x2xbf16>
  %n = arith.negf %b : tensor<8x3x2xbf16>
  %e = tensor.empty() : tensor<8x3x4xbf16>
  %i = tensor.insert_slice %n into %e[0, 0, 0] [8, 3, 2] [1, 1, 1] : tensor<8x3x2xbf16> into tensor<8x3x4xbf16>
  %o = tensor.insert_slice %a into %i[0, 0, 2] [8, 3, 2] [1, 1, 1] : tensor<8x3x2xbf16> into tensor<8x3x4xbf16>
  return %o : tensor<8x3x4xbf16>
}

// -----

// Not so the columns of two tensors, or what is not all there.

// CHECK-LABEL: @two_tensors(
// CHECK: tensor.concat
func.func @two_tensors(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %y[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %o = tensor.concat dim(1) %b, %a : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// CHECK-LABEL: @rows(
// CHECK: tensor.concat
func.func @rows(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %b = tensor.extract_slice %x[4, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %o = tensor.concat dim(0) %b, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// CHECK-LABEL: @with_a_gap(
// CHECK: tensor.insert_slice
func.func @with_a_gap(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %o = tensor.insert_slice %a into %y[0, 2] [8, 2] [1, 1] : tensor<8x2xf32> into tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
