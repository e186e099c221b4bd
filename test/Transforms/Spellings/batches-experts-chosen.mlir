// Two experts of each token share it by their probabilities, which conditions choose: all of it is kernels of one launch.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

module {
  func.func @main(%a0: tensor<64x64xf32>, %a1: tensor<4x64xf32>, %a2: tensor<4x64x128xf32>, %a3: tensor<4x128x64xf32>) -> (tensor<64x64xf32>) {
    %v1 = tensor.empty() : tensor<64x4xf32>
    %v2 = linalg.transpose ins(%a1 : tensor<4x64xf32>) outs(%v1 : tensor<64x4xf32>) permutation = [1, 0]
    %v3 = arith.constant 0.0 : f32
    %v4 = tensor.empty() : tensor<64x4xf32>
    %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<64x4xf32>) -> tensor<64x4xf32>
    %v6 = linalg.matmul ins(%a0, %v2 : tensor<64x64xf32>, tensor<64x4xf32>) outs(%v5 : tensor<64x4xf32>) -> tensor<64x4xf32>
    %v7 = arith.constant 0xFF800000 : f32
    %v8 = tensor.empty() : tensor<64x1xf32>
    %v9 = linalg.fill ins(%v7 : f32) outs(%v8 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%v6 : tensor<64x4xf32>) outs(%v9 : tensor<64x1xf32>) {
    ^bb0(%v10_i: f32, %v10_o: f32):
      %v10_y = arith.maximumf %v10_i, %v10_o : f32
      linalg.yield %v10_y : f32
    } -> tensor<64x1xf32>
    %v11 = tensor.empty() : tensor<64x4xf32>
    %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v6, %v10 : tensor<64x4xf32>, tensor<64x1xf32>) outs(%v11 : tensor<64x4xf32>) {
    ^bb0(%v12_i0: f32, %v12_i1: f32, %v12_o: f32):
    %v13 = arith.subf %v12_i0, %v12_i1 : f32
      linalg.yield %v13 : f32
    } -> tensor<64x4xf32>
    %v14 = tensor.empty() : tensor<64x4xf32>
    %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v12 : tensor<64x4xf32>) outs(%v14 : tensor<64x4xf32>) {
    ^bb0(%v15_i0: f32, %v15_o: f32):
    %v16 = math.exp %v15_i0 : f32
      linalg.yield %v16 : f32
    } -> tensor<64x4xf32>
    %v17 = arith.constant 0.0 : f32
    %v18 = tensor.empty() : tensor<64x1xf32>
    %v19 = linalg.fill ins(%v17 : f32) outs(%v18 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%v15 : tensor<64x4xf32>) outs(%v19 : tensor<64x1xf32>) {
    ^bb0(%v20_i: f32, %v20_o: f32):
      %v20_y = arith.addf %v20_i, %v20_o : f32
      linalg.yield %v20_y : f32
    } -> tensor<64x1xf32>
    %v21 = tensor.empty() : tensor<64x4xf32>
    %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v15, %v20 : tensor<64x4xf32>, tensor<64x1xf32>) outs(%v21 : tensor<64x4xf32>) {
    ^bb0(%v22_i0: f32, %v22_i1: f32, %v22_o: f32):
    %v23 = arith.divf %v22_i0, %v22_i1 : f32
      linalg.yield %v23 : f32
    } -> tensor<64x4xf32>
    %v24 = arith.constant 0xFF800000 : f32
    %v25 = tensor.empty() : tensor<64x1xf32>
    %v26 = linalg.fill ins(%v24 : f32) outs(%v25 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %v27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%v22 : tensor<64x4xf32>) outs(%v26 : tensor<64x1xf32>) {
    ^bb0(%v27_i: f32, %v27_o: f32):
      %v27_y = arith.maximumf %v27_i, %v27_o : f32
      linalg.yield %v27_y : f32
    } -> tensor<64x1xf32>
    %v28 = tensor.empty() : tensor<64x4xf32>
    %v29 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v22, %v27 : tensor<64x4xf32>, tensor<64x1xf32>) outs(%v28 : tensor<64x4xf32>) {
    ^bb0(%v29_i0: f32, %v29_i1: f32, %v29_o: f32):
    %v30 = arith.cmpf oge, %v29_i0, %v29_i1 : f32
    %v31 = arith.constant 0.0 : f32
    %v32 = arith.select %v30, %v29_i0, %v31 : f32
      linalg.yield %v32 : f32
    } -> tensor<64x4xf32>
    %v33 = tensor.empty() : tensor<64x4xf32>
    %v34 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v22, %v29 : tensor<64x4xf32>, tensor<64x4xf32>) outs(%v33 : tensor<64x4xf32>) {
    ^bb0(%v34_i0: f32, %v34_i1: f32, %v34_o: f32):
    %v35 = arith.subf %v34_i0, %v34_i1 : f32
      linalg.yield %v35 : f32
    } -> tensor<64x4xf32>
    %v36 = arith.constant 0xFF800000 : f32
    %v37 = tensor.empty() : tensor<64x1xf32>
    %v38 = linalg.fill ins(%v36 : f32) outs(%v37 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %v39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%v34 : tensor<64x4xf32>) outs(%v38 : tensor<64x1xf32>) {
    ^bb0(%v39_i: f32, %v39_o: f32):
      %v39_y = arith.maximumf %v39_i, %v39_o : f32
      linalg.yield %v39_y : f32
    } -> tensor<64x1xf32>
    %v40 = tensor.empty() : tensor<64x4xf32>
    %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v22, %v39 : tensor<64x4xf32>, tensor<64x1xf32>) outs(%v40 : tensor<64x4xf32>) {
    ^bb0(%v41_i0: f32, %v41_i1: f32, %v41_o: f32):
    %v42 = arith.cmpf oge, %v41_i0, %v41_i1 : f32
    %v43 = arith.constant 0.0 : f32
    %v44 = arith.select %v42, %v41_i0, %v43 : f32
      linalg.yield %v44 : f32
    } -> tensor<64x4xf32>
    %v45 = arith.constant 0.0 : f32
    %v46 = tensor.empty() : tensor<64x1xf32>
    %v47 = linalg.fill ins(%v45 : f32) outs(%v46 : tensor<64x1xf32>) -> tensor<64x1xf32>
    %v48 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%v41 : tensor<64x4xf32>) outs(%v47 : tensor<64x1xf32>) {
    ^bb0(%v48_i: f32, %v48_o: f32):
      %v48_y = arith.addf %v48_i, %v48_o : f32
      linalg.yield %v48_y : f32
    } -> tensor<64x1xf32>
    %v49 = tensor.empty() : tensor<64x4xf32>
    %v50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v41, %v48 : tensor<64x4xf32>, tensor<64x1xf32>) outs(%v49 : tensor<64x4xf32>) {
    ^bb0(%v50_i0: f32, %v50_i1: f32, %v50_o: f32):
    %v51 = arith.divf %v50_i0, %v50_i1 : f32
      linalg.yield %v51 : f32
    } -> tensor<64x4xf32>
    %v52 = tensor.expand_shape %a0 [[0, 1], [2]] output_shape [1, 64, 64] : tensor<64x64xf32> into tensor<1x64x64xf32>
    %v53 = tensor.empty() : tensor<4x64x64xf32>
    %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v52 : tensor<1x64x64xf32>) outs(%v53 : tensor<4x64x64xf32>) {
    ^bb0(%v54_i: f32, %v54_o: f32):
      linalg.yield %v54_i : f32
    } -> tensor<4x64x64xf32>
    %v55 = arith.constant 0.0 : f32
    %v56 = tensor.empty() : tensor<4x64x128xf32>
    %v57 = linalg.fill ins(%v55 : f32) outs(%v56 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
    %v58 = linalg.batch_matmul ins(%v54, %a2 : tensor<4x64x64xf32>, tensor<4x64x128xf32>) outs(%v57 : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
    %v59 = tensor.empty() : tensor<4x64x128xf32>
    %v60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v58 : tensor<4x64x128xf32>) outs(%v59 : tensor<4x64x128xf32>) {
    ^bb0(%v60_i0: f32, %v60_o: f32):
    %v61 = arith.constant 1.0 : f32
    %v62 = arith.negf %v60_i0 : f32
    %v63 = math.exp %v62 : f32
    %v64 = arith.addf %v63, %v61 : f32
    %v65 = arith.divf %v61, %v64 : f32
      linalg.yield %v65 : f32
    } -> tensor<4x64x128xf32>
    %v66 = tensor.empty() : tensor<4x64x128xf32>
    %v67 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v60, %v58 : tensor<4x64x128xf32>, tensor<4x64x128xf32>) outs(%v66 : tensor<4x64x128xf32>) {
    ^bb0(%v67_i0: f32, %v67_i1: f32, %v67_o: f32):
    %v68 = arith.mulf %v67_i0, %v67_i1 : f32
      linalg.yield %v68 : f32
    } -> tensor<4x64x128xf32>
    %v69 = arith.constant 0.0 : f32
    %v70 = tensor.empty() : tensor<4x64x64xf32>
    %v71 = linalg.fill ins(%v69 : f32) outs(%v70 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %v72 = linalg.batch_matmul ins(%v67, %a3 : tensor<4x64x128xf32>, tensor<4x128x64xf32>) outs(%v71 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %v73 = tensor.empty() : tensor<4x64xf32>
    %v74 = linalg.transpose ins(%v50 : tensor<64x4xf32>) outs(%v73 : tensor<4x64xf32>) permutation = [1, 0]
    %v75 = tensor.expand_shape %v74 [[0], [1, 2]] output_shape [4, 64, 1] : tensor<4x64xf32> into tensor<4x64x1xf32>
    %v76 = tensor.empty() : tensor<4x64x64xf32>
    %v77 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v72, %v75 : tensor<4x64x64xf32>, tensor<4x64x1xf32>) outs(%v76 : tensor<4x64x64xf32>) {
    ^bb0(%v77_i0: f32, %v77_i1: f32, %v77_o: f32):
    %v78 = arith.mulf %v77_i0, %v77_i1 : f32
      linalg.yield %v78 : f32
    } -> tensor<4x64x64xf32>
    %v79 = arith.constant 0.0 : f32
    %v80 = tensor.empty() : tensor<1x64x64xf32>
    %v81 = linalg.fill ins(%v79 : f32) outs(%v80 : tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %v82 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%v77 : tensor<4x64x64xf32>) outs(%v81 : tensor<1x64x64xf32>) {
    ^bb0(%v82_i: f32, %v82_o: f32):
      %v82_y = arith.addf %v82_i, %v82_o : f32
      linalg.yield %v82_y : f32
    } -> tensor<1x64x64xf32>
    %v83 = tensor.collapse_shape %v82 [[0, 1], [2]] : tensor<1x64x64xf32> into tensor<64x64xf32>
    return %v83 : tensor<64x64xf32>
  }
}
