// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// A number far below all scores takes their place: one comparison does.

#id = affine_map<(r, c) -> (r, c)>

// CHECK-LABEL: @scores(
// CHECK: %[[SCORES:.*]] = linalg.matmul
// CHECK: %[[MASK:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<64x48xf32>)
// CHECK: arith.select
// CHECK: ins(%[[SCORES]], %[[MASK]] : tensor<64x48xf32>, tensor<64x48xf32>)
// CHECK: %[[MIN:.*]] = arith.minimumf
// CHECK-NEXT: linalg.yield %[[MIN]]
func.func @scores(%q: tensor<64x16xf32>, %k: tensor<16x48xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x48xf32>) outs(%z : tensor<64x48xf32>) -> tensor<64x48xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%in: f32, %out: f32):
    %scale = arith.constant 0.25 : f32
    %far = arith.constant -1.0e30 : f32
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %seen = arith.cmpi sge, %r, %c : index
    %scaled = arith.mulf %in, %scale : f32
    %o = arith.select %seen, %scaled, %far : f32
    linalg.yield %o : f32
  } -> tensor<64x48xf32>
  %re = tensor.empty() : tensor<64xf32>
  %l = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce { arith.addf } ins(%m : tensor<64x48xf32>) outs(%l : tensor<64xf32>) dimensions = [1]
  return %sum : tensor<64xf32>
}

// -----

// What an argument adds may be less, as minus infinity is: the number takes its place nevertheless. So it is
// for the smallest number that there is.

#id = affine_map<(r, c) -> (r, c)>

// CHECK-LABEL: @masked_before(
// CHECK: arith.addf
// CHECK: %[[MIN:.*]] = arith.minimumf
// CHECK: arith.maximumf %[[MIN]],
func.func @masked_before(%q: tensor<64x16xf32>, %k: tensor<16x48xf32>, %mask: tensor<64x48xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x48xf32>) outs(%z : tensor<64x48xf32>) -> tensor<64x48xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%in: f32, %hidden: f32, %out: f32):
    %far = arith.constant 0xFF7FFFFF : f32
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %seen = arith.cmpi sge, %r, %c : index
    %masked = arith.addf %in, %hidden : f32
    %o = arith.select %seen, %masked, %far : f32
    linalg.yield %o : f32
  } -> tensor<64x48xf32>
  %re = tensor.empty() : tensor<64xf32>
  %l = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce { arith.addf } ins(%m : tensor<64x48xf32>) outs(%l : tensor<64xf32>) dimensions = [1]
  return %sum : tensor<64xf32>
}

// -----

// A weight that is added is none.

#id = affine_map<(r, c) -> (r, c)>

// CHECK-LABEL: @biased(
// CHECK: arith.addf
// CHECK: %[[MIN:.*]] = arith.minimumf
// CHECK-NEXT: linalg.yield %[[MIN]]
func.func @biased(%q: tensor<64x16xf32>, %k: tensor<16x48xf32>, %bias: tensor<64x48xf32> {trn.param = "bias"}) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x48xf32>) -> tensor<64x48xf32>
  %s = linalg.matmul ins(%q, %k : tensor<64x16xf32>, tensor<16x48xf32>) outs(%z : tensor<64x48xf32>) -> tensor<64x48xf32>
  %m = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %bias : tensor<64x48xf32>, tensor<64x48xf32>) outs(%e : tensor<64x48xf32>) {
  ^bb0(%in: f32, %b: f32, %out: f32):
    %far = arith.constant -1.0e10 : f32
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %seen = arith.cmpi sge, %r, %c : index
    %biased = arith.addf %in, %b : f32
    %o = arith.select %seen, %biased, %far : f32
    linalg.yield %o : f32
  } -> tensor<64x48xf32>
  %re = tensor.empty() : tensor<64xf32>
  %l = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce { arith.addf } ins(%m : tensor<64x48xf32>) outs(%l : tensor<64xf32>) dimensions = [1]
  return %sum : tensor<64xf32>
}
