// Partial RoPE by torch-mlir: the first half of each head's elements turns, the rest passes (Phi, GPT-NeoX).
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, d3)>
func.func @main(%arg0: tensor<1x128x256xbf16>, %arg1: tensor<1x128x32xbf16>, %arg2: tensor<1x128x32xbf16>) -> tensor<1x4x128x64xbf16> {
  %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [1, 128, 4, 64] : tensor<1x128x256xbf16> into tensor<1x128x4x64xbf16>
  %0 = tensor.empty() : tensor<1x4x128x64xbf16>
  %transposed = linalg.transpose ins(%expanded : tensor<1x128x4x64xbf16>) outs(%0 : tensor<1x4x128x64xbf16>) permutation = [0, 2, 1, 3]
  %extracted_slice = tensor.extract_slice %transposed[0, 0, 0, 0] [1, 4, 128, 32] [1, 1, 1, 1] : tensor<1x4x128x64xbf16> to tensor<1x4x128x32xbf16>
  %extracted_slice_0 = tensor.extract_slice %transposed[0, 0, 0, 32] [1, 4, 128, 32] [1, 1, 1, 1] : tensor<1x4x128x64xbf16> to tensor<1x4x128x32xbf16>
  %expanded_1 = tensor.expand_shape %arg1 [[0], [1, 2], [3]] output_shape [1, 1, 128, 32] : tensor<1x128x32xbf16> into tensor<1x1x128x32xbf16>
  %expanded_2 = tensor.expand_shape %arg2 [[0], [1, 2], [3]] output_shape [1, 1, 128, 32] : tensor<1x128x32xbf16> into tensor<1x1x128x32xbf16>
  %1 = tensor.empty() : tensor<1x4x128x32xbf16>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %expanded_1 : tensor<1x4x128x32xbf16>, tensor<1x1x128x32xbf16>) outs(%1 : tensor<1x4x128x32xbf16>) {
  ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
    %7 = arith.mulf %in, %in_6 : bf16
    linalg.yield %7 : bf16
  } -> tensor<1x4x128x32xbf16>
  %extracted_slice_3 = tensor.extract_slice %extracted_slice[0, 0, 0, 0] [1, 4, 128, 16] [1, 1, 1, 1] : tensor<1x4x128x32xbf16> to tensor<1x4x128x16xbf16>
  %extracted_slice_4 = tensor.extract_slice %extracted_slice[0, 0, 0, 16] [1, 4, 128, 16] [1, 1, 1, 1] : tensor<1x4x128x32xbf16> to tensor<1x4x128x16xbf16>
  %3 = tensor.empty() : tensor<1x4x128x16xbf16>
  %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_4 : tensor<1x4x128x16xbf16>) outs(%3 : tensor<1x4x128x16xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %7 = arith.negf %in : bf16
    linalg.yield %7 : bf16
  } -> tensor<1x4x128x16xbf16>
  %concat = tensor.concat dim(3) %4, %extracted_slice_3 : (tensor<1x4x128x16xbf16>, tensor<1x4x128x16xbf16>) -> tensor<1x4x128x32xbf16>
  %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %expanded_2 : tensor<1x4x128x32xbf16>, tensor<1x1x128x32xbf16>) outs(%1 : tensor<1x4x128x32xbf16>) {
  ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
    %7 = arith.mulf %in, %in_6 : bf16
    linalg.yield %7 : bf16
  } -> tensor<1x4x128x32xbf16>
  %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %5 : tensor<1x4x128x32xbf16>, tensor<1x4x128x32xbf16>) outs(%1 : tensor<1x4x128x32xbf16>) {
  ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
    %7 = arith.addf %in, %in_6 : bf16
    linalg.yield %7 : bf16
  } -> tensor<1x4x128x32xbf16>
  %concat_5 = tensor.concat dim(3) %6, %extracted_slice_0 : (tensor<1x4x128x32xbf16>, tensor<1x4x128x32xbf16>) -> tensor<1x4x128x64xbf16>
  return %concat_5 : tensor<1x4x128x64xbf16>
}
