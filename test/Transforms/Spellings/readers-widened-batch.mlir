// Keys and values of several sequences, widened for each product, with weights for all of them.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 307,200
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<2x24x40xbf16>, %k: tensor<40x48xbf16>, %v: tensor<40x32xbf16>)
    -> (tensor<2x24x48xf32>, tensor<2x24x32xf32>) {
  %k_zeros = arith.constant dense<0.0> : tensor<2x24x48xf32>
  %k_empty = tensor.empty() : tensor<2x40x48xf32>
  %x_for_keys = arith.extf %x : tensor<2x24x40xbf16> to tensor<2x24x40xf32>
  %k_wide = arith.extf %k : tensor<40x48xbf16> to tensor<40x48xf32>
  %k_batch = linalg.broadcast ins(%k_wide : tensor<40x48xf32>) outs(%k_empty : tensor<2x40x48xf32>) dimensions = [0]
  %keys = linalg.batch_matmul ins(%x_for_keys, %k_batch : tensor<2x24x40xf32>, tensor<2x40x48xf32>) outs(%k_zeros : tensor<2x24x48xf32>) -> tensor<2x24x48xf32>
  %v_zeros = arith.constant dense<0.0> : tensor<2x24x32xf32>
  %v_empty = tensor.empty() : tensor<2x40x32xf32>
  %x_for_values = arith.extf %x : tensor<2x24x40xbf16> to tensor<2x24x40xf32>
  %v_wide = arith.extf %v : tensor<40x32xbf16> to tensor<40x32xf32>
  %v_batch = linalg.broadcast ins(%v_wide : tensor<40x32xf32>) outs(%v_empty : tensor<2x40x32xf32>) dimensions = [0]
  %values = linalg.batch_matmul ins(%x_for_values, %v_batch : tensor<2x24x40xf32>, tensor<2x40x32xf32>) outs(%v_zeros : tensor<2x24x32xf32>) -> tensor<2x24x32xf32>
  return %keys, %values : tensor<2x24x48xf32>, tensor<2x24x32xf32>
}
