// Two products read one weight that is transposed.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 215,040
// CHECK-NOT: host op
// CHECK: kernel main_kernel
// CHECK-NEXT: calls {{ *}}2

func.func @main(%x: tensor<24x40xbf16>, %z: tensor<24x40xbf16>, %w: tensor<56x40xbf16>) -> (tensor<24x56xf32>, tensor<24x56xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %turned_empty = tensor.empty() : tensor<40x56xbf16>
  %turned = linalg.transpose ins(%w : tensor<56x40xbf16>) outs(%turned_empty : tensor<40x56xbf16>) permutation = [1, 0]
  %a = linalg.matmul ins(%x, %turned : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %b = linalg.matmul ins(%z, %turned : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %a, %b : tensor<24x56xf32>, tensor<24x56xf32>
}
