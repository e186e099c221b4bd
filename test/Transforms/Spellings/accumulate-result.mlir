// A product onto an earlier one: X * V + Z * W.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %v: tensor<40x56xbf16>, %z: tensor<24x31xbf16>, %w: tensor<31x56xbf16>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %v : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %o = linalg.matmul ins(%z, %w : tensor<24x31xbf16>, tensor<31x56xbf16>) outs(%y : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
