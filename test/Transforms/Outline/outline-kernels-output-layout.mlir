// RUN: trn-opt %s --split-input-file --allow-unregistered-dialect --verify-diagnostics --trn-outline-kernels=output-layout=transposed | FileCheck %s

// A function returns the transpose of its result only if nobody in the module
// can be surprised by it.

// CHECK-LABEL: func.func @called(
// CHECK-SAME: -> tensor<8x4xf32>
// expected-remark @below {{function keeps its output layout: other code of the module refers to it}}
func.func @called(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
func.func @caller(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %y = call @called(%x, %w) : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @address_taken(
// CHECK-SAME: -> tensor<8x8xf32>
// CHECK: func.func private @address_taken_kernel
// CHECK-NOT: linalg.transpose
// CHECK: bufferization.materialize_in_destination
// expected-remark @below {{function keeps its output layout: other code of the module refers to it}}
func.func @address_taken(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
func.func private @address() -> ((tensor<8x8xf32>) -> tensor<8x8xf32>) {
  %f = constant @address_taken : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %f : (tensor<8x8xf32>) -> tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @two_returns(
// CHECK-SAME: -> tensor<8x4xf32>
// expected-remark @below {{function keeps its output layout: it returns from several places}}
func.func @two_returns(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>, %which: i1) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  "test.branch"(%which)[^product, ^zeros] : (i1) -> ()
^product:
  %y = linalg.matmul ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
^zeros:
  return %init : tensor<8x4xf32>
}

// -----

// CHECK-LABEL: func.func @returned_twice(
// CHECK-SAME: -> (tensor<8x4xf32>, tensor<8x4xf32>)
// expected-remark @below {{function keeps its output layout: the product that it returns has other uses}}
func.func @returned_twice(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y, %y : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// The other results of a function stay as they are.

// CHECK-LABEL: func.func @two_results(
// CHECK-SAME: -> (tensor<8x6xf32>, tensor<4x8xf32>)
func.func @two_results(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> (tensor<8x6xf32>, tensor<8x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %x, %y : tensor<8x6xf32>, tensor<8x4xf32>
}
