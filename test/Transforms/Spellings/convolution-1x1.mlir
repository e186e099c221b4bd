// A convolution of windows of one element, channels last.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<2x6x5x40xbf16>, %k: tensor<1x1x40x56xbf16>) -> tensor<2x6x5x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x6x5x56xf32>
  %o = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %k : tensor<2x6x5x40xbf16>, tensor<1x1x40x56xbf16>) outs(%zeros : tensor<2x6x5x56xf32>) -> tensor<2x6x5x56xf32>
  return %o : tensor<2x6x5x56xf32>
}
