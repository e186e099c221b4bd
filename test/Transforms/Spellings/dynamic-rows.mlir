// Rows that torch.export left open, with the sum that checks its operands.
// RUN: trn-run %s --compile="effort=1 specialize=24" --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<?x40xf32>, %w: tensor<40x56xf32>, %residual: tensor<?x56xf32>) -> tensor<?x56xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x40xf32>
  %empty = tensor.empty(%rows) : tensor<?x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x56xf32>) -> tensor<?x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<?x56xf32>) -> tensor<?x56xf32>
  %other_rows = tensor.dim %residual, %c0 : tensor<?x56xf32>
  %same = arith.cmpi eq, %rows, %other_rows : index
  cf.assert %same, "mismatched size for broadcast"
  %o = arith.addf %y, %residual : tensor<?x56xf32>
  return %o : tensor<?x56xf32>
}
