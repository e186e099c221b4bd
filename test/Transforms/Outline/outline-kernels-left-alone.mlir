// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-outline-kernels | FileCheck %s

// What cannot become a kernel stays as it is, and a remark says why.

// CHECK-NOT: trn.kernel

func.func @dynamic_shape(%x: tensor<?x96xf32>, %w: tensor<96x32xf32>, %init: tensor<?x32xf32>) -> tensor<?x32xf32> {
  // expected-remark @below {{product left on the host: dimension 0 of tensor<?x96xf32> is dynamic, but kernels are compiled for static shapes}}
  %o = linalg.matmul ins(%x, %w : tensor<?x96xf32>, tensor<96x32xf32>) outs(%init : tensor<?x32xf32>) -> tensor<?x32xf32>
  return %o : tensor<?x32xf32>
}

// -----

func.func @accumulates(%x: tensor<64x96xf32>, %w: tensor<96x32xf32>, %init: tensor<64x32xf32>) -> tensor<64x32xf32> {
  // expected-remark @below {{it accumulates onto a tensor that is not filled with zero}}
  %o = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x32xf32>) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// -----

func.func @batch_innermost(%x: tensor<4x64x96xf32>, %w: tensor<96x32x4xf32>) -> tensor<4x64x32xf32> {
  %init = arith.constant dense<0.0> : tensor<4x64x32xf32>
  // expected-remark @below {{the innermost dimension of an operand is a batch, but kernels read and write rows of matrices}}
  %o = linalg.contract indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %w : tensor<4x64x96xf32>, tensor<96x32x4xf32>) outs(%init : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  return %o : tensor<4x64x32xf32>
}

// -----

func.func @empty(%x: tensor<0x96xf32>, %w: tensor<96x32xf32>) -> tensor<0x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<0x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<0x32xf32>) -> tensor<0x32xf32>
  // expected-remark @below {{it is empty}}
  %o = linalg.matmul ins(%x, %w : tensor<0x96xf32>, tensor<96x32xf32>) outs(%init : tensor<0x32xf32>) -> tensor<0x32xf32>
  return %o : tensor<0x32xf32>
}

// -----

func.func @element_type(%x: tensor<64x96xf64>, %w: tensor<96x32xf64>) -> tensor<64x32xf64> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<64x32xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<64x32xf64>) -> tensor<64x32xf64>
  // expected-remark @below {{it multiplies f64 and sums in f64, but the tensor engine takes bf16, f16 and f32}}
  %o = linalg.matmul ins(%x, %w : tensor<64x96xf64>, tensor<96x32xf64>) outs(%init : tensor<64x32xf64>) -> tensor<64x32xf64>
  return %o : tensor<64x32xf64>
}

// -----

func.func @mixed_types(%x: tensor<64x96xf32>, %w: tensor<96x32xbf16>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  // expected-remark @below {{its operands are f32 and bf16, but the tensor engine takes one type}}
  %o = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x32xbf16>) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// -----

func.func @too_many_operations(%x: tensor<4611686018427387904x8xf32>, %w: tensor<8x8xf32>) -> tensor<4611686018427387904x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4611686018427387904x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4611686018427387904x8xf32>) -> tensor<4611686018427387904x8xf32>
  // expected-remark @below {{it needs more than 2^63 operations}}
  %o = linalg.matmul ins(%x, %w : tensor<4611686018427387904x8xf32>, tensor<8x8xf32>) outs(%init : tensor<4611686018427387904x8xf32>) -> tensor<4611686018427387904x8xf32>
  return %o : tensor<4611686018427387904x8xf32>
}
