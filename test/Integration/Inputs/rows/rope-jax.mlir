// RoPE of halves by JAX: two halves are computed in f32 and concatenated, which stablehlo-opt makes a generic that
// reads one or the other by its index.
#map = affine_map<(d0, d1, d2) -> (d0, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, 0, d2)>
func.func @main(%arg0: tensor<128x4x64xbf16>, %arg1: tensor<128x32xf32>, %arg2: tensor<128x32xf32>) -> tensor<128x4x64xbf16> {
  %c32 = arith.constant 32 : index
  %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [128, 4, 32] [1, 1, 1] : tensor<128x4x64xbf16> to tensor<128x4x32xbf16>
  %extracted_slice_0 = tensor.extract_slice %arg0[0, 0, 32] [128, 4, 32] [1, 1, 1] : tensor<128x4x64xbf16> to tensor<128x4x32xbf16>
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
    %18 = arith.extf %in : bf16 to f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_0 : tensor<128x4x32xbf16>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %18 = arith.extf %in : bf16 to f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %3 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %5 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %9 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.subf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %11 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %3 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %5 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.mulf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %13 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11, %12 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) outs(%2 : tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_1: f32, %out: f32):
    %18 = arith.addf %in, %in_1 : f32
    linalg.yield %18 : f32
  } -> tensor<128x4x32xf32>
  %14 = tensor.empty() : tensor<128x4x64xf32>
  %15 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel", "parallel"]} outs(%14 : tensor<128x4x64xf32>) {
  ^bb0(%out: f32):
    %18 = linalg.index 0 : index
    %19 = linalg.index 1 : index
    %20 = linalg.index 2 : index
    %21 = arith.cmpi ult, %20, %c32 : index
    %22 = scf.if %21 -> (f32) {
      %extracted = tensor.extract %10[%18, %19, %20] : tensor<128x4x32xf32>
      scf.yield %extracted : f32
    } else {
      %23 = arith.subi %20, %c32 : index
      %extracted = tensor.extract %13[%18, %19, %23] : tensor<128x4x32xf32>
      scf.yield %extracted : f32
    }
    linalg.yield %22 : f32
  } -> tensor<128x4x64xf32>
  %16 = tensor.empty() : tensor<128x4x64xbf16>
  %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<128x4x64xf32>) outs(%16 : tensor<128x4x64xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %18 = arith.truncf %in : f32 to bf16
    linalg.yield %18 : bf16
  } -> tensor<128x4x64xbf16>
  return %17 : tensor<128x4x64xbf16>
}
