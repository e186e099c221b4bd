// A cache and a new row put together by insertions into an empty tensor, as torch-mlir does it for torch.cat, behind weights in two factors: attention reads both where they are.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d2, d0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d1, d3, d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d1, d0, d3)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1, d0)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map10 = affine_map<(d0, d1, d2) -> (d2, d1)>
#map11 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map14 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map15 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map16 = affine_map<(d0, d1, d2) -> (d1, d0)>
#map17 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map18 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map19 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map20 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map21 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map22 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
#map23 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map24 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1)>
#map25 = affine_map<(d0, d1, d2, d3) -> (d3, d1)>
#map26 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map27 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1)>
#map28 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d3)>
module {
  func.func @main(%arg0: tensor<1x1x96xf32>, %arg1: tensor<1x2x70x24xf32>, %arg2: tensor<1x2x70x24xf32>, %arg3: tensor<1x1x1x24xf32>, %arg4: tensor<1x1x1x24xf32>, %arg5: tensor<96xf32>, %arg6: tensor<20x96xf32>, %arg7: tensor<96x20xf32>, %arg8: tensor<20x96xf32>, %arg9: tensor<48x20xf32>, %arg10: tensor<20x96xf32>, %arg11: tensor<48x20xf32>, %arg12: tensor<20x96xf32>, %arg13: tensor<96x20xf32>, %arg14: tensor<96xf32>, %arg15: tensor<20x96xf32>, %arg16: tensor<160x20xf32>, %arg17: tensor<20x96xf32>, %arg18: tensor<160x20xf32>, %arg19: tensor<20x160xf32>, %arg20: tensor<96x20xf32>) -> (tensor<1x1x96xf32>, tensor<1x2x71x24xf32>, tensor<1x2x71x24xf32>) {
    %0 = tensor.empty() : tensor<1x1x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x1x96xf32>, tensor<1x1x96xf32>) outs(%0 : tensor<1x1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x96xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<1x1xf32>
    %reduced = linalg.reduce { arith.addf } ins(%1 : tensor<1x1x96xf32>) outs(%cst : tensor<1x1xf32>) dimensions = [2] 
    %expanded = tensor.expand_shape %reduced [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
    %2 = tensor.empty() : tensor<1x1x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x1x1xf32>) outs(%2 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_76 = arith.constant 0.010416667 : f32
      %111 = arith.mulf %in, %cst_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x1xf32>
    %4 = tensor.empty() : tensor<1x1x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x1x1xf32>) outs(%4 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_76 = arith.constant 9.99999997E-7 : f32
      %111 = arith.addf %in, %cst_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x1xf32>
    %6 = tensor.empty() : tensor<1x1x1xf32>
    %7 = linalg.rsqrt ins(%5 : tensor<1x1x1xf32>) outs(%6 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %collapsed = tensor.collapse_shape %7 [[0], [1, 2]] : tensor<1x1x1xf32> into tensor<1x1xf32>
    %8 = tensor.empty() : tensor<1x1x96xf32>
    %broadcasted = linalg.broadcast ins(%collapsed : tensor<1x1xf32>) outs(%8 : tensor<1x1x96xf32>) dimensions = [2] 
    %9 = tensor.empty() : tensor<1x1x96xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %broadcasted : tensor<1x1x96xf32>, tensor<1x1x96xf32>) outs(%9 : tensor<1x1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x96xf32>
    %expanded_0 = tensor.expand_shape %arg5 [[0, 1, 2]] output_shape [1, 1, 96] : tensor<96xf32> into tensor<1x1x96xf32>
    %11 = tensor.empty() : tensor<1x1x96xf32>
    %broadcasted_1 = linalg.broadcast ins(%expanded_0 : tensor<1x1x96xf32>) outs(%11 : tensor<1x1x96xf32>) dimensions = [] 
    %12 = tensor.empty() : tensor<1x1x96xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %broadcasted_1 : tensor<1x1x96xf32>, tensor<1x1x96xf32>) outs(%12 : tensor<1x1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x96xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %splat = tensor.splat %cst_2 : tensor<1x1x20xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["reduction", "parallel", "parallel", "parallel"]} ins(%13, %arg6 : tensor<1x1x96xf32>, tensor<20x96xf32>) outs(%splat : tensor<1x1x20xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %out, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1x1x20xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %splat_4 = tensor.splat %cst_3 : tensor<1x1x96xf32>
    %15 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%14, %arg7 : tensor<1x1x20xf32>, tensor<96x20xf32>) outs(%splat_4 : tensor<1x1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %out, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1x1x96xf32>
    %expanded_5 = tensor.expand_shape %15 [[0], [1], [2, 3]] output_shape [1, 1, 4, 24] : tensor<1x1x96xf32> into tensor<1x1x4x24xf32>
    %16 = tensor.empty() : tensor<1x4x1x24xf32>
    %transposed = linalg.transpose ins(%expanded_5 : tensor<1x1x4x24xf32>) outs(%16 : tensor<1x4x1x24xf32>) permutation = [0, 2, 1, 3] 
    %17 = tensor.empty() : tensor<96x20xf32>
    %18 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg8 : tensor<20x96xf32>) outs(%17 : tensor<96x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<96x20xf32>
    %collapsed_6 = tensor.collapse_shape %13 [[0], [1, 2]] : tensor<1x1x96xf32> into tensor<1x96xf32>
    %cst_7 = arith.constant 0.000000e+00 : f32
    %19 = tensor.empty() : tensor<1x20xf32>
    %20 = linalg.fill ins(%cst_7 : f32) outs(%19 : tensor<1x20xf32>) -> tensor<1x20xf32>
    %21 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_6, %18 : tensor<1x96xf32>, tensor<96x20xf32>) outs(%20 : tensor<1x20xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %111, %out : f32
      linalg.yield %112 : f32
    } -> tensor<1x20xf32>
    %expanded_8 = tensor.expand_shape %21 [[0], [1, 2]] output_shape [1, 1, 20] : tensor<1x20xf32> into tensor<1x1x20xf32>
    %22 = tensor.empty() : tensor<20x48xf32>
    %23 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg9 : tensor<48x20xf32>) outs(%22 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x48xf32>
    %collapsed_9 = tensor.collapse_shape %expanded_8 [[0], [1, 2]] : tensor<1x1x20xf32> into tensor<1x20xf32>
    %cst_10 = arith.constant dense<0.000000e+00> : tensor<1x48xf32>
    %24 = linalg.contract indexing_maps = [#map9, #map10, #map11] ins(%collapsed_9, %23 : tensor<1x20xf32>, tensor<20x48xf32>) outs(%cst_10 : tensor<1x48xf32>) -> tensor<1x48xf32>
    %expanded_11 = tensor.expand_shape %24 [[0], [1, 2]] output_shape [1, 1, 48] : tensor<1x48xf32> into tensor<1x1x48xf32>
    %expanded_12 = tensor.expand_shape %expanded_11 [[0], [1], [2, 3]] output_shape [1, 1, 2, 24] : tensor<1x1x48xf32> into tensor<1x1x2x24xf32>
    %25 = tensor.empty() : tensor<1x2x1x24xf32>
    %26 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x1x2x24xf32>) outs(%25 : tensor<1x2x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x24xf32>
    %27 = tensor.empty() : tensor<96x20xf32>
    %28 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg10 : tensor<20x96xf32>) outs(%27 : tensor<96x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<96x20xf32>
    %collapsed_13 = tensor.collapse_shape %13 [[0], [1, 2]] : tensor<1x1x96xf32> into tensor<1x96xf32>
    %cst_14 = arith.constant dense<0.000000e+00> : tensor<1x20xf32>
    %29 = linalg.generic {indexing_maps = [#map11, #map14, #map9], iterator_types = ["parallel", "reduction", "parallel"]} ins(%collapsed_13, %28 : tensor<1x96xf32>, tensor<96x20xf32>) outs(%cst_14 : tensor<1x20xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %out, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1x20xf32>
    %expanded_15 = tensor.expand_shape %29 [[0], [1, 2]] output_shape [1, 1, 20] : tensor<1x20xf32> into tensor<1x1x20xf32>
    %30 = tensor.empty() : tensor<20x48xf32>
    %31 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg11 : tensor<48x20xf32>) outs(%30 : tensor<20x48xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x48xf32>
    %collapsed_16 = tensor.collapse_shape %expanded_15 [[0], [1, 2]] : tensor<1x1x20xf32> into tensor<1x20xf32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %32 = tensor.empty() : tensor<1x48xf32>
    %33 = linalg.fill ins(%cst_17 : f32) outs(%32 : tensor<1x48xf32>) -> tensor<1x48xf32>
    %34 = linalg.generic {indexing_maps = [#map14, #map15, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_16, %31 : tensor<1x20xf32>, tensor<20x48xf32>) outs(%33 : tensor<1x48xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %out, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1x48xf32>
    %expanded_18 = tensor.expand_shape %34 [[0], [1, 2]] output_shape [1, 1, 48] : tensor<1x48xf32> into tensor<1x1x48xf32>
    %expanded_19 = tensor.expand_shape %expanded_18 [[0], [1], [2, 3]] output_shape [1, 1, 2, 24] : tensor<1x1x48xf32> into tensor<1x1x2x24xf32>
    %35 = tensor.empty() : tensor<1x2x1x24xf32>
    %36 = linalg.generic {indexing_maps = [#map13, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x1x2x24xf32>) outs(%35 : tensor<1x2x1x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x24xf32>
    %extracted_slice = tensor.extract_slice %26[0, 0, 0, 0] [1, 2, 1, 12] [1, 1, 1, 1] : tensor<1x2x1x24xf32> to tensor<1x2x1x12xf32>
    %extracted_slice_20 = tensor.extract_slice %26[0, 0, 0, 12] [1, 2, 1, 12] [1, 1, 1, 1] : tensor<1x2x1x24xf32> to tensor<1x2x1x12xf32>
    %collapsed_21 = tensor.collapse_shape %arg3 [[0], [1], [2, 3]] : tensor<1x1x1x24xf32> into tensor<1x1x24xf32>
    %37 = tensor.empty() : tensor<1x2x1x24xf32>
    %broadcasted_22 = linalg.broadcast ins(%collapsed_21 : tensor<1x1x24xf32>) outs(%37 : tensor<1x2x1x24xf32>) dimensions = [1] 
    %38 = tensor.empty() : tensor<1x2x1x24xf32>
    %39 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %broadcasted_22 : tensor<1x2x1x24xf32>, tensor<1x2x1x24xf32>) outs(%38 : tensor<1x2x1x24xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x2x1x24xf32>
    %40 = tensor.empty() : tensor<1x2x1x12xf32>
    %41 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_20 : tensor<1x2x1x12xf32>) outs(%40 : tensor<1x2x1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.negf %in : f32
      linalg.yield %111 : f32
    } -> tensor<1x2x1x12xf32>
    %concat = tensor.concat dim(3) %41, %extracted_slice : (tensor<1x2x1x12xf32>, tensor<1x2x1x12xf32>) -> tensor<1x2x1x24xf32>
    %42 = tensor.empty() : tensor<1x2x1x24xf32>
    %43 = linalg.generic {indexing_maps = [#map12, #map17, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg4 : tensor<1x2x1x24xf32>, tensor<1x1x1x24xf32>) outs(%42 : tensor<1x2x1x24xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x2x1x24xf32>
    %44 = tensor.empty() : tensor<1x2x1x24xf32>
    %mapped = linalg.map { arith.addf } ins(%39, %43 : tensor<1x2x1x24xf32>, tensor<1x2x1x24xf32>) outs(%44 : tensor<1x2x1x24xf32>)
    %45 = tensor.empty() : tensor<1x2x71x24xf32>
    %inserted_slice = tensor.insert_slice %arg1 into %45[0, 0, 0, 0] [1, 2, 70, 24] [1, 1, 1, 1] : tensor<1x2x70x24xf32> into tensor<1x2x71x24xf32>
    %inserted_slice_23 = tensor.insert_slice %mapped into %inserted_slice[0, 0, 70, 0] [1, 2, 1, 24] [1, 1, 1, 1] : tensor<1x2x1x24xf32> into tensor<1x2x71x24xf32>
    %46 = tensor.empty() : tensor<1x2x71x24xf32>
    %inserted_slice_24 = tensor.insert_slice %arg2 into %46[0, 0, 0, 0] [1, 2, 70, 24] [1, 1, 1, 1] : tensor<1x2x70x24xf32> into tensor<1x2x71x24xf32>
    %inserted_slice_25 = tensor.insert_slice %36 into %inserted_slice_24[0, 0, 70, 0] [1, 2, 1, 24] [1, 1, 1, 1] : tensor<1x2x1x24xf32> into tensor<1x2x71x24xf32>
    %extracted_slice_26 = tensor.extract_slice %transposed[0, 0, 0, 0] [1, 4, 1, 12] [1, 1, 1, 1] : tensor<1x4x1x24xf32> to tensor<1x4x1x12xf32>
    %extracted_slice_27 = tensor.extract_slice %transposed[0, 0, 0, 12] [1, 4, 1, 12] [1, 1, 1, 1] : tensor<1x4x1x24xf32> to tensor<1x4x1x12xf32>
    %collapsed_28 = tensor.collapse_shape %arg3 [[0], [1], [2, 3]] : tensor<1x1x1x24xf32> into tensor<1x1x24xf32>
    %47 = tensor.empty() : tensor<1x4x1x24xf32>
    %broadcasted_29 = linalg.broadcast ins(%collapsed_28 : tensor<1x1x24xf32>) outs(%47 : tensor<1x4x1x24xf32>) dimensions = [1] 
    %48 = tensor.empty() : tensor<1x4x1x24xf32>
    %49 = linalg.generic {indexing_maps = [#map12, #map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed, %broadcasted_29 : tensor<1x4x1x24xf32>, tensor<1x4x1x24xf32>) outs(%48 : tensor<1x4x1x24xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x4x1x24xf32>
    %50 = tensor.empty() : tensor<1x4x1x12xf32>
    %51 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_27 : tensor<1x4x1x12xf32>) outs(%50 : tensor<1x4x1x12xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.negf %in : f32
      linalg.yield %111 : f32
    } -> tensor<1x4x1x12xf32>
    %52 = tensor.empty() : tensor<1x4x1x24xf32>
    %inserted_slice_30 = tensor.insert_slice %51 into %52[0, 0, 0, 0] [1, 4, 1, 12] [1, 1, 1, 1] : tensor<1x4x1x12xf32> into tensor<1x4x1x24xf32>
    %inserted_slice_31 = tensor.insert_slice %extracted_slice_26 into %inserted_slice_30[0, 0, 0, 12] [1, 4, 1, 12] [1, 1, 1, 1] : tensor<1x4x1x12xf32> into tensor<1x4x1x24xf32>
    %53 = tensor.empty() : tensor<1x4x1x24xf32>
    %54 = linalg.generic {indexing_maps = [#map12, #map17, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_31, %arg4 : tensor<1x4x1x24xf32>, tensor<1x1x1x24xf32>) outs(%53 : tensor<1x4x1x24xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x4x1x24xf32>
    %55 = tensor.empty() : tensor<1x4x1x24xf32>
    %56 = linalg.add ins(%49, %54 : tensor<1x4x1x24xf32>, tensor<1x4x1x24xf32>) outs(%55 : tensor<1x4x1x24xf32>) -> tensor<1x4x1x24xf32>
    %expanded_32 = tensor.expand_shape %inserted_slice_23 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 71, 24] : tensor<1x2x71x24xf32> into tensor<1x2x1x71x24xf32>
    %57 = tensor.empty() : tensor<1x2x2x71x24xf32>
    %58 = linalg.generic {indexing_maps = [#map18, #map19], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_32 : tensor<1x2x1x71x24xf32>) outs(%57 : tensor<1x2x2x71x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x71x24xf32>
    %collapsed_33 = tensor.collapse_shape %58 [[0], [1, 2], [3], [4]] : tensor<1x2x2x71x24xf32> into tensor<1x4x71x24xf32>
    %expanded_34 = tensor.expand_shape %inserted_slice_25 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 71, 24] : tensor<1x2x71x24xf32> into tensor<1x2x1x71x24xf32>
    %59 = tensor.empty() : tensor<1x2x2x71x24xf32>
    %60 = linalg.generic {indexing_maps = [#map18, #map19], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_34 : tensor<1x2x1x71x24xf32>) outs(%59 : tensor<1x2x2x71x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x71x24xf32>
    %collapsed_35 = tensor.collapse_shape %60 [[0], [1, 2], [3], [4]] : tensor<1x2x2x71x24xf32> into tensor<1x4x71x24xf32>
    %61 = tensor.empty() : tensor<1x4x24x71xf32>
    %62 = linalg.generic {indexing_maps = [#map20, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_33 : tensor<1x4x71x24xf32>) outs(%61 : tensor<1x4x24x71xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x24x71xf32>
    %collapsed_36 = tensor.collapse_shape %56 [[0, 1], [2], [3]] : tensor<1x4x1x24xf32> into tensor<4x1x24xf32>
    %collapsed_37 = tensor.collapse_shape %62 [[0, 1], [2], [3]] : tensor<1x4x24x71xf32> into tensor<4x24x71xf32>
    %cst_38 = arith.constant dense<0.000000e+00> : tensor<4x1x71xf32>
    %63 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<4x1x24xf32>, tensor<4x24x71xf32>) outs(%cst_38 : tensor<4x1x71xf32>) -> tensor<4x1x71xf32>
    %expanded_39 = tensor.expand_shape %63 [[0, 1], [2], [3]] output_shape [1, 4, 1, 71] : tensor<4x1x71xf32> into tensor<1x4x1x71xf32>
    %64 = tensor.empty() : tensor<1x4x1x71xf32>
    %65 = linalg.generic {indexing_maps = [#map12, #map12], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x4x1x71xf32>) outs(%64 : tensor<1x4x1x71xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_76 = arith.constant 0.204124153 : f32
      %111 = arith.mulf %in, %cst_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x4x1x71xf32>
    %66 = tensor.empty() : tensor<1x4x1x71xf32>
    %67 = linalg.softmax dimension(3) ins(%65 : tensor<1x4x1x71xf32>) outs(%66 : tensor<1x4x1x71xf32>) -> tensor<1x4x1x71xf32>
    %collapsed_40 = tensor.collapse_shape %67 [[0, 1], [2], [3]] : tensor<1x4x1x71xf32> into tensor<4x1x71xf32>
    %collapsed_41 = tensor.collapse_shape %collapsed_35 [[0, 1], [2], [3]] : tensor<1x4x71x24xf32> into tensor<4x71x24xf32>
    %cst_42 = arith.constant 0.000000e+00 : f32
    %splat_43 = tensor.splat %cst_42 : tensor<4x1x24xf32>
    %68 = linalg.generic {indexing_maps = [#map21, #map22, #map23], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%collapsed_40, %collapsed_41 : tensor<4x1x71xf32>, tensor<4x71x24xf32>) outs(%splat_43 : tensor<4x1x24xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %out, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<4x1x24xf32>
    %expanded_44 = tensor.expand_shape %68 [[0, 1], [2], [3]] output_shape [1, 4, 1, 24] : tensor<4x1x24xf32> into tensor<1x4x1x24xf32>
    %69 = tensor.empty() : tensor<1x1x4x24xf32>
    %70 = linalg.generic {indexing_maps = [#map12, #map13], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_44 : tensor<1x4x1x24xf32>) outs(%69 : tensor<1x1x4x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x4x24xf32>
    %collapsed_45 = tensor.collapse_shape %70 [[0], [1], [2, 3]] : tensor<1x1x4x24xf32> into tensor<1x1x96xf32>
    %cst_46 = arith.constant dense<0.000000e+00> : tensor<1x1x20xf32>
    %71 = linalg.generic {indexing_maps = [#map24, #map25, #map22], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%collapsed_45, %arg12 : tensor<1x1x96xf32>, tensor<20x96xf32>) outs(%cst_46 : tensor<1x1x20xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %out, %111 : f32
      linalg.yield %112 : f32
    } -> tensor<1x1x20xf32>
    %72 = tensor.empty() : tensor<20x96xf32>
    %73 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg13 : tensor<96x20xf32>) outs(%72 : tensor<20x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x96xf32>
    %collapsed_47 = tensor.collapse_shape %71 [[0], [1, 2]] : tensor<1x1x20xf32> into tensor<1x20xf32>
    %cst_48 = arith.constant dense<0.000000e+00> : tensor<1x96xf32>
    %74 = linalg.contract indexing_maps = [#map9, #map10, #map11] ins(%collapsed_47, %73 : tensor<1x20xf32>, tensor<20x96xf32>) outs(%cst_48 : tensor<1x96xf32>) -> tensor<1x96xf32>
    %expanded_49 = tensor.expand_shape %74 [[0], [1, 2]] output_shape [1, 1, 96] : tensor<1x96xf32> into tensor<1x1x96xf32>
    %75 = tensor.empty() : tensor<1x1x96xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_49 : tensor<1x1x96xf32>, tensor<1x1x96xf32>) outs(%75 : tensor<1x1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.addf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x96xf32>
    %77 = arith.mulf %76, %76 : tensor<1x1x96xf32>
    %cst_50 = arith.constant 0.000000e+00 : f32
    %splat_51 = tensor.splat %cst_50 : tensor<1x1x1xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map26], iterator_types = ["parallel", "parallel", "reduction"]} ins(%77 : tensor<1x1x96xf32>) outs(%splat_51 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %111 = arith.addf %in, %out : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x1xf32>
    %79 = tensor.empty() : tensor<1x1x1xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%78 : tensor<1x1x1xf32>) outs(%79 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_76 = arith.constant 0.010416667 : f32
      %111 = arith.mulf %in, %cst_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x1xf32>
    %cst_52 = arith.constant dense<9.99999997E-7> : tensor<1x1x1xf32>
    %81 = tensor.empty() : tensor<1x1x1xf32>
    %82 = linalg.add ins(%80, %cst_52 : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%81 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %83 = math.rsqrt %82 : tensor<1x1x1xf32>
    %84 = tensor.empty() : tensor<1x1x96xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map26, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%76, %83 : tensor<1x1x96xf32>, tensor<1x1x1xf32>) outs(%84 : tensor<1x1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x96xf32>
    %expanded_53 = tensor.expand_shape %arg14 [[0, 1, 2]] output_shape [1, 1, 96] : tensor<96xf32> into tensor<1x1x96xf32>
    %86 = tensor.empty() : tensor<1x1x96xf32>
    %broadcasted_54 = linalg.broadcast ins(%expanded_53 : tensor<1x1x96xf32>) outs(%86 : tensor<1x1x96xf32>) dimensions = [] 
    %87 = tensor.empty() : tensor<1x1x96xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %broadcasted_54 : tensor<1x1x96xf32>, tensor<1x1x96xf32>) outs(%87 : tensor<1x1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      linalg.yield %111 : f32
    } -> tensor<1x1x96xf32>
    %89 = tensor.empty() : tensor<96x20xf32>
    %transposed_55 = linalg.transpose ins(%arg15 : tensor<20x96xf32>) outs(%89 : tensor<96x20xf32>) permutation = [1, 0] 
    %collapsed_56 = tensor.collapse_shape %88 [[0], [1, 2]] : tensor<1x1x96xf32> into tensor<1x96xf32>
    %cst_57 = arith.constant dense<0.000000e+00> : tensor<1x20xf32>
    %90 = linalg.generic {indexing_maps = [#map14, #map15, #map16], iterator_types = ["parallel", "parallel", "reduction"]} ins(%collapsed_56, %transposed_55 : tensor<1x96xf32>, tensor<96x20xf32>) outs(%cst_57 : tensor<1x20xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %111, %out : f32
      linalg.yield %112 : f32
    } -> tensor<1x20xf32>
    %expanded_58 = tensor.expand_shape %90 [[0], [1, 2]] output_shape [1, 1, 20] : tensor<1x20xf32> into tensor<1x1x20xf32>
    %91 = tensor.empty() : tensor<20x160xf32>
    %transposed_59 = linalg.transpose ins(%arg16 : tensor<160x20xf32>) outs(%91 : tensor<20x160xf32>) permutation = [1, 0] 
    %collapsed_60 = tensor.collapse_shape %expanded_58 [[0], [1, 2]] : tensor<1x1x20xf32> into tensor<1x20xf32>
    %cst_61 = arith.constant dense<0.000000e+00> : tensor<1x160xf32>
    %92 = linalg.generic {indexing_maps = [#map15, #map11, #map10], iterator_types = ["reduction", "parallel", "parallel"]} ins(%collapsed_60, %transposed_59 : tensor<1x20xf32>, tensor<20x160xf32>) outs(%cst_61 : tensor<1x160xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %111, %out : f32
      linalg.yield %112 : f32
    } -> tensor<1x160xf32>
    %expanded_62 = tensor.expand_shape %92 [[0], [1, 2]] output_shape [1, 1, 160] : tensor<1x160xf32> into tensor<1x1x160xf32>
    %93 = tensor.empty() : tensor<1x1x160xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_62 : tensor<1x1x160xf32>) outs(%93 : tensor<1x1x160xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_76 = arith.constant 1.000000e+00 : f32
      %111 = arith.negf %in : f32
      %112 = math.exp %111 : f32
      %113 = arith.addf %112, %cst_76 : f32
      %114 = arith.divf %cst_76, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x1x160xf32>
    %95 = tensor.empty() : tensor<1x1x160xf32>
    %96 = linalg.mul ins(%94, %expanded_62 : tensor<1x1x160xf32>, tensor<1x1x160xf32>) outs(%95 : tensor<1x1x160xf32>) -> tensor<1x1x160xf32>
    %97 = tensor.empty() : tensor<96x20xf32>
    %98 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg17 : tensor<20x96xf32>) outs(%97 : tensor<96x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<96x20xf32>
    %collapsed_63 = tensor.collapse_shape %88 [[0], [1, 2]] : tensor<1x1x96xf32> into tensor<1x96xf32>
    %cst_64 = arith.constant dense<0.000000e+00> : tensor<1x20xf32>
    %99 = linalg.matmul ins(%collapsed_63, %98 : tensor<1x96xf32>, tensor<96x20xf32>) outs(%cst_64 : tensor<1x20xf32>) -> tensor<1x20xf32>
    %expanded_65 = tensor.expand_shape %99 [[0], [1, 2]] output_shape [1, 1, 20] : tensor<1x20xf32> into tensor<1x1x20xf32>
    %cst_66 = arith.constant dense<0.000000e+00> : tensor<1x1x160xf32>
    %100 = linalg.contract indexing_maps = [#map27, #map25, #map28] ins(%expanded_65, %arg18 : tensor<1x1x20xf32>, tensor<160x20xf32>) outs(%cst_66 : tensor<1x1x160xf32>) -> tensor<1x1x160xf32>
    %101 = tensor.empty() : tensor<1x1x160xf32>
    %mapped_67 = linalg.map { arith.mulf } ins(%96, %100 : tensor<1x1x160xf32>, tensor<1x1x160xf32>) outs(%101 : tensor<1x1x160xf32>)
    %102 = tensor.empty() : tensor<160x20xf32>
    %103 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel"]} ins(%arg19 : tensor<20x160xf32>) outs(%102 : tensor<160x20xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<160x20xf32>
    %collapsed_68 = tensor.collapse_shape %mapped_67 [[0], [1, 2]] : tensor<1x1x160xf32> into tensor<1x160xf32>
    %cst_69 = arith.constant 0.000000e+00 : f32
    %104 = tensor.empty() : tensor<1x20xf32>
    %105 = linalg.fill ins(%cst_69 : f32) outs(%104 : tensor<1x20xf32>) -> tensor<1x20xf32>
    %106 = linalg.contract indexing_maps = [#map11, #map14, #map9] ins(%collapsed_68, %103 : tensor<1x160xf32>, tensor<160x20xf32>) outs(%105 : tensor<1x20xf32>) -> tensor<1x20xf32>
    %expanded_70 = tensor.expand_shape %106 [[0], [1, 2]] output_shape [1, 1, 20] : tensor<1x20xf32> into tensor<1x1x20xf32>
    %107 = tensor.empty() : tensor<20x96xf32>
    %108 = linalg.generic {indexing_maps = [#map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%arg20 : tensor<96x20xf32>) outs(%107 : tensor<20x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<20x96xf32>
    %collapsed_71 = tensor.collapse_shape %expanded_70 [[0], [1, 2]] : tensor<1x1x20xf32> into tensor<1x20xf32>
    %cst_72 = arith.constant 0.000000e+00 : f32
    %splat_73 = tensor.splat %cst_72 : tensor<1x96xf32>
    %109 = linalg.generic {indexing_maps = [#map11, #map14, #map9], iterator_types = ["parallel", "reduction", "parallel"]} ins(%collapsed_71, %108 : tensor<1x20xf32>, tensor<20x96xf32>) outs(%splat_73 : tensor<1x96xf32>) {
    ^bb0(%in: f32, %in_76: f32, %out: f32):
      %111 = arith.mulf %in, %in_76 : f32
      %112 = arith.addf %111, %out : f32
      linalg.yield %112 : f32
    } -> tensor<1x96xf32>
    %expanded_74 = tensor.expand_shape %109 [[0], [1, 2]] output_shape [1, 1, 96] : tensor<1x96xf32> into tensor<1x1x96xf32>
    %110 = tensor.empty() : tensor<1x1x96xf32>
    %mapped_75 = linalg.map { arith.addf } ins(%76, %expanded_74 : tensor<1x1x96xf32>, tensor<1x1x96xf32>) outs(%110 : tensor<1x1x96xf32>)
    return %mapped_75, %inserted_slice_23, %inserted_slice_25 : tensor<1x1x96xf32>, tensor<1x2x71x24xf32>, tensor<1x2x71x24xf32>
  }
}

