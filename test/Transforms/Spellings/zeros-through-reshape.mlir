// Zeros that were made for a batch and then lost it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>) -> tensor<24x56xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  %rows = tensor.collapse_shape %zeros [[0, 1], [2]] : tensor<4x6x56xf32> into tensor<24x56xf32>
  %sum = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%rows : tensor<24x56xf32>) -> tensor<24x56xf32>
  %o = arith.truncf %sum : tensor<24x56xf32> to tensor<24x56xbf16>
  return %o : tensor<24x56xbf16>
}
