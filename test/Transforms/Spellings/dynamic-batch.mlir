// Sequences of any number and length, as one matrix.
// RUN: trn-run %s --compile="effort=1 specialize=3x8" --verify | FileCheck %s
// CHECK: {{^ *}}flops 92,160
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<?x?x40xbf16>, %w: tensor<40x48xbf16>) -> tensor<?x?x48xbf16> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x?x40xbf16>
  %s = tensor.dim %x, %c1 : tensor<?x?x40xbf16>
  %rows = arith.muli %b, %s : index
  %x2 = tensor.collapse_shape %x [[0, 1], [2]] : tensor<?x?x40xbf16> into tensor<?x40xbf16>
  %empty = tensor.empty(%rows) : tensor<?x48xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x48xf32>) -> tensor<?x48xf32>
  %y2 = linalg.matmul ins(%x2, %w : tensor<?x40xbf16>, tensor<40x48xbf16>) outs(%zeros : tensor<?x48xf32>) -> tensor<?x48xf32>
  %y = tensor.expand_shape %y2 [[0, 1], [2]] output_shape [%b, %s, 48] : tensor<?x48xf32> into tensor<?x?x48xf32>
  %o = arith.truncf %y : tensor<?x?x48xf32> to tensor<?x?x48xbf16>
  return %o : tensor<?x?x48xbf16>
}
