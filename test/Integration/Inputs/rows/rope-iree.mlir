// RoPE of halves as IREE has it: the concatenation is a chain of tensor.insert_slice, the rest one generic.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @main(%arg0: tensor<128x4x64xbf16>, %arg1: tensor<128x64xbf16>, %arg2: tensor<128x64xbf16>) -> tensor<128x4x64xbf16> {
  %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [128, 4, 32] [1, 1, 1] : tensor<128x4x64xbf16> to tensor<128x4x32xbf16>
  %extracted_slice_0 = tensor.extract_slice %arg0[0, 0, 32] [128, 4, 32] [1, 1, 1] : tensor<128x4x64xbf16> to tensor<128x4x32xbf16>
  %0 = tensor.empty() : tensor<128x4x32xbf16>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_0 : tensor<128x4x32xbf16>) outs(%0 : tensor<128x4x32xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %5 = arith.negf %in : bf16
    linalg.yield %5 : bf16
  } -> tensor<128x4x32xbf16>
  %2 = tensor.empty() : tensor<128x4x64xbf16>
  %inserted_slice = tensor.insert_slice %1 into %2[0, 0, 0] [128, 4, 32] [1, 1, 1] : tensor<128x4x32xbf16> into tensor<128x4x64xbf16>
  %inserted_slice_1 = tensor.insert_slice %extracted_slice into %inserted_slice[0, 0, 32] [128, 4, 32] [1, 1, 1] : tensor<128x4x32xbf16> into tensor<128x4x64xbf16>
  %3 = tensor.empty() : tensor<128x4x64xbf16>
  %4 = linalg.generic {indexing_maps = [#map, #map1, #map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg1, %inserted_slice_1, %arg2 : tensor<128x4x64xbf16>, tensor<128x64xbf16>, tensor<128x4x64xbf16>, tensor<128x64xbf16>) outs(%3 : tensor<128x4x64xbf16>) {
  ^bb0(%in: bf16, %in_2: bf16, %in_3: bf16, %in_4: bf16, %out: bf16):
    %5 = arith.mulf %in, %in_2 : bf16
    %6 = arith.mulf %in_3, %in_4 : bf16
    %7 = arith.addf %5, %6 : bf16
    linalg.yield %7 : bf16
  } -> tensor<128x4x64xbf16>
  return %4 : tensor<128x4x64xbf16>
}
