// A chain of products of which all have a batch: experts with factored weights.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<3x24x40xbf16>, %u: tensor<3x40x8xbf16>, %v: tensor<3x8x56xbf16>) -> tensor<3x24x56xbf16> {
  %y_zeros = arith.constant dense<0.0> : tensor<3x24x8xf32>
  %y = linalg.batch_matmul ins(%x, %u : tensor<3x24x40xbf16>, tensor<3x40x8xbf16>) outs(%y_zeros : tensor<3x24x8xf32>) -> tensor<3x24x8xf32>
  %y_rounded = arith.truncf %y : tensor<3x24x8xf32> to tensor<3x24x8xbf16>
  %o_zeros = arith.constant dense<0.0> : tensor<3x24x56xf32>
  %o = linalg.batch_matmul ins(%y_rounded, %v : tensor<3x24x8xbf16>, tensor<3x8x56xbf16>) outs(%o_zeros : tensor<3x24x56xf32>) -> tensor<3x24x56xf32>
  %o_rounded = arith.truncf %o : tensor<3x24x56xf32> to tensor<3x24x56xbf16>
  return %o_rounded : tensor<3x24x56xbf16>
}
