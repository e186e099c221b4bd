// Several rows are appended to a cache.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s --check-prefix=KERNEL
// KERNEL: func.func private @main_kernel({{.*}}: memref<4x40x32xf32>,
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<4x16x32xf32>, %arg1: tensor<4x16x32xf32>, %arg2: tensor<4x16x32xf32>, %arg3: tensor<4x40x32xf32>, %arg4: tensor<4x40x32xf32>) -> (tensor<4x16x32xf32>, tensor<4x56x32xf32>, tensor<4x56x32xf32>) {
    %concat = tensor.concat dim(1) %arg3, %arg1 : (tensor<4x40x32xf32>, tensor<4x16x32xf32>) -> tensor<4x56x32xf32>
    %concat_0 = tensor.concat dim(1) %arg4, %arg2 : (tensor<4x40x32xf32>, tensor<4x16x32xf32>) -> tensor<4x56x32xf32>
    %0 = tensor.empty() : tensor<4x32x56xf32>
    %transposed = linalg.transpose ins(%concat : tensor<4x56x32xf32>) outs(%0 : tensor<4x32x56xf32>) permutation = [0, 2, 1] 
    %1 = tensor.empty() : tensor<4x16x56xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<4x16x56xf32>) -> tensor<4x16x56xf32>
    %3 = linalg.batch_matmul ins(%arg0, %transposed : tensor<4x16x32xf32>, tensor<4x32x56xf32>) outs(%2 : tensor<4x16x56xf32>) -> tensor<4x16x56xf32>
    %4 = tensor.empty() : tensor<4x16x56xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<4x16x56xf32>) outs(%4 : tensor<4x16x56xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 0.176776692 : f32
      %21 = arith.mulf %in, %cst_4 : f32
      linalg.yield %21 : f32
    } -> tensor<4x16x56xf32>
    %6 = tensor.empty() : tensor<4x16x1xf32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %7 = linalg.fill ins(%cst_1 : f32) outs(%6 : tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%5 : tensor<4x16x56xf32>) outs(%7 : tensor<4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.maximumf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<4x16x1xf32>
    %9 = tensor.empty() : tensor<4x16x56xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5, %8 : tensor<4x16x56xf32>, tensor<4x16x1xf32>) outs(%9 : tensor<4x16x56xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %21 = arith.subf %in, %in_4 : f32
      linalg.yield %21 : f32
    } -> tensor<4x16x56xf32>
    %11 = tensor.empty() : tensor<4x16x56xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<4x16x56xf32>) outs(%11 : tensor<4x16x56xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = math.exp %in : f32
      linalg.yield %21 : f32
    } -> tensor<4x16x56xf32>
    %13 = tensor.empty() : tensor<4x16x1xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %14 = linalg.fill ins(%cst_2 : f32) outs(%13 : tensor<4x16x1xf32>) -> tensor<4x16x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%12 : tensor<4x16x56xf32>) outs(%14 : tensor<4x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %21 = arith.addf %in, %out : f32
      linalg.yield %21 : f32
    } -> tensor<4x16x1xf32>
    %16 = tensor.empty() : tensor<4x16x56xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %15 : tensor<4x16x56xf32>, tensor<4x16x1xf32>) outs(%16 : tensor<4x16x56xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %21 = arith.divf %in, %in_4 : f32
      linalg.yield %21 : f32
    } -> tensor<4x16x56xf32>
    %18 = tensor.empty() : tensor<4x16x32xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %19 = linalg.fill ins(%cst_3 : f32) outs(%18 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    %20 = linalg.batch_matmul ins(%17, %concat_0 : tensor<4x16x56xf32>, tensor<4x56x32xf32>) outs(%19 : tensor<4x16x32xf32>) -> tensor<4x16x32xf32>
    return %20, %concat, %concat_0 : tensor<4x16x32xf32>, tensor<4x56x32xf32>, tensor<4x56x32xf32>
  }
}

