// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error 0.00e+00
// CHECK: verify: result 1: relative error 0.00e+00
// CHECK: launches 1

// The first maxima take %scaled into their kernel. %shifted, which reads it,
// joins the second ones without it.

#id = affine_map<(m, n) -> (m, n)>
func.func @main(%x: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> (tensor<32xf32>, tensor<32xf32>) {
  %empty = tensor.empty() : tensor<32x32xf32>
  %low = arith.constant dense<0xFF800000> : tensor<32xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%empty : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<32x32xf32>
  %shifted = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%scaled, %y : tensor<32x32xf32>, tensor<32x32xf32>) outs(%empty : tensor<32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<32x32xf32>
  %first = linalg.reduce { arith.maximumf } ins(%scaled : tensor<32x32xf32>) outs(%low : tensor<32xf32>) dimensions = [1]
  %second = linalg.reduce { arith.maximumf } ins(%shifted : tensor<32x32xf32>) outs(%low : tensor<32xf32>) dimensions = [1]
  return %first, %second : tensor<32xf32>, tensor<32xf32>
}
