// Zeros for a shape that became known later.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zero = arith.constant 0.0 : f32
  %rows = arith.constant 24 : index
  %empty = tensor.empty(%rows) : tensor<?x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x56xf32>) -> tensor<?x56xf32>
  %cast = tensor.cast %zeros : tensor<?x56xf32> to tensor<24x56xf32>
  %o = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%cast : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
