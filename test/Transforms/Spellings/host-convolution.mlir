// Windows that overlap, leave gaps or do not cover the image.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @overlap(%x: tensor<1x8x8x3xf32>, %k: tensor<3x2x3x8xf32>, %init: tensor<1x6x7x8xf32>) -> tensor<1x6x7x8xf32> {
  // expected-remark @below {{product left on the host: it is a convolution of windows that overlap, leave gaps, or are not those of linalg.conv_2d_nhwc_hwcf, _nhwc_fhwc or _nchw_fchw on static tensors; write it as a product of gathered windows (im2col)}}
  %o = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%x, %k : tensor<1x8x8x3xf32>, tensor<3x2x3x8xf32>) outs(%init : tensor<1x6x7x8xf32>) -> tensor<1x6x7x8xf32>
  return %o : tensor<1x6x7x8xf32>
}

func.func @gaps(%x: tensor<1x8x8x3xf32>, %k: tensor<1x2x3x8xf32>, %init: tensor<1x4x2x8xf32>) -> tensor<1x4x2x8xf32> {
  // expected-remark @below {{product left on the host: it is a convolution of windows that overlap, leave gaps, or are not those of linalg.conv_2d_nhwc_hwcf, _nhwc_fhwc or _nchw_fchw on static tensors; write it as a product of gathered windows (im2col)}}
  %o = linalg.conv_2d_nhwc_hwcf {dilations = dense<[1, 2]> : vector<2xi64>, strides = dense<[2, 3]> : vector<2xi64>} ins(%x, %k : tensor<1x8x8x3xf32>, tensor<1x2x3x8xf32>) outs(%init : tensor<1x4x2x8xf32>) -> tensor<1x4x2x8xf32>
  return %o : tensor<1x4x2x8xf32>
}

func.func @rest(%x: tensor<1x9x8x3xf32>, %k: tensor<2x2x3x8xf32>, %init: tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32> {
  // expected-remark @below {{product left on the host: it is a convolution of windows that overlap, leave gaps, or are not those of linalg.conv_2d_nhwc_hwcf, _nhwc_fhwc or _nchw_fchw on static tensors; write it as a product of gathered windows (im2col)}}
  %o = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%x, %k : tensor<1x9x8x3xf32>, tensor<2x2x3x8xf32>) outs(%init : tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  return %o : tensor<1x4x4x8xf32>
}
