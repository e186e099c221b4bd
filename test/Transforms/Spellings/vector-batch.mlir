// linalg.batch_matvec whose matrix is one: every vector of the batch is a row.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %w: tensor<56x40xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56x40xf32>
  %shared = linalg.broadcast ins(%w : tensor<56x40xf32>) outs(%empty : tensor<24x56x40xf32>) dimensions = [0]
  %o = linalg.batch_matvec ins(%shared, %x : tensor<24x56x40xf32>, tensor<24x40xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
