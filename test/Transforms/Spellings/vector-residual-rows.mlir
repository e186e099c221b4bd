// A residual around two rows, as one token of a decoder has it: all of it is one kernel.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 10,240
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<40xf32>, %up: tensor<40x64xf32>, %down: tensor<64x40xf32>, %bias: tensor<40xf32>) -> tensor<40xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%wide : tensor<64xf32>) -> tensor<64xf32>
  %h = linalg.vecmat ins(%x, %up : tensor<40xf32>, tensor<40x64xf32>) outs(%zeros : tensor<64xf32>) -> tensor<64xf32>
  %y = linalg.vecmat ins(%h, %down : tensor<64xf32>, tensor<64x40xf32>) outs(%bias : tensor<40xf32>) -> tensor<40xf32>
  %o = arith.addf %y, %x : tensor<40xf32>
  return %o : tensor<40xf32>
}
