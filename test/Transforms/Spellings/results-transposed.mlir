// The transpose of a result and of an activation are the kernel's, not the host's.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel

func.func @main(%x: tensor<40x24xf32>, %w: tensor<40x56xf32>) -> tensor<56x24xf32> {
  %rows = tensor.empty() : tensor<24x40xf32>
  %turned = linalg.transpose ins(%x : tensor<40x24xf32>) outs(%rows : tensor<24x40xf32>) permutation = [1, 0]
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%turned, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %columns = tensor.empty() : tensor<56x24xf32>
  %o = linalg.transpose ins(%y : tensor<24x56xf32>) outs(%columns : tensor<56x24xf32>) permutation = [1, 0]
  return %o : tensor<56x24xf32>
}
