// A step that is a sum of sums is read in no time.
// RUN: trn-opt %s --trn-normalize-rows | FileCheck %s
// CHECK-LABEL: @main(
// CHECK: scf.while
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s0 = arith.constant 0 : i32
  %end = arith.constant 4 : i32
  %s1 = arith.addi %s0, %s0 : i32
  %s2 = arith.addi %s1, %s1 : i32
  %s3 = arith.addi %s2, %s2 : i32
  %s4 = arith.addi %s3, %s3 : i32
  %s5 = arith.addi %s4, %s4 : i32
  %s6 = arith.addi %s5, %s5 : i32
  %s7 = arith.addi %s6, %s6 : i32
  %s8 = arith.addi %s7, %s7 : i32
  %s9 = arith.addi %s8, %s8 : i32
  %s10 = arith.addi %s9, %s9 : i32
  %s11 = arith.addi %s10, %s10 : i32
  %s12 = arith.addi %s11, %s11 : i32
  %s13 = arith.addi %s12, %s12 : i32
  %s14 = arith.addi %s13, %s13 : i32
  %s15 = arith.addi %s14, %s14 : i32
  %s16 = arith.addi %s15, %s15 : i32
  %s17 = arith.addi %s16, %s16 : i32
  %s18 = arith.addi %s17, %s17 : i32
  %s19 = arith.addi %s18, %s18 : i32
  %s20 = arith.addi %s19, %s19 : i32
  %s21 = arith.addi %s20, %s20 : i32
  %s22 = arith.addi %s21, %s21 : i32
  %s23 = arith.addi %s22, %s22 : i32
  %s24 = arith.addi %s23, %s23 : i32
  %s25 = arith.addi %s24, %s24 : i32
  %s26 = arith.addi %s25, %s25 : i32
  %s27 = arith.addi %s26, %s26 : i32
  %s28 = arith.addi %s27, %s27 : i32
  %s29 = arith.addi %s28, %s28 : i32
  %s30 = arith.addi %s29, %s29 : i32
  %s31 = arith.addi %s30, %s30 : i32
  %s32 = arith.addi %s31, %s31 : i32
  %r:2 = scf.while (%n = %s0, %h = %x) : (i32, tensor<4xf32>) -> (i32, tensor<4xf32>) {
    %c = arith.cmpi slt, %n, %end : i32
    scf.condition(%c) %n, %h : i32, tensor<4xf32>
  } do {
  ^bb0(%n: i32, %h: tensor<4xf32>):
    %next = arith.mulf %h, %h : tensor<4xf32>
    %n1 = arith.addi %n, %s32 : i32
    scf.yield %n1, %next : i32, tensor<4xf32>
  }
  return %r#1 : tensor<4xf32>
}
