// Tables that follow from themselves several times are read in no time.
// RUN: trn-opt %s --trn-normalize-rows | FileCheck %s
// CHECK-LABEL: @main(
// CHECK: tensor.concat dim(1)
// CHECK: return
func.func @main(%x: tensor<8x4xf32>, %c0: tensor<8x2xf32>, %s: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %c1 = arith.mulf %c0, %c0 : tensor<8x2xf32>
  %c2 = arith.mulf %c1, %c1 : tensor<8x2xf32>
  %c3 = arith.mulf %c2, %c2 : tensor<8x2xf32>
  %c4 = arith.mulf %c3, %c3 : tensor<8x2xf32>
  %c5 = arith.mulf %c4, %c4 : tensor<8x2xf32>
  %c6 = arith.mulf %c5, %c5 : tensor<8x2xf32>
  %c7 = arith.mulf %c6, %c6 : tensor<8x2xf32>
  %c8 = arith.mulf %c7, %c7 : tensor<8x2xf32>
  %c9 = arith.mulf %c8, %c8 : tensor<8x2xf32>
  %c10 = arith.mulf %c9, %c9 : tensor<8x2xf32>
  %c11 = arith.mulf %c10, %c10 : tensor<8x2xf32>
  %c12 = arith.mulf %c11, %c11 : tensor<8x2xf32>
  %c13 = arith.mulf %c12, %c12 : tensor<8x2xf32>
  %c14 = arith.mulf %c13, %c13 : tensor<8x2xf32>
  %c15 = arith.mulf %c14, %c14 : tensor<8x2xf32>
  %c16 = arith.mulf %c15, %c15 : tensor<8x2xf32>
  %c17 = arith.mulf %c16, %c16 : tensor<8x2xf32>
  %c18 = arith.mulf %c17, %c17 : tensor<8x2xf32>
  %c19 = arith.mulf %c18, %c18 : tensor<8x2xf32>
  %c20 = arith.mulf %c19, %c19 : tensor<8x2xf32>
  %c21 = arith.mulf %c20, %c20 : tensor<8x2xf32>
  %c22 = arith.mulf %c21, %c21 : tensor<8x2xf32>
  %c23 = arith.mulf %c22, %c22 : tensor<8x2xf32>
  %c24 = arith.mulf %c23, %c23 : tensor<8x2xf32>
  %c25 = arith.mulf %c24, %c24 : tensor<8x2xf32>
  %c26 = arith.mulf %c25, %c25 : tensor<8x2xf32>
  %c27 = arith.mulf %c26, %c26 : tensor<8x2xf32>
  %c28 = arith.mulf %c27, %c27 : tensor<8x2xf32>
  %c29 = arith.mulf %c28, %c28 : tensor<8x2xf32>
  %c30 = arith.mulf %c29, %c29 : tensor<8x2xf32>
  %c31 = arith.mulf %c30, %c30 : tensor<8x2xf32>
  %c32 = arith.mulf %c31, %c31 : tensor<8x2xf32>
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %as = arith.mulf %a, %s : tensor<8x2xf32>
  %bs = arith.mulf %b, %s : tensor<8x2xf32>
  %ac = arith.mulf %a, %c32 : tensor<8x2xf32>
  %bc = arith.mulf %b, %c32 : tensor<8x2xf32>
  %l = arith.subf %ac, %bs : tensor<8x2xf32>
  %r = arith.addf %bc, %as : tensor<8x2xf32>
  %o = tensor.concat dim(1) %l, %r : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
