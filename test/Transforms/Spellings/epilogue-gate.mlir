// A gate: relu(X * G) * (X * U).
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %g: tensor<40x56xbf16>, %u: tensor<40x56xbf16>) -> tensor<24x56xbf16> {
  %floor = arith.constant dense<0.0> : tensor<24x56xf32>
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %a = linalg.matmul ins(%x, %g : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %b = linalg.matmul ins(%x, %u : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %relu = arith.maximumf %a, %floor : tensor<24x56xf32>
  %p = arith.mulf %relu, %b : tensor<24x56xf32>
  %o = arith.truncf %p : tensor<24x56xf32> to tensor<24x56xbf16>
  return %o : tensor<24x56xbf16>
}
