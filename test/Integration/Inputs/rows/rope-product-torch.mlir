// A projection to four heads and RoPE of halves behind it, by torch-mlir.
#map = affine_map<(d0, d1, d2) -> (d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
func.func @main(%arg0: tensor<1x128x256xbf16>, %arg1: tensor<256x256xbf16> {trn.param = "w"}, %arg2: tensor<1x128x64xbf16>, %arg3: tensor<1x128x64xbf16>) -> tensor<1x4x128x64xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = tensor.empty() : tensor<256x256xbf16>
  %transposed = linalg.transpose ins(%arg1 : tensor<256x256xbf16>) outs(%0 : tensor<256x256xbf16>) permutation = [1, 0]
  %1 = tensor.empty() : tensor<1x256x256xbf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<256x256xbf16>) outs(%1 : tensor<1x256x256xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x256x256xbf16>
  %3 = tensor.empty() : tensor<1x128x256xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  %5 = linalg.batch_matmul ins(%arg0, %2 : tensor<1x128x256xbf16>, tensor<1x256x256xbf16>) outs(%4 : tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  %6 = tensor.empty() : tensor<1x128x256xbf16>
  %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x128x256xf32>) outs(%6 : tensor<1x128x256xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %14 = arith.truncf %in : f32 to bf16
    linalg.yield %14 : bf16
  } -> tensor<1x128x256xbf16>
  %expanded = tensor.expand_shape %7 [[0], [1], [2, 3]] output_shape [1, 128, 4, 64] : tensor<1x128x256xbf16> into tensor<1x128x4x64xbf16>
  %8 = tensor.empty() : tensor<1x4x128x64xbf16>
  %transposed_0 = linalg.transpose ins(%expanded : tensor<1x128x4x64xbf16>) outs(%8 : tensor<1x4x128x64xbf16>) permutation = [0, 2, 1, 3]
  %expanded_1 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [1, 1, 128, 64] : tensor<1x128x64xbf16> into tensor<1x1x128x64xbf16>
  %expanded_2 = tensor.expand_shape %arg3 [[0], [1, 2], [3]] output_shape [1, 1, 128, 64] : tensor<1x128x64xbf16> into tensor<1x1x128x64xbf16>
  %9 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_0, %expanded_1 : tensor<1x4x128x64xbf16>, tensor<1x1x128x64xbf16>) outs(%8 : tensor<1x4x128x64xbf16>) {
  ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
    %14 = arith.mulf %in, %in_4 : bf16
    linalg.yield %14 : bf16
  } -> tensor<1x4x128x64xbf16>
  %extracted_slice = tensor.extract_slice %transposed_0[0, 0, 0, 0] [1, 4, 128, 32] [1, 1, 1, 1] : tensor<1x4x128x64xbf16> to tensor<1x4x128x32xbf16>
  %extracted_slice_3 = tensor.extract_slice %transposed_0[0, 0, 0, 32] [1, 4, 128, 32] [1, 1, 1, 1] : tensor<1x4x128x64xbf16> to tensor<1x4x128x32xbf16>
  %10 = tensor.empty() : tensor<1x4x128x32xbf16>
  %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_3 : tensor<1x4x128x32xbf16>) outs(%10 : tensor<1x4x128x32xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %14 = arith.negf %in : bf16
    linalg.yield %14 : bf16
  } -> tensor<1x4x128x32xbf16>
  %concat = tensor.concat dim(3) %11, %extracted_slice : (tensor<1x4x128x32xbf16>, tensor<1x4x128x32xbf16>) -> tensor<1x4x128x64xbf16>
  %12 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_2 : tensor<1x4x128x64xbf16>, tensor<1x1x128x64xbf16>) outs(%8 : tensor<1x4x128x64xbf16>) {
  ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
    %14 = arith.mulf %in, %in_4 : bf16
    linalg.yield %14 : bf16
  } -> tensor<1x4x128x64xbf16>
  %13 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %12 : tensor<1x4x128x64xbf16>, tensor<1x4x128x64xbf16>) outs(%8 : tensor<1x4x128x64xbf16>) {
  ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
    %14 = arith.addf %in, %in_4 : bf16
    linalg.yield %14 : bf16
  } -> tensor<1x4x128x64xbf16>
  return %13 : tensor<1x4x128x64xbf16>
}
