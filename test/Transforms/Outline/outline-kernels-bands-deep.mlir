// Conditions that ask for themselves several times are read in no time.
// RUN: trn-opt %s --trn-outline-kernels | FileCheck %s
// CHECK-LABEL: func.func @main(
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %low = arith.constant 0xFF800000 : f32
  %f0 = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %b0 = arith.cmpi sge, %i, %j : index
    %b1 = arith.andi %b0, %b0 : i1
    %b2 = arith.andi %b1, %b1 : i1
    %b3 = arith.andi %b2, %b2 : i1
    %b4 = arith.andi %b3, %b3 : i1
    %b5 = arith.andi %b4, %b4 : i1
    %b6 = arith.andi %b5, %b5 : i1
    %b7 = arith.andi %b6, %b6 : i1
    %b8 = arith.andi %b7, %b7 : i1
    %b9 = arith.andi %b8, %b8 : i1
    %b10 = arith.andi %b9, %b9 : i1
    %b11 = arith.andi %b10, %b10 : i1
    %b12 = arith.andi %b11, %b11 : i1
    %b13 = arith.andi %b12, %b12 : i1
    %b14 = arith.andi %b13, %b13 : i1
    %b15 = arith.andi %b14, %b14 : i1
    %b16 = arith.andi %b15, %b15 : i1
    %b17 = arith.andi %b16, %b16 : i1
    %b18 = arith.andi %b17, %b17 : i1
    %b19 = arith.andi %b18, %b18 : i1
    %b20 = arith.andi %b19, %b19 : i1
    %b21 = arith.andi %b20, %b20 : i1
    %b22 = arith.andi %b21, %b21 : i1
    %b23 = arith.andi %b22, %b22 : i1
    %b24 = arith.andi %b23, %b23 : i1
    %b25 = arith.andi %b24, %b24 : i1
    %b26 = arith.andi %b25, %b25 : i1
    %b27 = arith.andi %b26, %b26 : i1
    %b28 = arith.andi %b27, %b27 : i1
    %b29 = arith.andi %b28, %b28 : i1
    %b30 = arith.andi %b29, %b29 : i1
    %b31 = arith.andi %b30, %b30 : i1
    %b32 = arith.andi %b31, %b31 : i1
    %v = arith.select %b32, %f0, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%e : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<256x256xf32>, tensor<256x256xf32>) outs(%e : tensor<256x256xf32>) {
  ^bb0(%in: f32, %number: f32, %out: f32):
    %v = arith.addf %in, %number : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}
