// Rotary embeddings of many heads at few positions: the matrix that moves the columns is larger than the
// heads, and yet a kernel computes all of it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#x = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#c = affine_map<(d0, d1, d2) -> (d1, d2)>

func.func @main(%x: tensor<8x3x64xf32>, %cos: tensor<3x64xf32>, %sin: tensor<3x64xf32>) -> tensor<8x3x64xf32> {
  %low = tensor.extract_slice %x[0, 0, 0] [8, 3, 32] [1, 1, 1] : tensor<8x3x64xf32> to tensor<8x3x32xf32>
  %high = tensor.extract_slice %x[0, 0, 32] [8, 3, 32] [1, 1, 1] : tensor<8x3x64xf32> to tensor<8x3x32xf32>
  %minus = arith.negf %high : tensor<8x3x32xf32>
  %turned = tensor.concat dim(2) %minus, %low : (tensor<8x3x32xf32>, tensor<8x3x32xf32>) -> tensor<8x3x64xf32>
  %empty = tensor.empty() : tensor<8x3x64xf32>
  %o = linalg.generic {indexing_maps = [#x, #x, #c, #c, #x], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %turned, %cos, %sin : tensor<8x3x64xf32>, tensor<8x3x64xf32>, tensor<3x64xf32>, tensor<3x64xf32>)
      outs(%empty : tensor<8x3x64xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %s: f32, %old: f32):
    %one = arith.mulf %a, %c : f32
    %two = arith.mulf %b, %s : f32
    %sum = arith.addf %one, %two : f32
    linalg.yield %sum : f32
  } -> tensor<8x3x64xf32>
  return %o : tensor<8x3x64xf32>
}
