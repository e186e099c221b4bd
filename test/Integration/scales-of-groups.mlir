// Scales of groups of columns are read in the kernel, and so is a table that repeats.
// RUN: split-file %s %t
// RUN: trn-run %t/groups.mlir --compile=effort=1 --verify | FileCheck %s
// RUN: trn-run %t/repeated.mlir --compile=effort=1 --verify | FileCheck %s
// CHECK: relative error
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main_kernel

//--- groups.mlir
#i = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x256xf32>, %s: tensor<64x8xf32>) -> tensor<64x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [#i, affine_map<(a, b) -> (a, b floordiv 32)>, #i], iterator_types = ["parallel", "parallel"]} ins(%p, %s : tensor<64x256xf32>, tensor<64x8xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}

//--- repeated.mlir
#i = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x256xf32>, %s: tensor<64x8xf32>) -> tensor<64x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %r = linalg.generic {indexing_maps = [#i, affine_map<(a, b) -> (a, b mod 8)>, #i], iterator_types = ["parallel", "parallel"]} ins(%p, %s : tensor<64x256xf32>, tensor<64x8xf32>) outs(%e : tensor<64x256xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<64x256xf32>
  return %r : tensor<64x256xf32>
}
