// Queries of two heads are rows of one product with the keys that they share. Each head gets a copy of their mask.
// RUN: trn-opt %s --trn-normalize-rows --trn-normalize-products --split-input-file | FileCheck %s

#q = affine_map<(b, h, i, j, k) -> (b, h, i, k)>
#k = affine_map<(b, h, i, j, k) -> (b, j, k)>
#s = affine_map<(b, h, i, j, k) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#mask = affine_map<(b, h, i, j) -> (i, j)>

// CHECK-DAG: #[[QUERIES:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[ROWS:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[ONE:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-LABEL: @few_rows
// CHECK-SAME: %[[Q:.*]]: tensor<4x2x16x64xbf16>, %{{.*}}: tensor<4x300x64xbf16>, %[[MASK:.*]]: tensor<16x300xf32>
// CHECK: %[[JOINED:.*]] = tensor.collapse_shape %[[Q]] {{\[\[}}0], [1, 2], [3]] : {{.*}} into tensor<4x32x64xbf16>
// CHECK: %[[S:.*]] = linalg.generic {indexing_maps = [#[[QUERIES]], {{.*}} ins(%[[JOINED]],
// CHECK: %[[COPIES:.*]] = linalg.generic {indexing_maps = [#[[ONE]], #[[ROWS]]], {{.*}} ins(%[[MASK]] :
// CHECK: %[[MASKS:.*]] = tensor.collapse_shape %[[COPIES]] {{\[\[}}0, 1], [2]] : tensor<2x16x300xf32> into tensor<32x300xf32>
// CHECK: linalg.generic {indexing_maps = [#[[ROWS]], #[[ONE]], #[[ROWS]]], {{.*}} ins(%[[S]], %[[MASKS]] :
// CHECK: tensor.expand_shape {{.*}} : tensor<4x32x300xf32> into tensor<4x2x16x300xf32>
func.func @few_rows(%q: tensor<4x2x16x64xbf16>, %k: tensor<4x300x64xbf16>, %mask: tensor<16x300xf32> {trn.param = "mask"}) -> tensor<4x2x16x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2x16x300xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2x16x300xf32>) -> tensor<4x2x16x300xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x2x16x64xbf16>, tensor<4x300x64xbf16>) outs(%zeros : tensor<4x2x16x300xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %sum, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x2x16x300xf32>
  %t = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<4x2x16x300xf32>, tensor<16x300xf32>) outs(%empty : tensor<4x2x16x300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x2x16x300xf32>
  return %t : tensor<4x2x16x300xf32>
}

// -----

// Of more rows, those that a mask hides are left out head by head.

#q = affine_map<(b, h, i, j, k) -> (b, h, i, k)>
#k = affine_map<(b, h, i, j, k) -> (b, j, k)>
#s = affine_map<(b, h, i, j, k) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#mask = affine_map<(b, h, i, j) -> (i, j)>

// CHECK-LABEL: @many_rows
// CHECK-NOT: collapse_shape
// CHECK: return
func.func @many_rows(%q: tensor<4x2x160x64xbf16>, %k: tensor<4x300x64xbf16>, %mask: tensor<160x300xf32> {trn.param = "mask"}) -> tensor<4x2x160x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2x160x300xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2x160x300xf32>) -> tensor<4x2x160x300xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x2x160x64xbf16>, tensor<4x300x64xbf16>) outs(%zeros : tensor<4x2x160x300xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %sum, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x2x160x300xf32>
  %t = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<4x2x160x300xf32>, tensor<160x300xf32>) outs(%empty : tensor<4x2x160x300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x2x160x300xf32>
  return %t : tensor<4x2x160x300xf32>
}

// -----

// What reads the result moves heads behind rows, so these stay dimensions of their own.

#q = affine_map<(b, h, i, j, k) -> (b, h, i, k)>
#k = affine_map<(b, h, i, j, k) -> (b, j, k)>
#s = affine_map<(b, h, i, j, k) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#moved = affine_map<(b, h, i, j) -> (i, b, h, j)>
#mask = affine_map<(b, h, i, j) -> (i, j)>

// CHECK-LABEL: @moved_heads
// CHECK-NOT: tensor<32x300xf32>
// CHECK: return
func.func @moved_heads(%q: tensor<4x2x16x64xbf16>, %k: tensor<4x300x64xbf16>, %mask: tensor<16x300xf32> {trn.param = "mask"}) -> tensor<16x4x2x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2x16x300xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2x16x300xf32>) -> tensor<4x2x16x300xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x2x16x64xbf16>, tensor<4x300x64xbf16>) outs(%zeros : tensor<4x2x16x300xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %sum, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x2x16x300xf32>
  %moved = tensor.empty() : tensor<16x4x2x300xf32>
  %t = linalg.generic {indexing_maps = [#all, #mask, #moved], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<4x2x16x300xf32>, tensor<16x300xf32>) outs(%moved : tensor<16x4x2x300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<16x4x2x300xf32>
  return %t : tensor<16x4x2x300xf32>
}

// -----

// A mask that is known in a run alone is not copied then.

#q = affine_map<(b, h, i, j, k) -> (b, h, i, k)>
#k = affine_map<(b, h, i, j, k) -> (b, j, k)>
#s = affine_map<(b, h, i, j, k) -> (b, h, i, j)>
#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#mask = affine_map<(b, h, i, j) -> (i, j)>

// CHECK-LABEL: @mask_of_a_run
// CHECK-NOT: collapse_shape
// CHECK: return
func.func @mask_of_a_run(%q: tensor<4x2x16x64xbf16>, %k: tensor<4x300x64xbf16>, %mask: tensor<16x300xf32>) -> tensor<4x2x16x300xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x2x16x300xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x2x16x300xf32>) -> tensor<4x2x16x300xf32>
  %s = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%q, %k : tensor<4x2x16x64xbf16>, tensor<4x300x64xbf16>) outs(%zeros : tensor<4x2x16x300xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %x = arith.extf %a : bf16 to f32
    %y = arith.extf %b : bf16 to f32
    %p = arith.mulf %x, %y : f32
    %r = arith.addf %sum, %p : f32
    linalg.yield %r : f32
  } -> tensor<4x2x16x300xf32>
  %t = linalg.generic {indexing_maps = [#all, #mask, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s, %mask : tensor<4x2x16x300xf32>, tensor<16x300xf32>) outs(%empty : tensor<4x2x16x300xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x2x16x300xf32>
  return %t : tensor<4x2x16x300xf32>
}
