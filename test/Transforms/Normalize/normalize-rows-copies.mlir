// RUN: trn-opt %s --trn-normalize-rows --trn-normalize-products --verify-diagnostics | FileCheck %s

// A generic that copies one number transposes nothing, nor does one without operands.

// CHECK-LABEL: func.func @number(
// CHECK: linalg.matmul
func.func @number(%x: tensor<8x8xf32>, %s: tensor<f32>, %w: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
  %empty = tensor.empty() : tensor<f32>
  %copy = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []}
      ins(%s : tensor<f32>) outs(%empty : tensor<f32>) {
  ^bb0(%number: f32, %old: f32):
    linalg.yield %number : f32
  } -> tensor<f32>
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %o = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o, %copy : tensor<8x8xf32>, tensor<f32>
}

// CHECK-LABEL: func.func @nothing(
// CHECK: linalg.matmul
func.func @nothing(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  "linalg.generic"() <{indexing_maps = [], iterator_types = [], operandSegmentSizes = array<i32: 0, 0>}> ({
    linalg.yield
  }) : () -> ()
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %o = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}
