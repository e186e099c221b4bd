// torch's mv, twice. Weights on the left are read as they are, so that there are two kernels.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 7,952
// CHECK-COUNT-2: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%w: tensor<56x40xf32>, %v: tensor<31x56xf32>, %x: tensor<40xf32>) -> tensor<31xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<56xf32>
  %y_zeros = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<56xf32>) -> tensor<56xf32>
  %y = linalg.matvec ins(%w, %x : tensor<56x40xf32>, tensor<40xf32>) outs(%y_zeros : tensor<56xf32>) -> tensor<56xf32>
  %o_empty = tensor.empty() : tensor<31xf32>
  %o_zeros = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<31xf32>) -> tensor<31xf32>
  %o = linalg.matvec ins(%v, %y : tensor<31x56xf32>, tensor<56xf32>) outs(%o_zeros : tensor<31xf32>) -> tensor<31xf32>
  return %o : tensor<31xf32>
}
