// StableHLO's converts as linalg.map, on tensors of rank 3.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<1x24x40xbf16>, %w: tensor<1x40x56xbf16>) -> tensor<1x24x56xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x24x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %sum = linalg.batch_matmul ins(%x, %w : tensor<1x24x40xbf16>, tensor<1x40x56xbf16>) outs(%zeros : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %short = tensor.empty() : tensor<1x24x56xbf16>
  %o = linalg.map { arith.truncf } ins(%sum : tensor<1x24x56xf32>) outs(%short : tensor<1x24x56xbf16>)
  return %o : tensor<1x24x56xbf16>
}
