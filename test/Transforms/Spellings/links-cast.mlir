// A cast to a dynamic shape and back between the links.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %u: tensor<40x56xf32>, %v: tensor<56x31xf32>) -> tensor<24x31xf32> {
  %y_zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %u : tensor<24x40xf32>, tensor<40x56xf32>) outs(%y_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y_dynamic = tensor.cast %y : tensor<24x56xf32> to tensor<?x56xf32>
  %o_zeros = arith.constant dense<0.0> : tensor<24x31xf32>
  %o_dynamic = tensor.cast %o_zeros : tensor<24x31xf32> to tensor<?x31xf32>
  %o_sum = linalg.matmul ins(%y_dynamic, %v : tensor<?x56xf32>, tensor<56x31xf32>) outs(%o_dynamic : tensor<?x31xf32>) -> tensor<?x31xf32>
  %o = tensor.cast %o_sum : tensor<?x31xf32> to tensor<24x31xf32>
  return %o : tensor<24x31xf32>
}
