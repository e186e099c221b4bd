// Query, key and value of one token batch.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %wq: tensor<40x32xbf16>, %wk: tensor<40x16xbf16>, %wv: tensor<40x16xbf16>) -> (tensor<24x32xf32>, tensor<24x16xf32>, tensor<24x16xf32>) {
  %q_zeros = arith.constant dense<0.0> : tensor<24x32xf32>
  %q = linalg.matmul ins(%x, %wq : tensor<24x40xbf16>, tensor<40x32xbf16>) outs(%q_zeros : tensor<24x32xf32>) -> tensor<24x32xf32>
  %kv_zeros = arith.constant dense<0.0> : tensor<24x16xf32>
  %k = linalg.matmul ins(%x, %wk : tensor<24x40xbf16>, tensor<40x16xbf16>) outs(%kv_zeros : tensor<24x16xf32>) -> tensor<24x16xf32>
  %v = linalg.matmul ins(%x, %wv : tensor<24x40xbf16>, tensor<40x16xbf16>) outs(%kv_zeros : tensor<24x16xf32>) -> tensor<24x16xf32>
  return %q, %k, %v : tensor<24x32xf32>, tensor<24x16xf32>, tensor<24x16xf32>
}
