// Rows become a batch and rows again between the links of a chain.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %u: tensor<40x56xbf16>, %v: tensor<56x31xbf16>) -> tensor<24x31xbf16> {
  %y_zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y_sum = linalg.matmul ins(%x, %u : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%y_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y_batch = tensor.expand_shape %y_sum [[0, 1], [2]] output_shape [4, 6, 56] : tensor<24x56xf32> into tensor<4x6x56xf32>
  %y_short = arith.truncf %y_batch : tensor<4x6x56xf32> to tensor<4x6x56xbf16>
  %y = tensor.collapse_shape %y_short [[0, 1], [2]] : tensor<4x6x56xbf16> into tensor<24x56xbf16>
  %o_zeros = arith.constant dense<0.0> : tensor<24x31xf32>
  %o_sum = linalg.matmul ins(%y, %v : tensor<24x56xbf16>, tensor<56x31xbf16>) outs(%o_zeros : tensor<24x31xf32>) -> tensor<24x31xf32>
  %o = arith.truncf %o_sum : tensor<24x31xf32> to tensor<24x31xbf16>
  return %o : tensor<24x31xbf16>
}
