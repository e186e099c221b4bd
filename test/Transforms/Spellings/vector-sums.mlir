// The sum of two products of vectors, which are read the other way round in one of them: dims have
// names of their own, with which the kernel can be read again.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 320
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main
// RUN: trn-opt %s --trn-compile=effort=1 | trn-opt -o /dev/null

#matrix = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#columns = affine_map<(d0, d1) -> (d1)>

func.func @main(%w: tensor<10x6xf32>, %x: tensor<6xf32>, %u: tensor<10x5xf32>, %v: tensor<10x5xf32>, %z: tensor<10xf32>) -> tensor<5xf32> {
  %y_zeros = arith.constant dense<0.0> : tensor<10xf32>
  %y = linalg.matvec ins(%w, %x : tensor<10x6xf32>, tensor<6xf32>) outs(%y_zeros : tensor<10xf32>) -> tensor<10xf32>
  %zeros = arith.constant dense<0.0> : tensor<5xf32>
  %a = linalg.contract indexing_maps = [#matrix, #rows, #columns] ins(%u, %y : tensor<10x5xf32>, tensor<10xf32>) outs(%zeros : tensor<5xf32>) -> tensor<5xf32>
  %o = linalg.contract indexing_maps = [#matrix, #rows, #columns] ins(%v, %z : tensor<10x5xf32>, tensor<10xf32>) outs(%a : tensor<5xf32>) -> tensor<5xf32>
  return %o : tensor<5xf32>
}
