// Causal attention by torch-mlir (`is_causal=True`): row and column numbers as tensors, compared, turned into a bias.
#map = affine_map<(d0, d1, d2, d3, d4) -> (0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0, d1) -> (0, d1)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
func.func @main(%arg0: tensor<1x4x128x64xbf16>, %arg1: tensor<1x2x128x64xbf16>, %arg2: tensor<1x2x128x64xbf16>) -> tensor<1x128x256xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 1.250000e-01 : bf16
  %cst_1 = arith.constant 0.000000e+00 : bf16
  %cst_2 = arith.constant 0xFF80 : bf16
  %c0_i64 = arith.constant 0 : i64
  %cst_3 = arith.constant 0xFF800000 : f32
  %0 = tensor.empty() : tensor<1x2x2x128x64xbf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg1 : tensor<1x2x128x64xbf16>) outs(%0 : tensor<1x2x2x128x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x2x2x128x64xbf16>
  %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<1x2x2x128x64xbf16> into tensor<1x4x128x64xbf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg2 : tensor<1x2x128x64xbf16>) outs(%0 : tensor<1x2x2x128x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x2x2x128x64xbf16>
  %collapsed_4 = tensor.collapse_shape %2 [[0], [1, 2], [3], [4]] : tensor<1x2x2x128x64xbf16> into tensor<1x4x128x64xbf16>
  %3 = tensor.empty() : tensor<1x4x64x128xbf16>
  %transposed = linalg.transpose ins(%collapsed : tensor<1x4x128x64xbf16>) outs(%3 : tensor<1x4x64x128xbf16>) permutation = [0, 1, 3, 2]
  %collapsed_5 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x4x128x64xbf16> into tensor<4x128x64xbf16>
  %collapsed_6 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x4x64x128xbf16> into tensor<4x64x128xbf16>
  %4 = tensor.empty() : tensor<4x128x128xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %6 = linalg.batch_matmul ins(%collapsed_5, %collapsed_6 : tensor<4x128x64xbf16>, tensor<4x64x128xbf16>) outs(%5 : tensor<4x128x128xf32>) -> tensor<4x128x128xf32>
  %7 = tensor.empty() : tensor<4x128x128xbf16>
  %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x128x128xf32>) outs(%7 : tensor<4x128x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %38 = arith.truncf %in : f32 to bf16
    linalg.yield %38 : bf16
  } -> tensor<4x128x128xbf16>
  %expanded = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 4, 128, 128] : tensor<4x128x128xbf16> into tensor<1x4x128x128xbf16>
  %9 = tensor.empty() : tensor<1x4x128x128xbf16>
  %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x128x128xbf16>) outs(%9 : tensor<1x4x128x128xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %38 = arith.mulf %in, %cst_0 : bf16
    linalg.yield %38 : bf16
  } -> tensor<1x4x128x128xbf16>
  %11 = tensor.empty() : tensor<128xi64>
  %12 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel"]} outs(%11 : tensor<128xi64>) {
  ^bb0(%out: i64):
    %38 = linalg.index 0 : index
    %39 = arith.index_cast %38 : index to i64
    linalg.yield %39 : i64
  } -> tensor<128xi64>
  %expanded_7 = tensor.expand_shape %12 [[0, 1]] output_shape [128, 1] : tensor<128xi64> into tensor<128x1xi64>
  %expanded_8 = tensor.expand_shape %12 [[0, 1]] output_shape [1, 128] : tensor<128xi64> into tensor<1x128xi64>
  %13 = tensor.empty() : tensor<128x128xi1>
  %14 = linalg.generic {indexing_maps = [#map5, #map6, #map7], iterator_types = ["parallel", "parallel"]} ins(%expanded_7, %expanded_8 : tensor<128x1xi64>, tensor<1x128xi64>) outs(%13 : tensor<128x128xi1>) {
  ^bb0(%in: i64, %in_15: i64, %out: i1):
    %38 = arith.cmpi sge, %in, %in_15 : i64
    linalg.yield %38 : i1
  } -> tensor<128x128xi1>
  %15 = tensor.empty() : tensor<128x128xbf16>
  %16 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<128x128xi1>) outs(%15 : tensor<128x128xbf16>) {
  ^bb0(%in: i1, %out: bf16):
    %38 = arith.select %in, %cst_1, %cst_2 : bf16
    linalg.yield %38 : bf16
  } -> tensor<128x128xbf16>
  %17 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %16 : tensor<1x4x128x128xbf16>, tensor<128x128xbf16>) outs(%9 : tensor<1x4x128x128xbf16>) {
  ^bb0(%in: bf16, %in_15: bf16, %out: bf16):
    %38 = arith.addf %in, %in_15 : bf16
    linalg.yield %38 : bf16
  } -> tensor<1x4x128x128xbf16>
  %18 = tensor.empty() : tensor<1x4x128x128xf32>
  %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x4x128x128xbf16>) outs(%18 : tensor<1x4x128x128xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %38 = arith.extf %in : bf16 to f32
    linalg.yield %38 : f32
  } -> tensor<1x4x128x128xf32>
  %20 = tensor.empty() : tensor<1x4x128xi64>
  %21 = linalg.fill ins(%c0_i64 : i64) outs(%20 : tensor<1x4x128xi64>) -> tensor<1x4x128xi64>
  %22 = tensor.empty() : tensor<1x4x128xf32>
  %23 = linalg.fill ins(%cst_3 : f32) outs(%22 : tensor<1x4x128xf32>) -> tensor<1x4x128xf32>
  %24:2 = linalg.generic {indexing_maps = [#map3, #map9, #map9], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x4x128x128xf32>) outs(%23, %21 : tensor<1x4x128xf32>, tensor<1x4x128xi64>) {
  ^bb0(%in: f32, %out: f32, %out_15: i64):
    %38 = linalg.index 3 : index
    %39 = arith.index_cast %38 : index to i64
    %40 = arith.maximumf %in, %out : f32
    %41 = arith.cmpf ogt, %in, %out : f32
    %42 = arith.select %41, %39, %out_15 : i64
    linalg.yield %40, %42 : f32, i64
  } -> (tensor<1x4x128xf32>, tensor<1x4x128xi64>)
  %expanded_9 = tensor.expand_shape %24#0 [[0], [1], [2, 3]] output_shape [1, 4, 128, 1] : tensor<1x4x128xf32> into tensor<1x4x128x1xf32>
  %25 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_9 : tensor<1x4x128x128xf32>, tensor<1x4x128x1xf32>) outs(%18 : tensor<1x4x128x128xf32>) {
  ^bb0(%in: f32, %in_15: f32, %out: f32):
    %38 = arith.subf %in, %in_15 : f32
    linalg.yield %38 : f32
  } -> tensor<1x4x128x128xf32>
  %26 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x4x128x128xf32>) outs(%18 : tensor<1x4x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = math.exp %in : f32
    linalg.yield %38 : f32
  } -> tensor<1x4x128x128xf32>
  %27 = tensor.empty() : tensor<1x4x128x1xf32>
  %28 = linalg.fill ins(%cst : f32) outs(%27 : tensor<1x4x128x1xf32>) -> tensor<1x4x128x1xf32>
  %29 = linalg.generic {indexing_maps = [#map3, #map11], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x4x128x128xf32>) outs(%28 : tensor<1x4x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %38 = arith.addf %in, %out : f32
    linalg.yield %38 : f32
  } -> tensor<1x4x128x1xf32>
  %30 = linalg.generic {indexing_maps = [#map3, #map10, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %29 : tensor<1x4x128x128xf32>, tensor<1x4x128x1xf32>) outs(%18 : tensor<1x4x128x128xf32>) {
  ^bb0(%in: f32, %in_15: f32, %out: f32):
    %38 = arith.divf %in, %in_15 : f32
    linalg.yield %38 : f32
  } -> tensor<1x4x128x128xf32>
  %31 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x4x128x128xf32>) outs(%9 : tensor<1x4x128x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %38 = arith.truncf %in : f32 to bf16
    linalg.yield %38 : bf16
  } -> tensor<1x4x128x128xbf16>
  %collapsed_10 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<1x4x128x128xbf16> into tensor<4x128x128xbf16>
  %collapsed_11 = tensor.collapse_shape %collapsed_4 [[0, 1], [2], [3]] : tensor<1x4x128x64xbf16> into tensor<4x128x64xbf16>
  %32 = tensor.empty() : tensor<4x128x64xf32>
  %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
  %34 = linalg.batch_matmul ins(%collapsed_10, %collapsed_11 : tensor<4x128x128xbf16>, tensor<4x128x64xbf16>) outs(%33 : tensor<4x128x64xf32>) -> tensor<4x128x64xf32>
  %35 = tensor.empty() : tensor<4x128x64xbf16>
  %36 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%34 : tensor<4x128x64xf32>) outs(%35 : tensor<4x128x64xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %38 = arith.truncf %in : f32 to bf16
    linalg.yield %38 : bf16
  } -> tensor<4x128x64xbf16>
  %expanded_12 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 4, 128, 64] : tensor<4x128x64xbf16> into tensor<1x4x128x64xbf16>
  %37 = tensor.empty() : tensor<1x128x4x64xbf16>
  %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x4x128x64xbf16>) outs(%37 : tensor<1x128x4x64xbf16>) permutation = [0, 2, 1, 3]
  %collapsed_14 = tensor.collapse_shape %transposed_13 [[0], [1], [2, 3]] : tensor<1x128x4x64xbf16> into tensor<1x128x256xbf16>
  return %collapsed_14 : tensor<1x128x256xbf16>
}
