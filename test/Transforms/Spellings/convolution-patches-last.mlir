// Patches of several images, channels last.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<2x12x8x3xbf16>, %k: tensor<56x4x4x3xbf16>) -> tensor<2x3x2x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x3x2x56xf32>
  %o = linalg.conv_2d_nhwc_fhwc {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%x, %k : tensor<2x12x8x3xbf16>, tensor<56x4x4x3xbf16>) outs(%zeros : tensor<2x3x2x56xf32>) -> tensor<2x3x2x56xf32>
  return %o : tensor<2x3x2x56xf32>
}
