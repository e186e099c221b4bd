// Data tiling packs for the vector units of a CPU.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @main(%x: tensor<3x40x8x1xf32>, %w: tensor<7x40x8x1xf32>) -> tensor<3x7x8x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x7x8x8xf32>
  // expected-remark @below {{product left on the host: its operands are packed into tiles, but kernels make tiles of their own; compile the module before it is packed}}
  %o = linalg.mmt4d ins(%x, %w : tensor<3x40x8x1xf32>, tensor<7x40x8x1xf32>) outs(%zeros : tensor<3x7x8x8xf32>) -> tensor<3x7x8x8xf32>
  return %o : tensor<3x7x8x8xf32>
}
