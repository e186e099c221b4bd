// A function of JAX without products is part of the kernel of what calls it.
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s --check-prefix=VALUES
// CHECK-NOT: @silu
// CHECK: trn.activation silu
// CHECK-NOT: @silu
// VALUES: verify: result 0: relative error
// VALUES-NOT: host_ops

func.func @main(%x: tensor<2x64x64xf32>, %y: tensor<2x64x64xf32>) -> tensor<2x64x64xf32> {
  %0 = call @silu(%x) : (tensor<2x64x64xf32>) -> tensor<2x64x64xf32>
  %1 = arith.mulf %0, %y : tensor<2x64x64xf32>
  return %1 : tensor<2x64x64xf32>
}
func.func private @silu(%x: tensor<2x64x64xf32>) -> tensor<2x64x64xf32> {
  %one = arith.constant dense<1.0> : tensor<2x64x64xf32>
  %0 = arith.negf %x : tensor<2x64x64xf32>
  %1 = math.exp %0 : tensor<2x64x64xf32>
  %2 = arith.addf %1, %one : tensor<2x64x64xf32>
  %3 = arith.divf %x, %2 : tensor<2x64x64xf32>
  return %3 : tensor<2x64x64xf32>
}
