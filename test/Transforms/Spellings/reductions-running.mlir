// Attention to some more keys, with the maxima, sums and results of those before: reductions begin with these.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 2: relative error
// CHECK-NOT: host_ops
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(h, i, j) -> (h, i, j)>
#row = affine_map<(h, i, j) -> (h, i)>
#rows = affine_map<(h, i) -> (h, i)>

func.func @main(%q: tensor<3x20x16xf32>, %k: tensor<3x16x30xf32>, %v: tensor<3x30x16xf32>, %max: tensor<3x20xf32>, %sum: tensor<3x20xf32>, %o: tensor<3x20x16xf32>) -> (tensor<3x20x16xf32>, tensor<3x20xf32>, tensor<3x20xf32>) {
  %zero = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<3x20x30xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<3x20x30xf32>) -> tensor<3x20x30xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<3x20x16xf32>, tensor<3x16x30xf32>) outs(%sz : tensor<3x20x30xf32>) -> tensor<3x20x30xf32>
  %max2 = linalg.reduce { arith.maximumf } ins(%s : tensor<3x20x30xf32>) outs(%max : tensor<3x20xf32>) dimensions = [2]
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s, %max2 : tensor<3x20x30xf32>, tensor<3x20xf32>) outs(%se : tensor<3x20x30xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<3x20x30xf32>
  %shift = arith.subf %max, %max2 : tensor<3x20xf32>
  %alpha = math.exp %shift : tensor<3x20xf32>
  %sum1 = arith.mulf %sum, %alpha : tensor<3x20xf32>
  %sum2 = linalg.reduce { arith.addf } ins(%p : tensor<3x20x30xf32>) outs(%sum1 : tensor<3x20xf32>) dimensions = [2]
  %oe = tensor.empty() : tensor<3x20x16xf32>
  %o1 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o, %alpha : tensor<3x20x16xf32>, tensor<3x20xf32>) outs(%oe : tensor<3x20x16xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<3x20x16xf32>
  %o2 = linalg.batch_matmul ins(%p, %v : tensor<3x20x30xf32>, tensor<3x30x16xf32>) outs(%o1 : tensor<3x20x16xf32>) -> tensor<3x20x16xf32>
  return %o2, %max2, %sum2 : tensor<3x20x16xf32>, tensor<3x20xf32>, tensor<3x20xf32>
}
