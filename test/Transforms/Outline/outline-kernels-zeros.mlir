// RUN: trn-opt %s --trn-outline-kernels --verify-diagnostics | FileCheck %s
// RUN: trn-run %s --entry=constant --compile=effort=1 --verify | FileCheck %s --check-prefix=VALUES

// A sum begins with zero however that is spelled.

// VALUES: verify: result 0

// CHECK-LABEL: func.func @constant
// CHECK: call @{{.*}}_kernel(
func.func @constant(%x: tensor<64x96xf32>, %w: tensor<96x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x32xf32>) outs(%zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @negative
// CHECK: call @{{.*}}_kernel(
func.func @negative(%x: tensor<64x96xf32>, %w: tensor<96x32xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant dense<-0.0> : tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x32xf32>) outs(%zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @reshaped
// CHECK: call @{{.*}}_kernel(
func.func @reshaped(%x: tensor<64x96xf32>, %w: tensor<96x32xf32>) -> tensor<64x32xf32> {
  %flat = arith.constant dense<0.0> : tensor<2048xf32>
  %zero = tensor.expand_shape %flat [[0, 1]] output_shape [64, 32] : tensor<2048xf32> into tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x32xf32>) outs(%zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// CHECK-LABEL: func.func @ones
// CHECK-NOT: call
func.func @ones(%x: tensor<64x96xf32>, %w: tensor<96x32xf32>) -> tensor<64x32xf32> {
  %one = arith.constant dense<1.0> : tensor<64x32xf32>
  // expected-remark @below {{it accumulates onto a tensor that is not filled with zero}}
  %y = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x32xf32>) outs(%one : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}

// The first element is zero, the others are not.
// CHECK-LABEL: func.func @some
// CHECK-NOT: call
func.func @some(%x: tensor<2x96xf32>, %w: tensor<96x1xf32>) -> tensor<2x1xf32> {
  %some = arith.constant dense<[[0.0], [1.0]]> : tensor<2x1xf32>
  // expected-remark @below {{it accumulates onto a tensor that is not filled with zero}}
  %y = linalg.matmul ins(%x, %w : tensor<2x96xf32>, tensor<96x1xf32>) outs(%some : tensor<2x1xf32>) -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}
