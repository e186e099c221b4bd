// A kernel that is called in a recursion without end has a plan nevertheless: its launches are left out.
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s
// CHECK: call @again(
// CHECK: trn.matmul

func.func private @again(%x: tensor<64x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<64x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<64x256xbf16>, tensor<256x256xbf16>) outs(%z : tensor<64x256xf32>) -> tensor<64x256xf32>
  %o = call @again(%x, %w) : (tensor<64x256xbf16>, tensor<256x256xbf16>) -> tensor<64x256xf32>
  %sum = linalg.add ins(%s, %o : tensor<64x256xf32>, tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %sum : tensor<64x256xf32>
}

func.func @main(%x: tensor<64x256xbf16>, %w: tensor<256x256xbf16>) -> tensor<64x256xf32> {
  %o = call @again(%x, %w) : (tensor<64x256xbf16>, tensor<256x256xbf16>) -> tensor<64x256xf32>
  return %o : tensor<64x256xf32>
}
