// RoPE of neighbours by JAX: even and odd elements by slices with steps, stacked and reshaped.
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
func.func @main(%arg0: tensor<128x4x64xbf16>, %arg1: tensor<128x32xf32>, %arg2: tensor<128x32xf32>) -> tensor<128x4x64xbf16> {
  %c1 = arith.constant 1 : index
  %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [128, 4, 32] [1, 1, 2] : tensor<128x4x64xbf16> to tensor<128x4x32xbf16>
  %extracted_slice_0 = tensor.extract_slice %arg0[0, 0, 1] [128, 4, 32] [1, 1, 2] : tensor<128x4x64xbf16> to tensor<128x4x32xbf16>
  %0 = tensor.empty() : tensor<128x1x32xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<128x32xf32>) outs(%0 : tensor<128x1x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1x32xf32>
  %2 = tensor.empty() : tensor<128x4x32xf32>
  %3 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<128x1x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x4x32xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<128x32xf32>) outs(%0 : tensor<128x1x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1x32xf32>
  %5 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<128x1x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x4x32xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<128x4x32xbf16>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %21 = arith.extf %in : bf16 to f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_0 : tensor<128x4x32xbf16>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %21 = arith.extf %in : bf16 to f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %3 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %5 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.subf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %3 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %5 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.mulf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %21 = arith.addf %in, %in_1 : f32
    linalg.yield %21 : f32
  } -> tensor<128x4x32xf32>
  %14 = tensor.empty() : tensor<128x4x32x1xf32>
  %15 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10 : tensor<128x4x32xf32>) outs(%14 : tensor<128x4x32x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x4x32x1xf32>
  %16 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<128x4x32xf32>) outs(%14 : tensor<128x4x32x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x4x32x1xf32>
  %17 = tensor.empty() : tensor<128x4x32x2xf32>
  %18 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%17 : tensor<128x4x32x2xf32>) {
  ^bb0(%out: f32):
    %21 = linalg.index 0 : index
    %22 = linalg.index 1 : index
    %23 = linalg.index 2 : index
    %24 = linalg.index 3 : index
    %25 = arith.cmpi ult, %24, %c1 : index
    %26 = scf.if %25 -> (f32) {
      %extracted = tensor.extract %15[%21, %22, %23, %24] : tensor<128x4x32x1xf32>
      scf.yield %extracted : f32
    } else {
      %27 = arith.subi %24, %c1 : index
      %extracted = tensor.extract %16[%21, %22, %23, %27] : tensor<128x4x32x1xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %26 : f32
  } -> tensor<128x4x32x2xf32>
  %collapsed = tensor.collapse_shape %18 [[0], [1], [2, 3]] : tensor<128x4x32x2xf32> into tensor<128x4x64xf32>
  %19 = tensor.empty() : tensor<128x4x64xbf16>
  %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<128x4x64xf32>) outs(%19 : tensor<128x4x64xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %21 = arith.truncf %in : f32 to bf16
    linalg.yield %21 : bf16
  } -> tensor<128x4x64xbf16>
  return %20 : tensor<128x4x64xbf16>
}
