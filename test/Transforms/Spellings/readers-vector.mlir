// A vector is a row of each product that reads it, and one row for all.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 7,040
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<40xf32>, %k: tensor<40x48xf32>, %v: tensor<40x40xf32>) -> (tensor<48xf32>, tensor<40xf32>) {
  %k_zeros = arith.constant dense<0.0> : tensor<48xf32>
  %keys = linalg.vecmat ins(%x, %k : tensor<40xf32>, tensor<40x48xf32>) outs(%k_zeros : tensor<48xf32>) -> tensor<48xf32>
  %v_zeros = arith.constant dense<0.0> : tensor<40xf32>
  %values = linalg.vecmat ins(%x, %v : tensor<40xf32>, tensor<40x40xf32>) outs(%v_zeros : tensor<40xf32>) -> tensor<40xf32>
  return %keys, %values : tensor<48xf32>, tensor<40xf32>
}
