// Numbers of elementwise ops are tensors that are filled, and a batch of one is in the way.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<1x24x40xf32>, %w: tensor<40x56xf32>) -> tensor<1x24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x24x40xf32> into tensor<24x40xf32>
  %sums = linalg.matmul ins(%rows, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y = tensor.expand_shape %sums [[0, 1], [2]] output_shape [1, 24, 56] : tensor<24x56xf32> into tensor<1x24x56xf32>
  %empty = tensor.empty() : tensor<1x24x56xf32>
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %halves = linalg.fill ins(%half : f32) outs(%empty : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %scaled = linalg.mul ins(%y, %halves : tensor<1x24x56xf32>, tensor<1x24x56xf32>) outs(%empty : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %o = linalg.map { arith.addf } ins(%scaled, %ones : tensor<1x24x56xf32>, tensor<1x24x56xf32>) outs(%empty : tensor<1x24x56xf32>)
  return %o : tensor<1x24x56xf32>
}
