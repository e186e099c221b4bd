// torch's linear: the weight is [N, K] and transposed in front of the product.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %w: tensor<56x40xbf16>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %turned_empty = tensor.empty() : tensor<40x56xbf16>
  %turned = linalg.transpose ins(%w : tensor<56x40xbf16>) outs(%turned_empty : tensor<40x56xbf16>) permutation = [1, 0]
  %o = linalg.matmul ins(%x, %turned : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
