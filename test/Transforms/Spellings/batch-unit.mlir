// TOSA's products always have a batch, mostly of one, here with reshapes around each.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %u: tensor<40x56xf32>, %v: tensor<56x31xf32>) -> tensor<24x31xf32> {
  %zero = arith.constant 0.0 : f32
  %x3 = tensor.expand_shape %x [[0, 1], [2]] output_shape [1, 24, 40] : tensor<24x40xf32> into tensor<1x24x40xf32>
  %u3 = tensor.expand_shape %u [[0, 1], [2]] output_shape [1, 40, 56] : tensor<40x56xf32> into tensor<1x40x56xf32>
  %y_empty = tensor.empty() : tensor<1x24x56xf32>
  %y_zeros = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %y3 = linalg.batch_matmul ins(%x3, %u3 : tensor<1x24x40xf32>, tensor<1x40x56xf32>) outs(%y_zeros : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %y = tensor.collapse_shape %y3 [[0, 1], [2]] : tensor<1x24x56xf32> into tensor<24x56xf32>
  %again = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 24, 56] : tensor<24x56xf32> into tensor<1x24x56xf32>
  %v3 = tensor.expand_shape %v [[0, 1], [2]] output_shape [1, 56, 31] : tensor<56x31xf32> into tensor<1x56x31xf32>
  %o_empty = tensor.empty() : tensor<1x24x31xf32>
  %o_zeros = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<1x24x31xf32>) -> tensor<1x24x31xf32>
  %o3 = linalg.batch_matmul ins(%again, %v3 : tensor<1x24x56xf32>, tensor<1x56x31xf32>) outs(%o_zeros : tensor<1x24x31xf32>) -> tensor<1x24x31xf32>
  %o = tensor.collapse_shape %o3 [[0, 1], [2]] : tensor<1x24x31xf32> into tensor<24x31xf32>
  return %o : tensor<24x31xf32>
}
