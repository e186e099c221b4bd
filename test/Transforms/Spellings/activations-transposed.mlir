// An activation and the result are turned by linalg.transpose, with a batch of one.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<1x40x24xbf16>, %w: tensor<40x56xbf16>) -> tensor<1x56x24xf32> {
  %zero = arith.constant 0.0 : f32
  %x_empty = tensor.empty() : tensor<1x24x40xbf16>
  %x_turned = linalg.transpose ins(%x : tensor<1x40x24xbf16>) outs(%x_empty : tensor<1x24x40xbf16>) permutation = [0, 2, 1]
  %rows = tensor.collapse_shape %x_turned [[0, 1], [2]] : tensor<1x24x40xbf16> into tensor<24x40xbf16>
  %empty = tensor.empty() : tensor<24x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  %sum = linalg.matmul ins(%rows, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %batch = tensor.expand_shape %sum [[0, 1], [2]] output_shape [1, 24, 56] : tensor<24x56xf32> into tensor<1x24x56xf32>
  %o_empty = tensor.empty() : tensor<1x56x24xf32>
  %o = linalg.transpose ins(%batch : tensor<1x24x56xf32>) outs(%o_empty : tensor<1x56x24xf32>) permutation = [0, 2, 1]
  return %o : tensor<1x56x24xf32>
}
