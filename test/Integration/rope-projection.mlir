// The heads of a projection are rotated in its kernel: by halves, and by neighbours.
// RUN: split-file %s %t
// RUN: trn-run %t/halves.mlir --compile=effort=1 --verify | FileCheck %s -DBY=8
// RUN: trn-run %t/neighbours.mlir --compile=effort=1 --verify | FileCheck %s -DBY=1
// CHECK: relative error
// CHECK-NOT: host op
// CHECK: {{^}}kernel main_kernel
// CHECK: kernel main_kernel_2
// CHECK-NOT: {{^}}kernel main

//--- halves.mlir
func.func @main(%x: tensor<40x96xf32>, %w: tensor<96x48xf32>, %c: tensor<40x16xf32>, %s: tensor<40x16xf32>, %k: tensor<3x40x16xf32>) -> tensor<3x40x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<40x96xf32>, tensor<96x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [40, 3, 16] : tensor<40x48xf32> into tensor<40x3x16xf32>
  %et = tensor.empty() : tensor<3x40x16xf32>
  %q = linalg.transpose ins(%h : tensor<40x3x16xf32>) outs(%et : tensor<3x40x16xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 40, 8] [1, 1, 1] : tensor<3x40x16xf32> to tensor<3x40x8xf32>
  %b = tensor.extract_slice %q[0, 0, 8] [3, 40, 8] [1, 1, 1] : tensor<3x40x16xf32> to tensor<3x40x8xf32>
  %n = arith.negf %b : tensor<3x40x8xf32>
  %r = tensor.concat dim(2) %n, %a : (tensor<3x40x8xf32>, tensor<3x40x8xf32>) -> tensor<3x40x16xf32>
  %cb = linalg.broadcast ins(%c : tensor<40x16xf32>) outs(%et : tensor<3x40x16xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<40x16xf32>) outs(%et : tensor<3x40x16xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x40x16xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x40x16xf32>
  %o = arith.addf %m1, %m2 : tensor<3x40x16xf32>
  %e3 = tensor.empty() : tensor<3x40x40xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,n,k)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%o, %k : tensor<3x40x16xf32>, tensor<3x40x16xf32>) outs(%f3 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  return %sc : tensor<3x40x40xf32>
}

//--- neighbours.mlir
func.func @main(%x: tensor<40x96xf32>, %w: tensor<96x48xf32>, %c: tensor<40x16xf32>, %s: tensor<40x16xf32>, %k: tensor<3x40x16xf32>) -> tensor<3x40x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x48xf32>) -> tensor<40x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<40x96xf32>, tensor<96x48xf32>) outs(%f : tensor<40x48xf32>) -> tensor<40x48xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [40, 3, 16] : tensor<40x48xf32> into tensor<40x3x16xf32>
  %et = tensor.empty() : tensor<3x40x16xf32>
  %q = linalg.transpose ins(%h : tensor<40x3x16xf32>) outs(%et : tensor<3x40x16xf32>) permutation = [1, 0, 2]
  %a = tensor.extract_slice %q[0, 0, 0] [3, 40, 8] [1, 1, 2] : tensor<3x40x16xf32> to tensor<3x40x8xf32>
  %b = tensor.extract_slice %q[0, 0, 1] [3, 40, 8] [1, 1, 2] : tensor<3x40x16xf32> to tensor<3x40x8xf32>
  %n = arith.negf %b : tensor<3x40x8xf32>
  %i = tensor.insert_slice %n into %et[0, 0, 0] [3, 40, 8] [1, 1, 2] : tensor<3x40x8xf32> into tensor<3x40x16xf32>
  %r = tensor.insert_slice %a into %i[0, 0, 1] [3, 40, 8] [1, 1, 2] : tensor<3x40x8xf32> into tensor<3x40x16xf32>
  %cb = linalg.broadcast ins(%c : tensor<40x16xf32>) outs(%et : tensor<3x40x16xf32>) dimensions = [0]
  %sb = linalg.broadcast ins(%s : tensor<40x16xf32>) outs(%et : tensor<3x40x16xf32>) dimensions = [0]
  %m1 = arith.mulf %q, %cb : tensor<3x40x16xf32>
  %m2 = arith.mulf %r, %sb : tensor<3x40x16xf32>
  %o = arith.addf %m1, %m2 : tensor<3x40x16xf32>
  %e3 = tensor.empty() : tensor<3x40x40xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,n,k)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%o, %k : tensor<3x40x16xf32>, tensor<3x40x16xf32>) outs(%f3 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  return %sc : tensor<3x40x40xf32>
}
