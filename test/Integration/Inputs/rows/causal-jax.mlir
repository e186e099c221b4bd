// Causal attention by JAX: `where(iota >= iota, scores, -1e30)`.
#map = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d1, d2, d5)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d4, d1, d5)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> ()>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, 0, 0, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3) -> ()>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, 0)>
#map12 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d2, d3, d1, d5)>
#map13 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d5, d2, d4)>
func.func @main(%arg0: tensor<1x128x4x64xbf16>, %arg1: tensor<1x128x2x64xbf16>, %arg2: tensor<1x128x2x64xbf16>) -> tensor<1x128x4x64xbf16> {
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant dense<1.250000e-01> : tensor<f32>
  %cst_1 = arith.constant dense<-1.000000e+30> : tensor<f32>
  %cst_2 = arith.constant dense<0xFF800000> : tensor<f32>
  %cst_3 = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_4 = arith.constant 0.000000e+00 : bf16
  %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3], [4]] output_shape [1, 128, 2, 2, 64] : tensor<1x128x4x64xbf16> into tensor<1x128x2x2x64xbf16>
  %0 = tensor.empty() : tensor<1x2x2x128x128xf32>
  %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x2x2x128x128xf32>) -> tensor<1x2x2x128x128xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %arg1 : tensor<1x128x2x2x64xbf16>, tensor<1x128x2x64xbf16>) outs(%1 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: bf16, %in_6: bf16, %out: f32):
    %36 = arith.extf %in : bf16 to f32
    %37 = arith.extf %in_6 : bf16 to f32
    %38 = arith.mulf %36, %37 : f32
    %39 = arith.addf %out, %38 : f32
    linalg.yield %39 : f32
  } -> tensor<1x2x2x128x128xf32>
  %3 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x128xf32>
  %4 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<1x2x2x128x128xf32>, tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %36 = arith.mulf %in, %in_6 : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128x128xf32>
  %5 = tensor.empty() : tensor<128x128xi32>
  %6 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%5 : tensor<128x128xi32>) {
  ^bb0(%out: i32):
    %36 = linalg.index 0 : index
    %37 = arith.index_cast %36 : index to i32
    linalg.yield %37 : i32
  } -> tensor<128x128xi32>
  %7 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%5 : tensor<128x128xi32>) {
  ^bb0(%out: i32):
    %36 = linalg.index 1 : index
    %37 = arith.index_cast %36 : index to i32
    linalg.yield %37 : i32
  } -> tensor<128x128xi32>
  %8 = tensor.empty() : tensor<128x128xi1>
  %9 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<128x128xi32>, tensor<128x128xi32>) outs(%8 : tensor<128x128xi1>) {
  ^bb0(%in: i32, %in_6: i32, %out: i1):
    %36 = arith.cmpi sge, %in, %in_6 : i32
    linalg.yield %36 : i1
  } -> tensor<128x128xi1>
  %10 = tensor.empty() : tensor<1x1x1x128x128xi1>
  %11 = linalg.generic {indexing_maps = [#map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<128x128xi1>) outs(%10 : tensor<1x1x1x128x128xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x1x1x128x128xi1>
  %12 = tensor.empty() : tensor<1x2x2x128x128xi1>
  %13 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1x1x128x128xi1>) outs(%12 : tensor<1x2x2x128x128xi1>) {
  ^bb0(%in: i1, %out: i1):
    linalg.yield %in : i1
  } -> tensor<1x2x2x128x128xi1>
  %14 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x128xf32>
  %15 = linalg.generic {indexing_maps = [#map4, #map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%13, %4, %14 : tensor<1x2x2x128x128xi1>, tensor<1x2x2x128x128xf32>, tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: i1, %in_6: f32, %in_7: f32, %out: f32):
    %36 = arith.select %in, %in_6, %in_7 : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128x128xf32>
  %extracted = tensor.extract %cst_2[] : tensor<f32>
  %16 = tensor.empty() : tensor<1x2x2x128xf32>
  %17 = linalg.fill ins(%extracted : f32) outs(%16 : tensor<1x2x2x128xf32>) -> tensor<1x2x2x128xf32>
  %18 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15 : tensor<1x2x2x128x128xf32>) outs(%17 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = arith.maximumf %out, %in : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128xf32>
  %19 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_2 : tensor<f32>) outs(%16 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128xf32>
  %20 = linalg.generic {indexing_maps = [#map10, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<1x2x2x128xf32>, tensor<1x2x2x128xf32>) outs(%16 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %36 = arith.maximumf %in, %in_6 : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128xf32>
  %21 = tensor.empty() : tensor<1x2x2x128x1xf32>
  %22 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%20 : tensor<1x2x2x128xf32>) outs(%21 : tensor<1x2x2x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x1xf32>
  %23 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<1x2x2x128x1xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x128xf32>
  %24 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%15, %23 : tensor<1x2x2x128x128xf32>, tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %36 = arith.subf %in, %in_6 : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128x128xf32>
  %25 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = math.exp %in : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128x128xf32>
  %extracted_5 = tensor.extract %cst_3[] : tensor<f32>
  %26 = linalg.fill ins(%extracted_5 : f32) outs(%16 : tensor<1x2x2x128xf32>) -> tensor<1x2x2x128xf32>
  %27 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%25 : tensor<1x2x2x128x128xf32>) outs(%26 : tensor<1x2x2x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %36 = arith.addf %out, %in : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128xf32>
  %28 = linalg.generic {indexing_maps = [#map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x2x2x128xf32>) outs(%21 : tensor<1x2x2x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x1xf32>
  %29 = linalg.generic {indexing_maps = [#map11, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<1x2x2x128x1xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x2x2x128x128xf32>
  %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%25, %29 : tensor<1x2x2x128x128xf32>, tensor<1x2x2x128x128xf32>) outs(%0 : tensor<1x2x2x128x128xf32>) {
  ^bb0(%in: f32, %in_6: f32, %out: f32):
    %36 = arith.divf %in, %in_6 : f32
    linalg.yield %36 : f32
  } -> tensor<1x2x2x128x128xf32>
  %31 = tensor.empty() : tensor<1x2x2x128x128xbf16>
  %32 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%30 : tensor<1x2x2x128x128xf32>) outs(%31 : tensor<1x2x2x128x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %36 = arith.truncf %in : f32 to bf16
    linalg.yield %36 : bf16
  } -> tensor<1x2x2x128x128xbf16>
  %33 = tensor.empty() : tensor<1x128x2x2x64xbf16>
  %34 = linalg.fill ins(%cst_4 : bf16) outs(%33 : tensor<1x128x2x2x64xbf16>) -> tensor<1x128x2x2x64xbf16>
  %35 = linalg.generic {indexing_maps = [#map12, #map13, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%32, %arg2 : tensor<1x2x2x128x128xbf16>, tensor<1x128x2x64xbf16>) outs(%34 : tensor<1x128x2x2x64xbf16>) {
  ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
    %36 = arith.mulf %in, %in_6 : bf16
    %37 = arith.addf %out, %36 : bf16
    linalg.yield %37 : bf16
  } -> tensor<1x128x2x2x64xbf16>
  %collapsed = tensor.collapse_shape %35 [[0], [1], [2, 3], [4]] : tensor<1x128x2x2x64xbf16> into tensor<1x128x4x64xbf16>
  return %collapsed : tensor<1x128x4x64xbf16>
}
