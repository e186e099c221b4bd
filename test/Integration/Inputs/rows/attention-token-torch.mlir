// Attention of one token by torch-mlir: its key and value are concatenated to the cache.
#map = affine_map<(d0, d1, d2, d3, d4) -> (0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
func.func @main(%arg0: tensor<1x4x1x64xbf16>, %arg1: tensor<1x2x127x64xbf16>, %arg2: tensor<1x2x1x64xbf16>, %arg3: tensor<1x2x127x64xbf16>, %arg4: tensor<1x2x1x64xbf16>) -> tensor<1x1x256xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 1.250000e-01 : bf16
  %c0_i64 = arith.constant 0 : i64
  %cst_1 = arith.constant 0xFF800000 : f32
  %concat = tensor.concat dim(2) %arg1, %arg2 : (tensor<1x2x127x64xbf16>, tensor<1x2x1x64xbf16>) -> tensor<1x2x128x64xbf16>
  %concat_2 = tensor.concat dim(2) %arg3, %arg4 : (tensor<1x2x127x64xbf16>, tensor<1x2x1x64xbf16>) -> tensor<1x2x128x64xbf16>
  %0 = tensor.empty() : tensor<1x2x2x128x64xbf16>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat : tensor<1x2x128x64xbf16>) outs(%0 : tensor<1x2x2x128x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x2x2x128x64xbf16>
  %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<1x2x2x128x64xbf16> into tensor<1x4x128x64xbf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%concat_2 : tensor<1x2x128x64xbf16>) outs(%0 : tensor<1x2x2x128x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x2x2x128x64xbf16>
  %collapsed_3 = tensor.collapse_shape %2 [[0], [1, 2], [3], [4]] : tensor<1x2x2x128x64xbf16> into tensor<1x4x128x64xbf16>
  %3 = tensor.empty() : tensor<1x4x64x128xbf16>
  %transposed = linalg.transpose ins(%collapsed : tensor<1x4x128x64xbf16>) outs(%3 : tensor<1x4x64x128xbf16>) permutation = [0, 1, 3, 2]
  %collapsed_4 = tensor.collapse_shape %arg0 [[0, 1], [2], [3]] : tensor<1x4x1x64xbf16> into tensor<4x1x64xbf16>
  %collapsed_5 = tensor.collapse_shape %transposed [[0, 1], [2], [3]] : tensor<1x4x64x128xbf16> into tensor<4x64x128xbf16>
  %4 = tensor.empty() : tensor<4x1x128xf32>
  %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<4x1x128xf32>) -> tensor<4x1x128xf32>
  %6 = linalg.batch_matmul ins(%collapsed_4, %collapsed_5 : tensor<4x1x64xbf16>, tensor<4x64x128xbf16>) outs(%5 : tensor<4x1x128xf32>) -> tensor<4x1x128xf32>
  %7 = tensor.empty() : tensor<4x1x128xbf16>
  %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x1x128xf32>) outs(%7 : tensor<4x1x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %31 = arith.truncf %in : f32 to bf16
    linalg.yield %31 : bf16
  } -> tensor<4x1x128xbf16>
  %expanded = tensor.expand_shape %8 [[0, 1], [2], [3]] output_shape [1, 4, 1, 128] : tensor<4x1x128xbf16> into tensor<1x4x1x128xbf16>
  %9 = tensor.empty() : tensor<1x4x1x128xbf16>
  %10 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x4x1x128xbf16>) outs(%9 : tensor<1x4x1x128xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %31 = arith.mulf %in, %cst_0 : bf16
    linalg.yield %31 : bf16
  } -> tensor<1x4x1x128xbf16>
  %11 = tensor.empty() : tensor<1x4x1x128xf32>
  %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<1x4x1x128xbf16>) outs(%11 : tensor<1x4x1x128xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %31 = arith.extf %in : bf16 to f32
    linalg.yield %31 : f32
  } -> tensor<1x4x1x128xf32>
  %13 = tensor.empty() : tensor<1x4x1xi64>
  %14 = linalg.fill ins(%c0_i64 : i64) outs(%13 : tensor<1x4x1xi64>) -> tensor<1x4x1xi64>
  %15 = tensor.empty() : tensor<1x4x1xf32>
  %16 = linalg.fill ins(%cst_1 : f32) outs(%15 : tensor<1x4x1xf32>) -> tensor<1x4x1xf32>
  %17:2 = linalg.generic {indexing_maps = [#map3, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%12 : tensor<1x4x1x128xf32>) outs(%16, %14 : tensor<1x4x1xf32>, tensor<1x4x1xi64>) {
  ^bb0(%in: f32, %out: f32, %out_12: i64):
    %31 = linalg.index 3 : index
    %32 = arith.index_cast %31 : index to i64
    %33 = arith.maximumf %in, %out : f32
    %34 = arith.cmpf ogt, %in, %out : f32
    %35 = arith.select %34, %32, %out_12 : i64
    linalg.yield %33, %35 : f32, i64
  } -> (tensor<1x4x1xf32>, tensor<1x4x1xi64>)
  %expanded_6 = tensor.expand_shape %17#0 [[0], [1], [2, 3]] output_shape [1, 4, 1, 1] : tensor<1x4x1xf32> into tensor<1x4x1x1xf32>
  %18 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12, %expanded_6 : tensor<1x4x1x128xf32>, tensor<1x4x1x1xf32>) outs(%11 : tensor<1x4x1x128xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %31 = arith.subf %in, %in_12 : f32
    linalg.yield %31 : f32
  } -> tensor<1x4x1x128xf32>
  %19 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<1x4x1x128xf32>) outs(%11 : tensor<1x4x1x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.exp %in : f32
    linalg.yield %31 : f32
  } -> tensor<1x4x1x128xf32>
  %20 = tensor.empty() : tensor<1x4x1x1xf32>
  %21 = linalg.fill ins(%cst : f32) outs(%20 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%19 : tensor<1x4x1x128xf32>) outs(%21 : tensor<1x4x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %in, %out : f32
    linalg.yield %31 : f32
  } -> tensor<1x4x1x1xf32>
  %23 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %22 : tensor<1x4x1x128xf32>, tensor<1x4x1x1xf32>) outs(%11 : tensor<1x4x1x128xf32>) {
  ^bb0(%in: f32, %in_12: f32, %out: f32):
    %31 = arith.divf %in, %in_12 : f32
    linalg.yield %31 : f32
  } -> tensor<1x4x1x128xf32>
  %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<1x4x1x128xf32>) outs(%9 : tensor<1x4x1x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %31 = arith.truncf %in : f32 to bf16
    linalg.yield %31 : bf16
  } -> tensor<1x4x1x128xbf16>
  %collapsed_7 = tensor.collapse_shape %24 [[0, 1], [2], [3]] : tensor<1x4x1x128xbf16> into tensor<4x1x128xbf16>
  %collapsed_8 = tensor.collapse_shape %collapsed_3 [[0, 1], [2], [3]] : tensor<1x4x128x64xbf16> into tensor<4x128x64xbf16>
  %25 = tensor.empty() : tensor<4x1x64xf32>
  %26 = linalg.fill ins(%cst : f32) outs(%25 : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %27 = linalg.batch_matmul ins(%collapsed_7, %collapsed_8 : tensor<4x1x128xbf16>, tensor<4x128x64xbf16>) outs(%26 : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
  %28 = tensor.empty() : tensor<4x1x64xbf16>
  %29 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%27 : tensor<4x1x64xf32>) outs(%28 : tensor<4x1x64xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %31 = arith.truncf %in : f32 to bf16
    linalg.yield %31 : bf16
  } -> tensor<4x1x64xbf16>
  %expanded_9 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [1, 4, 1, 64] : tensor<4x1x64xbf16> into tensor<1x4x1x64xbf16>
  %30 = tensor.empty() : tensor<1x1x4x64xbf16>
  %transposed_10 = linalg.transpose ins(%expanded_9 : tensor<1x4x1x64xbf16>) outs(%30 : tensor<1x1x4x64xbf16>) permutation = [0, 2, 1, 3]
  %collapsed_11 = tensor.collapse_shape %transposed_10 [[0], [1], [2, 3]] : tensor<1x1x4x64xbf16> into tensor<1x1x256xbf16>
  return %collapsed_11 : tensor<1x1x256xbf16>
}
