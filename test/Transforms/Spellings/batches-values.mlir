// Attention's values, handed on to a projection: heads move behind the rows and become columns.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%p: tensor<2x3x24x31xbf16>, %v: tensor<2x31x3x16xbf16>) -> tensor<2x24x48xbf16> {
  %v_empty = tensor.empty() : tensor<2x3x31x16xbf16>
  %vt = linalg.transpose ins(%v : tensor<2x31x3x16xbf16>) outs(%v_empty : tensor<2x3x31x16xbf16>) permutation = [0, 2, 1, 3]
  %p3 = tensor.collapse_shape %p [[0, 1], [2], [3]] : tensor<2x3x24x31xbf16> into tensor<6x24x31xbf16>
  %v3 = tensor.collapse_shape %vt [[0, 1], [2], [3]] : tensor<2x3x31x16xbf16> into tensor<6x31x16xbf16>
  %zeros = arith.constant dense<0.0> : tensor<6x24x16xf32>
  %sums = linalg.batch_matmul ins(%p3, %v3 : tensor<6x24x31xbf16>, tensor<6x31x16xbf16>) outs(%zeros : tensor<6x24x16xf32>) -> tensor<6x24x16xf32>
  %rounded = arith.truncf %sums : tensor<6x24x16xf32> to tensor<6x24x16xbf16>
  %o4 = tensor.expand_shape %rounded [[0, 1], [2], [3]] output_shape [2, 3, 24, 16] : tensor<6x24x16xbf16> into tensor<2x3x24x16xbf16>
  %o_empty = tensor.empty() : tensor<2x24x3x16xbf16>
  %ot = linalg.transpose ins(%o4 : tensor<2x3x24x16xbf16>) outs(%o_empty : tensor<2x24x3x16xbf16>) permutation = [0, 2, 1, 3]
  %o = tensor.collapse_shape %ot [[0], [1], [2, 3]] : tensor<2x24x3x16xbf16> into tensor<2x24x48xbf16>
  return %o : tensor<2x24x48xbf16>
}
