// Checks and branches around a product, as torch-mlir guards shapes.
// RUN: trn-run %s --compile=effort=1 | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %c0 = arith.constant 0 : index
  %c40 = arith.constant 40 : index
  %rows = tensor.dim %w, %c0 : tensor<40x56xf32>
  %fits = arith.cmpi eq, %rows, %c40 : index
  cf.assert %fits, "rows of w must be columns of x"
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %o = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  cf.br ^end(%o : tensor<24x56xf32>)
^end(%result: tensor<24x56xf32>):
  return %result : tensor<24x56xf32>
}
