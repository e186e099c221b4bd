// A vectorized function beside the product, called on its result.
// RUN: trn-run %s --compile=effort=1 | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func private @double(%x: tensor<24x56xf32>) -> tensor<24x56xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c24 = arith.constant 24 : index
  %pad = arith.constant 0.0 : f32
  %twice = arith.constant dense<2.0> : vector<56xf32>
  %o = scf.for %i = %c0 to %c24 step %c1 iter_args(%rows = %x) -> tensor<24x56xf32> {
    %row = vector.transfer_read %rows[%i, %c0], %pad {in_bounds = [true]} : tensor<24x56xf32>, vector<56xf32>
    %doubled = arith.mulf %row, %twice : vector<56xf32>
    %next = vector.transfer_write %doubled, %rows[%i, %c0] {in_bounds = [true]} : vector<56xf32>, tensor<24x56xf32>
    scf.yield %next : tensor<24x56xf32>
  }
  return %o : tensor<24x56xf32>
}

func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %o = call @double(%y) : (tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
