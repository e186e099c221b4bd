// An intermediate that is returned, too.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// What is compiled can be read again.
// RUN: trn-opt %s --trn-compile=effort=1 | trn-opt -o /dev/null
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %u: tensor<40x16xbf16>, %v: tensor<16x56xbf16>) -> (tensor<24x16xbf16>, tensor<24x56xf32>) {
  %y_zeros = arith.constant dense<0.0> : tensor<24x16xf32>
  %y_sum = linalg.matmul ins(%x, %u : tensor<24x40xbf16>, tensor<40x16xbf16>) outs(%y_zeros : tensor<24x16xf32>) -> tensor<24x16xf32>
  %y = arith.truncf %y_sum : tensor<24x16xf32> to tensor<24x16xbf16>
  %o_zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %o = linalg.matmul ins(%y, %v : tensor<24x16xbf16>, tensor<16x56xbf16>) outs(%o_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %y, %o : tensor<24x16xbf16>, tensor<24x56xf32>
}
