// A gate beside the query of each head, as Qwen3-Next has it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x22x80xbf16>, %arg1: tensor<192x80xbf16>, %arg2: tensor<96x80xbf16>, %arg3: tensor<96x80xbf16>, %arg4: tensor<24xbf16>, %arg5: tensor<24xbf16>, %arg6: tensor<80x96xbf16>) -> tensor<1x22x80xbf16> {
    %0 = tensor.empty() : tensor<80x192xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<192x80xbf16>) outs(%0 : tensor<80x192xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x22x80xbf16> into tensor<22x80xbf16>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<22x192xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<22x192xf32>) -> tensor<22x192xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<22x80xbf16>, tensor<80x192xbf16>) outs(%2 : tensor<22x192xf32>) -> tensor<22x192xf32>
    %4 = tensor.empty() : tensor<22x192xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<22x192xf32>) outs(%4 : tensor<22x192xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<22x192xbf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [1, 22, 192] : tensor<22x192xbf16> into tensor<1x22x192xbf16>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 22, 4, 48] : tensor<1x22x192xbf16> into tensor<1x22x4x48xbf16>
    %extracted_slice = tensor.extract_slice %expanded_0[0, 0, 0, 0] [1, 22, 4, 24] [1, 1, 1, 1] : tensor<1x22x4x48xbf16> to tensor<1x22x4x24xbf16>
    %extracted_slice_1 = tensor.extract_slice %expanded_0[0, 0, 0, 24] [1, 22, 4, 24] [1, 1, 1, 1] : tensor<1x22x4x48xbf16> to tensor<1x22x4x24xbf16>
    %collapsed_2 = tensor.collapse_shape %extracted_slice_1 [[0], [1], [2, 3]] : tensor<1x22x4x24xbf16> into tensor<1x22x96xbf16>
    %6 = tensor.empty() : tensor<1x4x22x24xbf16>
    %transposed_3 = linalg.transpose ins(%extracted_slice : tensor<1x22x4x24xbf16>) outs(%6 : tensor<1x4x22x24xbf16>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<80x96xbf16>
    %transposed_4 = linalg.transpose ins(%arg2 : tensor<96x80xbf16>) outs(%7 : tensor<80x96xbf16>) permutation = [1, 0] 
    %collapsed_5 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x22x80xbf16> into tensor<22x80xbf16>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %8 = tensor.empty() : tensor<22x96xf32>
    %9 = linalg.fill ins(%cst_6 : f32) outs(%8 : tensor<22x96xf32>) -> tensor<22x96xf32>
    %10 = linalg.matmul ins(%collapsed_5, %transposed_4 : tensor<22x80xbf16>, tensor<80x96xbf16>) outs(%9 : tensor<22x96xf32>) -> tensor<22x96xf32>
    %11 = tensor.empty() : tensor<22x96xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<22x96xf32>) outs(%11 : tensor<22x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<22x96xbf16>
    %expanded_7 = tensor.expand_shape %12 [[0, 1], [2]] output_shape [1, 22, 96] : tensor<22x96xbf16> into tensor<1x22x96xbf16>
    %expanded_8 = tensor.expand_shape %expanded_7 [[0], [1], [2, 3]] output_shape [1, 22, 4, 24] : tensor<1x22x96xbf16> into tensor<1x22x4x24xbf16>
    %13 = tensor.empty() : tensor<1x4x22x24xbf16>
    %transposed_9 = linalg.transpose ins(%expanded_8 : tensor<1x22x4x24xbf16>) outs(%13 : tensor<1x4x22x24xbf16>) permutation = [0, 2, 1, 3] 
    %14 = tensor.empty() : tensor<80x96xbf16>
    %transposed_10 = linalg.transpose ins(%arg3 : tensor<96x80xbf16>) outs(%14 : tensor<80x96xbf16>) permutation = [1, 0] 
    %collapsed_11 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x22x80xbf16> into tensor<22x80xbf16>
    %cst_12 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<22x96xf32>
    %16 = linalg.fill ins(%cst_12 : f32) outs(%15 : tensor<22x96xf32>) -> tensor<22x96xf32>
    %17 = linalg.matmul ins(%collapsed_11, %transposed_10 : tensor<22x80xbf16>, tensor<80x96xbf16>) outs(%16 : tensor<22x96xf32>) -> tensor<22x96xf32>
    %18 = tensor.empty() : tensor<22x96xbf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<22x96xf32>) outs(%18 : tensor<22x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<22x96xbf16>
    %expanded_13 = tensor.expand_shape %19 [[0, 1], [2]] output_shape [1, 22, 96] : tensor<22x96xbf16> into tensor<1x22x96xbf16>
    %expanded_14 = tensor.expand_shape %expanded_13 [[0], [1], [2, 3]] output_shape [1, 22, 4, 24] : tensor<1x22x96xbf16> into tensor<1x22x4x24xbf16>
    %20 = tensor.empty() : tensor<1x4x22x24xbf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<1x22x4x24xbf16>) outs(%20 : tensor<1x4x22x24xbf16>) permutation = [0, 2, 1, 3] 
    %21 = tensor.empty() : tensor<1x4x22x24xf32>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_3 : tensor<1x4x22x24xbf16>) outs(%21 : tensor<1x4x22x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %103 = arith.extf %in : bf16 to f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x24xf32>
    %23 = tensor.empty() : tensor<1x4x22x24xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %22 : tensor<1x4x22x24xf32>, tensor<1x4x22x24xf32>) outs(%23 : tensor<1x4x22x24xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %103 = arith.mulf %in, %in_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x24xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %25 = tensor.empty() : tensor<1x4x22x1xf32>
    %26 = linalg.fill ins(%cst_16 : f32) outs(%25 : tensor<1x4x22x1xf32>) -> tensor<1x4x22x1xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%24 : tensor<1x4x22x24xf32>) outs(%26 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %in, %out : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %28 = tensor.empty() : tensor<1x4x22x1xf32>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x22x1xf32>) outs(%28 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 2.400000e+01 : f32
      %103 = arith.divf %in, %cst_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %30 = tensor.empty() : tensor<1x4x22x1xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<1x4x22x1xf32>) outs(%30 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 9.99999997E-7 : f32
      %103 = arith.addf %in, %cst_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %32 = tensor.empty() : tensor<1x4x22x1xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x4x22x1xf32>) outs(%32 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.rsqrt %in : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %34 = tensor.empty() : tensor<1x4x22x24xf32>
    %35 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %33 : tensor<1x4x22x24xf32>, tensor<1x4x22x1xf32>) outs(%34 : tensor<1x4x22x24xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %103 = arith.mulf %in, %in_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x24xf32>
    %36 = tensor.empty() : tensor<1x4x22x24xbf16>
    %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x4x22x24xf32>) outs(%36 : tensor<1x4x22x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<1x4x22x24xbf16>
    %38 = tensor.empty() : tensor<1x4x22x24xbf16>
    %39 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %arg4 : tensor<1x4x22x24xbf16>, tensor<24xbf16>) outs(%38 : tensor<1x4x22x24xbf16>) {
    ^bb0(%in: bf16, %in_36: bf16, %out: bf16):
      %103 = arith.mulf %in, %in_36 : bf16
      linalg.yield %103 : bf16
    } -> tensor<1x4x22x24xbf16>
    %40 = tensor.empty() : tensor<1x4x22x24xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_9 : tensor<1x4x22x24xbf16>) outs(%40 : tensor<1x4x22x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %103 = arith.extf %in : bf16 to f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x24xf32>
    %42 = tensor.empty() : tensor<1x4x22x24xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %41 : tensor<1x4x22x24xf32>, tensor<1x4x22x24xf32>) outs(%42 : tensor<1x4x22x24xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %103 = arith.mulf %in, %in_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x24xf32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %44 = tensor.empty() : tensor<1x4x22x1xf32>
    %45 = linalg.fill ins(%cst_17 : f32) outs(%44 : tensor<1x4x22x1xf32>) -> tensor<1x4x22x1xf32>
    %46 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%43 : tensor<1x4x22x24xf32>) outs(%45 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %in, %out : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %47 = tensor.empty() : tensor<1x4x22x1xf32>
    %48 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<1x4x22x1xf32>) outs(%47 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 2.400000e+01 : f32
      %103 = arith.divf %in, %cst_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %49 = tensor.empty() : tensor<1x4x22x1xf32>
    %50 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48 : tensor<1x4x22x1xf32>) outs(%49 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 9.99999997E-7 : f32
      %103 = arith.addf %in, %cst_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %51 = tensor.empty() : tensor<1x4x22x1xf32>
    %52 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x4x22x1xf32>) outs(%51 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.rsqrt %in : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %53 = tensor.empty() : tensor<1x4x22x24xf32>
    %54 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %52 : tensor<1x4x22x24xf32>, tensor<1x4x22x1xf32>) outs(%53 : tensor<1x4x22x24xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %103 = arith.mulf %in, %in_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x24xf32>
    %55 = tensor.empty() : tensor<1x4x22x24xbf16>
    %56 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x4x22x24xf32>) outs(%55 : tensor<1x4x22x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<1x4x22x24xbf16>
    %57 = tensor.empty() : tensor<1x4x22x24xbf16>
    %58 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %arg5 : tensor<1x4x22x24xbf16>, tensor<24xbf16>) outs(%57 : tensor<1x4x22x24xbf16>) {
    ^bb0(%in: bf16, %in_36: bf16, %out: bf16):
      %103 = arith.mulf %in, %in_36 : bf16
      linalg.yield %103 : bf16
    } -> tensor<1x4x22x24xbf16>
    %59 = tensor.empty() : tensor<22x22xbf16>
    %60 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%59 : tensor<22x22xbf16>) {
    ^bb0(%out: bf16):
      %103 = linalg.index 0 : index
      %104 = linalg.index 1 : index
      %105 = arith.cmpi sge, %103, %104 : index
      %cst_36 = arith.constant 0.000000e+00 : bf16
      %cst_37 = arith.constant 0xFF80 : bf16
      %106 = arith.select %105, %cst_36, %cst_37 : bf16
      linalg.yield %106 : bf16
    } -> tensor<22x22xbf16>
    %expanded_18 = tensor.expand_shape %60 [[0, 1, 2], [3]] output_shape [1, 1, 22, 22] : tensor<22x22xbf16> into tensor<1x1x22x22xbf16>
    %61 = tensor.empty() : tensor<1x4x24x22xbf16>
    %transposed_19 = linalg.transpose ins(%58 : tensor<1x4x22x24xbf16>) outs(%61 : tensor<1x4x24x22xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_20 = tensor.collapse_shape %39 [[0, 1], [2], [3]] : tensor<1x4x22x24xbf16> into tensor<4x22x24xbf16>
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<1x4x24x22xbf16> into tensor<4x24x22xbf16>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %62 = tensor.empty() : tensor<4x22x22xf32>
    %63 = linalg.fill ins(%cst_22 : f32) outs(%62 : tensor<4x22x22xf32>) -> tensor<4x22x22xf32>
    %64 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<4x22x24xbf16>, tensor<4x24x22xbf16>) outs(%63 : tensor<4x22x22xf32>) -> tensor<4x22x22xf32>
    %65 = tensor.empty() : tensor<4x22x22xbf16>
    %66 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%64 : tensor<4x22x22xf32>) outs(%65 : tensor<4x22x22xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<4x22x22xbf16>
    %expanded_23 = tensor.expand_shape %66 [[0, 1], [2], [3]] output_shape [1, 4, 22, 22] : tensor<4x22x22xbf16> into tensor<1x4x22x22xbf16>
    %67 = tensor.empty() : tensor<1x4x22x22xbf16>
    %68 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x4x22x22xbf16>) outs(%67 : tensor<1x4x22x22xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_36 = arith.constant 2.041020e-01 : bf16
      %103 = arith.mulf %in, %cst_36 : bf16
      linalg.yield %103 : bf16
    } -> tensor<1x4x22x22xbf16>
    %69 = tensor.empty() : tensor<1x4x22x22xbf16>
    %70 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %expanded_18 : tensor<1x4x22x22xbf16>, tensor<1x1x22x22xbf16>) outs(%69 : tensor<1x4x22x22xbf16>) {
    ^bb0(%in: bf16, %in_36: bf16, %out: bf16):
      %103 = arith.addf %in, %in_36 : bf16
      linalg.yield %103 : bf16
    } -> tensor<1x4x22x22xbf16>
    %71 = tensor.empty() : tensor<1x4x22x22xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<1x4x22x22xbf16>) outs(%71 : tensor<1x4x22x22xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %103 = arith.extf %in : bf16 to f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x22xf32>
    %cst_24 = arith.constant 0xFF800000 : f32
    %73 = tensor.empty() : tensor<1x4x22x1xf32>
    %74 = linalg.fill ins(%cst_24 : f32) outs(%73 : tensor<1x4x22x1xf32>) -> tensor<1x4x22x1xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%72 : tensor<1x4x22x22xf32>) outs(%74 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.maximumf %in, %out : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %76 = tensor.empty() : tensor<1x4x22x22xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %75 : tensor<1x4x22x22xf32>, tensor<1x4x22x1xf32>) outs(%76 : tensor<1x4x22x22xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %103 = arith.subf %in, %in_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x22xf32>
    %78 = tensor.empty() : tensor<1x4x22x22xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77 : tensor<1x4x22x22xf32>) outs(%78 : tensor<1x4x22x22xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = math.exp %in : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x22xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %80 = tensor.empty() : tensor<1x4x22x1xf32>
    %81 = linalg.fill ins(%cst_25 : f32) outs(%80 : tensor<1x4x22x1xf32>) -> tensor<1x4x22x1xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%79 : tensor<1x4x22x22xf32>) outs(%81 : tensor<1x4x22x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %103 = arith.addf %in, %out : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x1xf32>
    %83 = tensor.empty() : tensor<1x4x22x22xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %82 : tensor<1x4x22x22xf32>, tensor<1x4x22x1xf32>) outs(%83 : tensor<1x4x22x22xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %103 = arith.divf %in, %in_36 : f32
      linalg.yield %103 : f32
    } -> tensor<1x4x22x22xf32>
    %85 = tensor.empty() : tensor<1x4x22x22xbf16>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84 : tensor<1x4x22x22xf32>) outs(%85 : tensor<1x4x22x22xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<1x4x22x22xbf16>
    %collapsed_26 = tensor.collapse_shape %86 [[0, 1], [2], [3]] : tensor<1x4x22x22xbf16> into tensor<4x22x22xbf16>
    %collapsed_27 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<1x4x22x24xbf16> into tensor<4x22x24xbf16>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %87 = tensor.empty() : tensor<4x22x24xf32>
    %88 = linalg.fill ins(%cst_28 : f32) outs(%87 : tensor<4x22x24xf32>) -> tensor<4x22x24xf32>
    %89 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<4x22x22xbf16>, tensor<4x22x24xbf16>) outs(%88 : tensor<4x22x24xf32>) -> tensor<4x22x24xf32>
    %90 = tensor.empty() : tensor<4x22x24xbf16>
    %91 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<4x22x24xf32>) outs(%90 : tensor<4x22x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<4x22x24xbf16>
    %expanded_29 = tensor.expand_shape %91 [[0, 1], [2], [3]] output_shape [1, 4, 22, 24] : tensor<4x22x24xbf16> into tensor<1x4x22x24xbf16>
    %92 = tensor.empty() : tensor<1x22x4x24xbf16>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x4x22x24xbf16>) outs(%92 : tensor<1x22x4x24xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1], [2, 3]] : tensor<1x22x4x24xbf16> into tensor<1x22x96xbf16>
    %93 = tensor.empty() : tensor<1x22x96xbf16>
    %94 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_2 : tensor<1x22x96xbf16>) outs(%93 : tensor<1x22x96xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_36 = arith.constant 1.000000e+00 : bf16
      %103 = arith.negf %in : bf16
      %104 = math.exp %103 : bf16
      %105 = arith.addf %104, %cst_36 : bf16
      %106 = arith.divf %cst_36, %105 : bf16
      linalg.yield %106 : bf16
    } -> tensor<1x22x96xbf16>
    %95 = tensor.empty() : tensor<1x22x96xbf16>
    %96 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed_31, %94 : tensor<1x22x96xbf16>, tensor<1x22x96xbf16>) outs(%95 : tensor<1x22x96xbf16>) {
    ^bb0(%in: bf16, %in_36: bf16, %out: bf16):
      %103 = arith.mulf %in, %in_36 : bf16
      linalg.yield %103 : bf16
    } -> tensor<1x22x96xbf16>
    %97 = tensor.empty() : tensor<96x80xbf16>
    %transposed_32 = linalg.transpose ins(%arg6 : tensor<80x96xbf16>) outs(%97 : tensor<96x80xbf16>) permutation = [1, 0] 
    %collapsed_33 = tensor.collapse_shape %96 [[0, 1], [2]] : tensor<1x22x96xbf16> into tensor<22x96xbf16>
    %cst_34 = arith.constant 0.000000e+00 : f32
    %98 = tensor.empty() : tensor<22x80xf32>
    %99 = linalg.fill ins(%cst_34 : f32) outs(%98 : tensor<22x80xf32>) -> tensor<22x80xf32>
    %100 = linalg.matmul ins(%collapsed_33, %transposed_32 : tensor<22x96xbf16>, tensor<96x80xbf16>) outs(%99 : tensor<22x80xf32>) -> tensor<22x80xf32>
    %101 = tensor.empty() : tensor<22x80xbf16>
    %102 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<22x80xf32>) outs(%101 : tensor<22x80xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %103 = arith.truncf %in : f32 to bf16
      linalg.yield %103 : bf16
    } -> tensor<22x80xbf16>
    %expanded_35 = tensor.expand_shape %102 [[0, 1], [2]] output_shape [1, 22, 80] : tensor<22x80xbf16> into tensor<1x22x80xbf16>
    return %expanded_35 : tensor<1x22x80xbf16>
  }
}

