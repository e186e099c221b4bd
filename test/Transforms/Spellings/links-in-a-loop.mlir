// Products of a batch of one in the body of a loop.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 153,600
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<1x24x40xf32>, %w: tensor<1x40x40xf32>) -> tensor<1x24x40xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<1x24x40xf32>
  %o = scf.for %i = %c0 to %c2 step %c1 iter_args(%y = %x) -> tensor<1x24x40xf32> {
    %next = linalg.batch_matmul ins(%y, %w : tensor<1x24x40xf32>, tensor<1x40x40xf32>) outs(%zeros : tensor<1x24x40xf32>) -> tensor<1x24x40xf32>
    scf.yield %next : tensor<1x24x40xf32>
  }
  return %o : tensor<1x24x40xf32>
}
