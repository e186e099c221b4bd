// Queries, keys and values of a batch of one read one matrix, though each product reshapes it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 230,400
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<1x24x40xf32>, %q: tensor<1x40x48xf32>, %k: tensor<1x40x32xf32>, %v: tensor<1x40x40xf32>)
    -> (tensor<1x24x48xf32>, tensor<1x24x32xf32>, tensor<1x24x40xf32>) {
  %q_zeros = arith.constant dense<0.0> : tensor<1x24x48xf32>
  %queries = linalg.batch_matmul ins(%x, %q : tensor<1x24x40xf32>, tensor<1x40x48xf32>) outs(%q_zeros : tensor<1x24x48xf32>) -> tensor<1x24x48xf32>
  %k_zeros = arith.constant dense<0.0> : tensor<1x24x32xf32>
  %keys = linalg.batch_matmul ins(%x, %k : tensor<1x24x40xf32>, tensor<1x40x32xf32>) outs(%k_zeros : tensor<1x24x32xf32>) -> tensor<1x24x32xf32>
  %v_zeros = arith.constant dense<0.0> : tensor<1x24x40xf32>
  %values = linalg.batch_matmul ins(%x, %v : tensor<1x24x40xf32>, tensor<1x40x40xf32>) outs(%v_zeros : tensor<1x24x40xf32>) -> tensor<1x24x40xf32>
  return %queries, %keys, %values : tensor<1x24x48xf32>, tensor<1x24x32xf32>, tensor<1x24x40xf32>
}
