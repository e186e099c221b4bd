// Patches as vision transformers have them, in the layout of torch.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<1x3x12x8xbf16>, %k: tensor<56x3x4x2xbf16>) -> tensor<1x56x3x4xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x56x3x4xf32>
  %o = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<[4, 2]> : vector<2xi64>} ins(%x, %k : tensor<1x3x12x8xbf16>, tensor<56x3x4x2xbf16>) outs(%zeros : tensor<1x56x3x4xf32>) -> tensor<1x56x3x4xf32>
  return %o : tensor<1x56x3x4xf32>
}
