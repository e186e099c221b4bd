// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// Elements that meet neither products nor reductions lie in rows and columns, whatever their shape is: neighbouring
// dimensions that all operands have, or lack, are one.

#id = affine_map<(a, b, c) -> (a, b, c)>
#column = affine_map<(a, b, c) -> (c)>
#plane = affine_map<(a, b, c) -> (b, c)>

// CHECK-LABEL: @bias(
// CHECK-SAME: %[[X:.*]]: tensor<4x32x64xf32>, %[[B:.*]]: tensor<64xf32>
// CHECK: %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2]] : tensor<4x32x64xf32> into tensor<128x64xf32>
// CHECK: %[[O:.*]] = linalg.generic {{.*}} ins(%[[FLAT]], %[[B]] : tensor<128x64xf32>, tensor<64xf32>)
// CHECK: tensor.expand_shape %[[O]] {{.*}} tensor<128x64xf32> into tensor<4x32x64xf32>
func.func @bias(%x: tensor<4x32x64xf32>, %b: tensor<64xf32>) -> tensor<4x32x64xf32> {
  %e = tensor.empty() : tensor<4x32x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %b : tensor<4x32x64xf32>, tensor<64xf32>) outs(%e : tensor<4x32x64xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %s = arith.addf %in, %bias : f32
    linalg.yield %s : f32
  } -> tensor<4x32x64xf32>
  return %o : tensor<4x32x64xf32>
}

// -----

// One row is several: engines work on all partitions at once.

// CHECK-LABEL: @one_row(
// CHECK-SAME: %[[X:.*]]: tensor<1x4096xbf16>
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<{{[0-9]+}}x{{[0-9]+}}xbf16>)
// CHECK: tensor.collapse_shape %{{.*}} into tensor<4096xbf16>
// CHECK: tensor.expand_shape %{{.*}} into tensor<1x4096xbf16>
func.func @one_row(%x: tensor<1x4096xbf16>) -> tensor<1x4096xbf16> {
  %o = math.exp %x : tensor<1x4096xbf16>
  return %o : tensor<1x4096xbf16>
}

// -----

// A table that is added to each of few matrices keeps these apart, and its own elements are rows and columns.

#id = affine_map<(a, b, c) -> (a, b, c)>
#plane = affine_map<(a, b, c) -> (b, c)>

// CHECK-LABEL: @table(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x128x150xf32>, tensor<128x150xf32>)
func.func @table(%x: tensor<2x50x384xf32>, %t: tensor<50x384xf32>) -> tensor<2x50x384xf32> {
  %e = tensor.empty() : tensor<2x50x384xf32>
  %o = linalg.generic {indexing_maps = [#id, #plane, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %t : tensor<2x50x384xf32>, tensor<50x384xf32>) outs(%e : tensor<2x50x384xf32>) {
  ^bb0(%in: f32, %table: f32, %out: f32):
    %s = arith.addf %in, %table : f32
    linalg.yield %s : f32
  } -> tensor<2x50x384xf32>
  return %o : tensor<2x50x384xf32>
}

// -----

// A transposed operand keeps both dimensions.

#id = affine_map<(a, b) -> (a, b)>
#turned = affine_map<(a, b) -> (b, a)>

// CHECK-LABEL: @transposed(
// CHECK-SAME: %[[X:.*]]: tensor<4x1024xf32>, %[[Y:.*]]: tensor<1024x4xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[Y]] : tensor<4x1024xf32>, tensor<1024x4xf32>)
func.func @transposed(%x: tensor<4x1024xf32>, %y: tensor<1024x4xf32>) -> tensor<4x1024xf32> {
  %e = tensor.empty() : tensor<4x1024xf32>
  %o = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<4x1024xf32>, tensor<1024x4xf32>) outs(%e : tensor<4x1024xf32>) {
  ^bb0(%in: f32, %other: f32, %out: f32):
    %s = arith.addf %in, %other : f32
    linalg.yield %s : f32
  } -> tensor<4x1024xf32>
  return %o : tensor<4x1024xf32>
}

// -----

// Slices stay where they are in their argument, and ops around products as they are written.

// CHECK-LABEL: @left_alone(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x64xf32>, tensor<4x64xf32>)
// CHECK: linalg.matmul
// CHECK-NEXT: math.exp %{{.*}} : tensor<1x4096xf32>
func.func @left_alone(%x: tensor<4x128xf32>, %y: tensor<1x64xf32>, %w: tensor<64x4096xf32>, %z: tensor<1x4096xf32>)
    -> (tensor<4x64xf32>, tensor<1x4096xf32>) {
  %l = tensor.extract_slice %x[0, 0] [4, 64] [1, 1] : tensor<4x128xf32> to tensor<4x64xf32>
  %r = tensor.extract_slice %x[0, 64] [4, 64] [1, 1] : tensor<4x128xf32> to tensor<4x64xf32>
  %p = arith.mulf %l, %r : tensor<4x64xf32>
  %m = linalg.matmul ins(%y, %w : tensor<1x64xf32>, tensor<64x4096xf32>) outs(%z : tensor<1x4096xf32>) -> tensor<1x4096xf32>
  %a = math.exp %m : tensor<1x4096xf32>
  return %p, %a : tensor<4x64xf32>, tensor<1x4096xf32>
}
