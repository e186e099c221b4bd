// RUN: trn-opt %s -trn-outline-kernels | FileCheck %s

// What another block reads is computed in this one.

// CHECK-LABEL: func.func @later
// CHECK: call @later_kernel
// CHECK: cf.br
// CHECK: return
func.func @later(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<128x128xf32>, tensor<128x128xf32>) outs(%fill : tensor<128x128xf32>) -> tensor<128x128xf32>
  cf.br ^end
^end:
  return %y : tensor<128x128xf32>
}
