// The same by `linalg.softmax`.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<2x5x16xf32>, %k: tensor<2x16x1xf32>, %v: tensor<2x1x16xf32>) -> tensor<2x5x16xf32> {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<2x5x1xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<2x5x16xf32>, tensor<2x16x1xf32>) outs(%sz : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %p = linalg.softmax dimension(2) ins(%scores : tensor<2x5x1xf32>) outs(%se : tensor<2x5x1xf32>) -> tensor<2x5x1xf32>
  %oe = tensor.empty() : tensor<2x5x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<2x5x1xf32>, tensor<2x1x16xf32>) outs(%oz : tensor<2x5x16xf32>) -> tensor<2x5x16xf32>
  return %o : tensor<2x5x16xf32>
}
