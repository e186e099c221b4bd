// Sequences with a mask of keys each, which all of their heads and queries share: rows of several heads lie on the partitions, and one row of the mask is there for all of them.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1
// CHECK: stacking
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, j, d)>
#t = affine_map<(b, h, i, j, d) -> (b, h, i, j)>
#p = affine_map<(b, h, i, d, j) -> (b, h, i, j)>
#v = affine_map<(b, h, i, d, j) -> (b, h, j, d)>
#o = affine_map<(b, h, i, d, j) -> (b, h, i, d)>
#scores = affine_map<(b, h, i, j) -> (b, h, i, j)>
#mask = affine_map<(b, h, i, j) -> (b, j)>
func.func @main(%q: tensor<2x4x32x16xf32>, %k: tensor<2x4x32x16xf32>, %v: tensor<2x4x32x16xf32>, %mask: tensor<2x32xf32>) -> tensor<2x4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x32x32xf32>) -> tensor<2x4x32x32xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #t], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x4x32x16xf32>, tensor<2x4x32x16xf32>) outs(%z : tensor<2x4x32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = arith.mulf %x, %y : f32
    %sum = arith.addf %out, %p : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  %masked = linalg.generic {indexing_maps = [#scores, #mask, #scores], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%scores, %mask : tensor<2x4x32x32xf32>, tensor<2x32xf32>) outs(%e : tensor<2x4x32x32xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %sum = arith.addf %x, %y : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x32xf32>
  %p = linalg.softmax dimension(3) ins(%masked : tensor<2x4x32x32xf32>) outs(%e : tensor<2x4x32x32xf32>) -> tensor<2x4x32x32xf32>
  %oe = tensor.empty() : tensor<2x4x32x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x4x32x16xf32>) -> tensor<2x4x32x16xf32>
  %o = linalg.generic {indexing_maps = [#p, #v, #o], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%p, %v : tensor<2x4x32x32xf32>, tensor<2x4x32x16xf32>) outs(%oz : tensor<2x4x32x16xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %m = arith.mulf %x, %y : f32
    %sum = arith.addf %out, %m : f32
    linalg.yield %sum : f32
  } -> tensor<2x4x32x16xf32>
  return %o : tensor<2x4x32x16xf32>
}
