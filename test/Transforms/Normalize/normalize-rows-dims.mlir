// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// Reductions of dimensions that are not the last one, or of several, get forms in which nothing is transposed.

#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// CHECK-LABEL: @slices_below_each_other(
// CHECK-SAME: %[[X:.*]]: tensor<3x40x16xf32>, %[[G:.*]]: tensor<3x40xf32>
// CHECK-DAG: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<3x40x16xf32> into tensor<120x16xf32>
// CHECK-DAG: %[[GATES:.*]] = tensor.collapse_shape %[[G]] {{\[\[}}0, 1]] : tensor<3x40xf32> into tensor<120xf32>
// CHECK-DAG: %[[X0:.*]] = tensor.extract_slice %[[ROWS]][0, 0] [40, 16] [1, 1]
// CHECK-DAG: %[[X1:.*]] = tensor.extract_slice %[[ROWS]][40, 0] [40, 16] [1, 1]
// CHECK-DAG: %[[X2:.*]] = tensor.extract_slice %[[ROWS]][80, 0] [40, 16] [1, 1]
// CHECK-DAG: %[[G0:.*]] = tensor.extract_slice %[[GATES]][0] [40] [1]
// CHECK-DAG: %[[G1:.*]] = tensor.extract_slice %[[GATES]][40] [40] [1]
// CHECK-DAG: %[[G2:.*]] = tensor.extract_slice %[[GATES]][80] [40] [1]
// CHECK: %[[S:.*]] = linalg.generic {{.*}}"parallel", "parallel"]} ins(%[[X0]], %[[X1]], %[[X2]], %[[G0]], %[[G1]], %[[G2]] :
// CHECK-NEXT: ^bb0(%[[A0:.*]]: f32, %[[A1:.*]]: f32, %[[A2:.*]]: f32, %[[B0:.*]]: f32, %[[B1:.*]]: f32, %[[B2:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[P0:.*]] = arith.mulf %[[A0]], %[[B0]]
// CHECK-NEXT: %[[P1:.*]] = arith.mulf %[[A1]], %[[B1]]
// CHECK-NEXT: %[[S1:.*]] = arith.addf %[[P0]], %[[P1]]
// CHECK-NEXT: %[[P2:.*]] = arith.mulf %[[A2]], %[[B2]]
// CHECK-NEXT: %[[S2:.*]] = arith.addf %[[S1]], %[[P2]]
// CHECK-NEXT: linalg.yield %[[S2]]
// CHECK: return %[[S]]
func.func @slices_below_each_other(%x: tensor<3x40x16xf32>, %gates: tensor<3x40xf32>) -> tensor<40x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<40x16xf32>
  %empty = tensor.empty() : tensor<3x40x16xf32>
  %gated = linalg.generic {indexing_maps = [#id3, affine_map<(d0, d1, d2) -> (d0, d1)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %gates : tensor<3x40x16xf32>, tensor<3x40xf32>) outs(%empty : tensor<3x40x16xf32>) {
  ^bb0(%in: f32, %gate: f32, %out: f32):
    %p = arith.mulf %in, %gate : f32
    linalg.yield %p : f32
  } -> tensor<3x40x16xf32>
  %s = linalg.reduce { arith.addf } ins(%gated : tensor<3x40x16xf32>) outs(%zeros : tensor<40x16xf32>) dimensions = [0]
  return %s : tensor<40x16xf32>
}

// -----

// CHECK-LABEL: @slices_beside_each_other(
// CHECK-SAME: %[[X:.*]]: tensor<40x2x16xbf16>
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<40x2x16xbf16> into tensor<40x32xbf16>
// CHECK-DAG: %[[X0:.*]] = tensor.extract_slice %[[ROWS]][0, 0] [40, 16] [1, 1]
// CHECK-DAG: %[[X1:.*]] = tensor.extract_slice %[[ROWS]][0, 16] [40, 16] [1, 1]
// CHECK: linalg.generic {{.*}}"parallel", "parallel"]} ins(%[[X0]], %[[X1]] :
// CHECK: arith.maximumf
func.func @slices_beside_each_other(%x: tensor<40x2x16xbf16>) -> tensor<40x16xbf16> {
  %least = arith.constant 0xFF80 : bf16
  %empty = tensor.empty() : tensor<40x16xbf16>
  %start = linalg.fill ins(%least : bf16) outs(%empty : tensor<40x16xbf16>) -> tensor<40x16xbf16>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<40x2x16xbf16>) outs(%start : tensor<40x16xbf16>) dimensions = [1]
  return %m : tensor<40x16xbf16>
}

// -----

// A vector of ones; what is widened is multiplied as it is stored.

// CHECK-LABEL: @rows(
// CHECK-SAME: %[[X:.*]]: tensor<200x16xbf16>
// CHECK: %[[ONES:.*]] = arith.constant dense<1.000000e+00> : tensor<200xbf16>
// CHECK: linalg.generic {{.*}}"reduction", "parallel"]} ins(%[[ONES]], %[[X]] : tensor<200xbf16>, tensor<200x16xbf16>) outs(%{{.*}} : tensor<16xf32>)
func.func @rows(%x: tensor<200x16xbf16>) -> tensor<16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<16xf32>
  %wide = arith.extf %x : tensor<200x16xbf16> to tensor<200x16xf32>
  %s = linalg.reduce { arith.addf } ins(%wide : tensor<200x16xf32>) outs(%zeros : tensor<16xf32>) dimensions = [0]
  return %s : tensor<16xf32>
}

// -----

// Blocks of ones, each for as many sums as add up 512 rows.

// CHECK-LABEL: @batches(
// CHECK-SAME: %[[X:.*]]: tensor<8x128x16xf32>
// CHECK-DAG: %[[ONES:.*]] = arith.constant dense<{{.*}}> : tensor<4x512xf32>
// CHECK-DAG: %[[ROWS:.*]] = tensor.expand_shape %{{.*}} tensor<1024x16xf32> into tensor<2x512x16xf32>
// CHECK: linalg.generic {{.*}}"parallel", "parallel", "reduction", "parallel"]} ins(%[[ONES]], %[[ROWS]] : tensor<4x512xf32>, tensor<2x512x16xf32>) outs(%{{.*}} : tensor<2x4x16xf32>)
func.func @batches(%x: tensor<8x128x16xf32>) -> tensor<8x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x16xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<8x128x16xf32>) outs(%zeros : tensor<8x16xf32>) dimensions = [1]
  return %s : tensor<8x16xf32>
}

// -----

// Norms over rows stay reductions: all that they compute is transposed together.

// CHECK-LABEL: @norm(
// CHECK-NOT: arith.constant dense<1.0
// CHECK: "reduction", "parallel"]
func.func @norm(%x: tensor<200x16xbf16>) -> tensor<200x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<16xf32>
  %empty = tensor.empty() : tensor<200x16xf32>
  %wide = arith.extf %x : tensor<200x16xbf16> to tensor<200x16xf32>
  %s = linalg.reduce { arith.addf } ins(%wide : tensor<200x16xf32>) outs(%zeros : tensor<16xf32>) dimensions = [0]
  %o = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%wide, %s : tensor<200x16xf32>, tensor<16xf32>) outs(%empty : tensor<200x16xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %d = arith.divf %in, %sum : f32
    linalg.yield %d : f32
  } -> tensor<200x16xf32>
  return %o : tensor<200x16xf32>
}

// -----

// Neighbours that are reduced become one dimension, also of what reads the same elements.

// CHECK-LABEL: @image_norm(
// CHECK-SAME: %[[X:.*]]: tensor<64x7x9xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]] : tensor<64x7x9xf32> into tensor<64x63xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}}"parallel", "reduction"]} ins(%[[FLAT]] : tensor<64x63xf32>)
// CHECK: %[[O:.*]] = linalg.generic {{.*}}"parallel", "parallel"]} ins(%[[FLAT]], %[[S]] : tensor<64x63xf32>, tensor<64xf32>)
// CHECK: %[[BACK:.*]] = tensor.expand_shape %[[O]] {{\[\[}}0], [1, 2]]
// CHECK: return %[[BACK]]
func.func @image_norm(%x: tensor<64x7x9xf32>) -> tensor<64x7x9xf32> {
  %zeros = arith.constant dense<0.0> : tensor<64xf32>
  %empty = tensor.empty() : tensor<64x7x9xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x7x9xf32>) outs(%zeros : tensor<64xf32>) dimensions = [1, 2]
  %o = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<64x7x9xf32>, tensor<64xf32>) outs(%empty : tensor<64x7x9xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %d = arith.divf %in, %sum : f32
    linalg.yield %d : f32
  } -> tensor<64x7x9xf32>
  return %o : tensor<64x7x9xf32>
}

// -----

// Of few results the rows are reduced first, and of none, too.

// CHECK-LABEL: @all(
// CHECK-SAME: %[[X:.*]]: tensor<64x96xf32>
// CHECK: %[[S:.*]] = linalg.generic {{.*}}"parallel", "reduction"]} ins(%[[X]] : tensor<64x96xf32>) outs(%{{.*}} : tensor<64xf32>)
// CHECK: %[[ROW:.*]] = tensor.expand_shape %[[S]] {{\[\[}}0, 1]]
// CHECK: linalg.generic {{.*}}"parallel", "reduction"]} ins(%[[ROW]] : tensor<1x64xf32>) outs(%{{.*}} : tensor<1xf32>)
func.func @all(%x: tensor<64x96xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<64x96xf32>) outs(%zero : tensor<f32>) dimensions = [0, 1]
  return %s : tensor<f32>
}
