// One step of a causal convolution, as of Mamba: the columns so far and a new one, times a row of weights for each channel
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-2: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x64xf32>, %arg1: tensor<1x64x3xf32>, %arg2: tensor<64x4xf32>, %arg3: tensor<64x64xf32>, %arg4: tensor<64xf32>, %arg5: tensor<64x64xf32>) -> (tensor<1x64xf32>, tensor<1x64x3xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x64xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %2 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%arg0, %arg3 : tensor<1x64xf32>, tensor<64x64xf32>) outs(%1 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %expanded = tensor.expand_shape %2 [[0], [1, 2]] output_shape [1, 64, 1] : tensor<1x64xf32> into tensor<1x64x1xf32>
    %3 = tensor.empty() : tensor<1x64x4xf32>
    %inserted_slice = tensor.insert_slice %arg1 into %3[0, 0, 0] [1, 64, 3] [1, 1, 1] : tensor<1x64x3xf32> into tensor<1x64x4xf32>
    %inserted_slice_0 = tensor.insert_slice %expanded into %inserted_slice[0, 0, 3] [1, 64, 1] [1, 1, 1] : tensor<1x64x1xf32> into tensor<1x64x4xf32>
    %expanded_1 = tensor.expand_shape %arg2 [[0, 1], [2]] output_shape [1, 64, 4] : tensor<64x4xf32> into tensor<1x64x4xf32>
    %4 = tensor.empty() : tensor<1x64x4xf32>
    %5 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%inserted_slice_0, %expanded_1 : tensor<1x64x4xf32>, tensor<1x64x4xf32>) outs(%4 : tensor<1x64x4xf32>) -> tensor<1x64x4xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %6 = tensor.empty() : tensor<1x64xf32>
    %7 = linalg.fill ins(%cst_2 : f32) outs(%6 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %reduced = linalg.reduce { arith.addf } ins(%5 : tensor<1x64x4xf32>) outs(%7 : tensor<1x64xf32>) dimensions = [2] 
    %8 = tensor.empty() : tensor<1x64xf32>
    %9 = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#map3, #map4, #map3] ins(%reduced, %arg4 : tensor<1x64xf32>, tensor<64xf32>) outs(%8 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %10 = tensor.empty() : tensor<1x64xf32>
    %11 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<1x64xf32>) outs(%10 : tensor<1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_4 = arith.constant 1.000000e+00 : f32
      %cst_5 = arith.constant 1.000000e+00 : f32
      %17 = arith.negf %in : f32
      %18 = math.exp %17 : f32
      %19 = arith.addf %cst_5, %18 : f32
      %20 = arith.divf %cst_4, %19 : f32
      linalg.yield %20 : f32
    } -> tensor<1x64xf32>
    %12 = tensor.empty() : tensor<1x64xf32>
    %13 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%9, %11 : tensor<1x64xf32>, tensor<1x64xf32>) outs(%12 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %14 = tensor.empty() : tensor<1x64xf32>
    %15 = linalg.fill ins(%cst_3 : f32) outs(%14 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %16 = linalg.contract indexing_maps = [#map, #map1, #map2] ins(%13, %arg5 : tensor<1x64xf32>, tensor<64x64xf32>) outs(%15 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %extracted_slice = tensor.extract_slice %inserted_slice_0[0, 0, 1] [1, 64, 3] [1, 1, 1] : tensor<1x64x4xf32> to tensor<1x64x3xf32>
    return %16, %extracted_slice : tensor<1x64xf32>, tensor<1x64x3xf32>
  }
}

