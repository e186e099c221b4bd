// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// A condition that chooses between a score and a constant becomes a mask that the score is compared with.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// Minus infinity is the least there is: one comparison does. It is one in bf16, too.

// CHECK-LABEL: @causal(
// CHECK: %[[MASK:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x64xbf16>)
// CHECK: linalg.index 0
// CHECK: linalg.index 1
// CHECK: arith.cmpi sge
// CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : bf16
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[MASK]] : tensor<64x64xf32>, tensor<64x64xbf16>)
// CHECK: arith.minimumf
// CHECK-NOT: arith.maximumf {{.*}} arith.select
func.func @causal(%s: tensor<64x64xf32>) -> tensor<64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %seen = arith.cmpi sge, %r, %c : index
    %o = arith.select %seen, %in, %low : f32
    linalg.yield %o : f32
  } -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %l = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %most = linalg.reduce { arith.maximumf } ins(%m : tensor<64x64xf32>) outs(%l : tensor<64xf32>) dimensions = [1]
  return %most : tensor<64xf32>
}

// -----

// A score may be less than another constant, which takes its place nevertheless. The condition is a tensor.

#id = affine_map<(r, c) -> (r, c)>

// CHECK-LABEL: @conditions(
// CHECK-SAME: %[[SCORES:.*]]: tensor<64x64xf32>, %[[SEEN:.*]]: tensor<64x64xi1>)
// CHECK: %[[MOST:.*]] = linalg.generic {{.*}} ins(%[[SEEN]] : tensor<64x64xi1>)
// CHECK: %[[LEAST:.*]] = linalg.generic {{.*}} ins(%[[SEEN]] : tensor<64x64xi1>)
// CHECK: linalg.generic {{.*}} ins(%[[SCORES]], %[[MOST]], %[[LEAST]] :
// CHECK: %[[MIN:.*]] = arith.minimumf
// CHECK: arith.maximumf %[[MIN]],
func.func @conditions(%s: tensor<64x64xf32>, %seen: tensor<64x64xi1>) -> tensor<64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %far = arith.constant -1.0e4 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%seen, %s : tensor<64x64xi1>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%c: i1, %in: f32, %out: f32):
    %o = arith.select %c, %in, %far : f32
    linalg.yield %o : f32
  } -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %l = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %most = linalg.reduce { arith.maximumf } ins(%m : tensor<64x64xf32>) outs(%l : tensor<64xf32>) dimensions = [1]
  return %most : tensor<64xf32>
}

// -----

// Numbers that follow from indices are a tensor of their own, if they are computed with data.

// CHECK-LABEL: @distance(
// CHECK-SAME: %[[S:[a-z0-9]*]]: tensor<64xf32>
// CHECK: %[[D:.*]] = linalg.generic {indexing_maps = [{{#map[0-9]*}}], {{.*}} outs(%{{.*}} : tensor<40x48xf32>)
// CHECK: linalg.index 0
// CHECK: linalg.index 1
// CHECK: arith.subi
// CHECK: arith.sitofp {{.*}} : i32 to f32
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[D]] : tensor<64xf32>, tensor<40x48xf32>)
// CHECK-NOT: linalg.index
// CHECK: arith.maximumf
func.func @distance(%slopes: tensor<64xf32>) -> tensor<64x40xf32> {
  %e = tensor.empty() : tensor<64x40x48xf32>
  %b = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%slopes : tensor<64xf32>) outs(%e : tensor<64x40x48xf32>) {
  ^bb0(%slope: f32, %out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %d = arith.subi %j, %i : index
    %n = arith.index_cast %d : index to i32
    %f = arith.sitofp %n : i32 to f32
    %r = arith.mulf %f, %slope : f32
    linalg.yield %r : f32
  } -> tensor<64x40x48xf32>
  %low = arith.constant 0xFF800000 : f32
  %e2 = tensor.empty() : tensor<64x40xf32>
  %f2 = linalg.fill ins(%low : f32) outs(%e2 : tensor<64x40xf32>) -> tensor<64x40xf32>
  %o = linalg.reduce ins(%b : tensor<64x40x48xf32>) outs(%f2 : tensor<64x40xf32>) dimensions = [2]
    (%in: f32, %old: f32) {
      %m = arith.maximumf %in, %old : f32
      linalg.yield %m : f32
    }
  return %o : tensor<64x40xf32>
}

// A choice that may be -0 stays in its body: kernels divide by that as by 0.

// CHECK-LABEL: func.func @negative_zero(
// CHECK: %[[MINUS:.*]] = arith.constant -0.000000e+00 : f32
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: linalg.index 0
// CHECK: arith.select %{{.*}}, %[[MINUS]],
func.func @negative_zero(%x: tensor<20x32xf32>, %w: tensor<32x24xf32>) -> tensor<20x24xf32> {
  %zero = arith.constant 0.0 : f32
  %minus = arith.constant -0.0 : f32
  %empty = tensor.empty() : tensor<20x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<20x24xf32>) -> tensor<20x24xf32>
  %y = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x24xf32>) outs(%init : tensor<20x24xf32>) -> tensor<20x24xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<20x24xf32>) outs(%empty : tensor<20x24xf32>) {
  ^bb0(%element: f32, %old: f32):
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %isBelow = arith.cmpi sge, %row, %column : index
    %chosen = arith.select %isBelow, %minus, %zero : f32
    %quotient = arith.divf %element, %chosen : f32
    linalg.yield %quotient : f32
  } -> tensor<20x24xf32>
  return %o : tensor<20x24xf32>
}
