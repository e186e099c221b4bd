// What other dialects declare beside the product is nobody's business.
// RUN: trn-run %s --compile=effort=1 | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

module {
  ml_program.global private mutable @step(dense<0> : tensor<i64>) : tensor<i64>
  llvm.func @printf(!llvm.ptr, ...) -> i32
  emitc.include <"stdint.h">
  func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
    %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
    %o = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
    return %o : tensor<24x56xf32>
  }
}
