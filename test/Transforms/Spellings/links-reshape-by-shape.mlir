// tensor.reshape with a shape that is constant.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<4x6x40xf32>, %u: tensor<40x56xf32>, %v: tensor<56x31xf32>) -> tensor<3x8x31xf32> {
  %rows = arith.constant dense<[24, 40]> : tensor<2xi64>
  %batch = arith.constant dense<[3, 8, 31]> : tensor<3xi64>
  %x2 = tensor.reshape %x(%rows) : (tensor<4x6x40xf32>, tensor<2xi64>) -> tensor<24x40xf32>
  %y_zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x2, %u : tensor<24x40xf32>, tensor<40x56xf32>) outs(%y_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %o_zeros = arith.constant dense<0.0> : tensor<24x31xf32>
  %o2 = linalg.matmul ins(%y, %v : tensor<24x56xf32>, tensor<56x31xf32>) outs(%o_zeros : tensor<24x31xf32>) -> tensor<24x31xf32>
  %o = tensor.reshape %o2(%batch) : (tensor<24x31xf32>, tensor<3xi64>) -> tensor<3x8x31xf32>
  return %o : tensor<3x8x31xf32>
}
