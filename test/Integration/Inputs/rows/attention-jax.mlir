// Attention of grouped heads by JAX: einsums over (key head, head of its group), softmax in f32.
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d2, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> ()>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map9 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d1, d5)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d2, d4)>
func.func @main(%arg0: tensor<1x128x4x64xbf16>, %arg1: tensor<1x128x2x64xbf16>, %arg2: tensor<1x128x2x64xbf16>) -> tensor<1x128x4x64xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant dense<1.250000e-01> : tensor<f32>
  %cst_1 = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_2 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_3 = arith.constant 0.000000e+00 : bf16
  %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [1, 128, 2, 2, 64] : tensor<1x128x4x64xbf16> into tensor<1x128x2x2x64xbf16>
  %0 = tensor.empty() : tensor<1x2x2x128x128xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x2x128x128xf32>) -> tensor<1x2x2x128x128xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<1x128x2x2x64xbf16>, tensor<1x128x2x64xbf16>) outs(%1 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: bf16, %in_5: bf16, %out: f32):
    %25 = arith.extf %in : bf16 to f32
    %26 = arith.extf %in_5 : bf16 to f32
    %27 = arith.mulf %25, %26 : f32
    %28 = arith.addf %out, %27 : f32
    linalg.yield %28 : f32
  } -> tensor<1x2x2x128x128xf32>
  %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x128xf32>
  %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x2x128x128xf32>, tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %25 = arith.mulf %in, %in_5 : f32
    linalg.yield %25 : f32
  } -> tensor<1x2x2x128x128xf32>
  %extracted = tensor.extract %cst_1[] : tensor<f32>
  %5 = tensor.empty() : tensor<1x2x2x128xf32>
  %6 = linalg.fill ins(%extracted : f32) outs(%5 : tensor<1x2x2x128xf32>) -> tensor<1x2x2x128xf32>
  %7 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<1x2x2x128x128xf32>) outs(%6 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = arith.maximumf %out, %in : f32
    linalg.yield %25 : f32
  } -> tensor<1x2x2x128xf32>
  %8 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128xf32>
  %9 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8, %7 : tensor<1x2x2x128xf32>, tensor<1x2x2x128xf32>) outs(%5 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %25 = arith.maximumf %in, %in_5 : f32
    linalg.yield %25 : f32
  } -> tensor<1x2x2x128xf32>
  %10 = tensor.empty() : tensor<1x2x2x128x1xf32>
  %11 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<1x2x2x128xf32>) outs(%10 : tensor<1x2x2x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x1xf32>
  %12 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x2x2x128x1xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x128xf32>
  %13 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%4, %12 : tensor<1x2x2x128x128xf32>, tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %25 = arith.subf %in, %in_5 : f32
    linalg.yield %25 : f32
  } -> tensor<1x2x2x128x128xf32>
  %14 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = math.exp %in : f32
    linalg.yield %25 : f32
  } -> tensor<1x2x2x128x128xf32>
  %extracted_4 = tensor.extract %cst_2[] : tensor<f32>
  %15 = linalg.fill ins(%extracted_4 : f32) outs(%5 : tensor<1x2x2x128xf32>) -> tensor<1x2x2x128xf32>
  %16 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<1x2x2x128x128xf32>) outs(%15 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %25 = arith.addf %out, %in : f32
    linalg.yield %25 : f32
  } -> tensor<1x2x2x128xf32>
  %17 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<1x2x2x128xf32>) outs(%10 : tensor<1x2x2x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x1xf32>
  %18 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<1x2x2x128x1xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x128xf32>
  %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%14, %18 : tensor<1x2x2x128x128xf32>, tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %in_5: f32, %out: f32):
    %25 = arith.divf %in, %in_5 : f32
    linalg.yield %25 : f32
  } -> tensor<1x2x2x128x128xf32>
  %20 = tensor.empty() : tensor<1x2x2x128x128xbf16>
  %21 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x2x2x128x128xf32>) outs(%20 : tensor<1x2x2x128x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %25 = arith.truncf %in : f32 to bf16
    linalg.yield %25 : bf16
  } -> tensor<1x2x2x128x128xbf16>
  %22 = tensor.empty() : tensor<1x128x2x2x64xbf16>
  %23 = linalg.fill ins(%cst_3 : bf16) outs(%22 : tensor<1x128x2x2x64xbf16>) -> tensor<1x128x2x2x64xbf16>
  %24 = linalg.generic {indexing_maps = [#map9, #map10, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%21, %arg2 : tensor<1x2x2x128x128xbf16>, tensor<1x128x2x64xbf16>) outs(%23 : tensor<1x128x2x2x64xbf16>) {
  ^bb0(%in: bf16, %in_5: bf16, %out: bf16):
    %25 = arith.mulf %in, %in_5 : bf16
    %26 = arith.addf %out, %25 : bf16
    linalg.yield %26 : bf16
  } -> tensor<1x128x2x2x64xbf16>
  %collapsed = tensor.collapse_shape %24 [[0], [1], [2, 3], [4]] : tensor<1x128x2x2x64xbf16> into tensor<1x128x4x64xbf16>
  return %collapsed : tensor<1x128x4x64xbf16>
}
