// A cache of a fixed size, which a new token's keys and values are written into at a position that only the run knows. Attention reads the cache as it was, with a mask that hides what is written over, and the new ones.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-3: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

module {
  func.func @main(%a0: tensor<1x1x128xf32>, %a1: tensor<1x2x64x32xf32>, %a2: tensor<1x2x64x32xf32>, %a3: tensor<128x128xf32>, %a4: tensor<64x128xf32>, %a5: tensor<64x128xf32>, %a6: tensor<128x128xf32>, %a7: index) -> (tensor<1x1x128xf32>, tensor<1x2x64x32xf32>, tensor<1x2x64x32xf32>) {
    %v1 = tensor.empty() : tensor<128x128xf32>
    %v2 = linalg.transpose ins(%a3 : tensor<128x128xf32>) outs(%v1 : tensor<128x128xf32>) permutation = [1, 0]
    %v3 = tensor.collapse_shape %a0 [[0], [1, 2]] : tensor<1x1x128xf32> into tensor<1x128xf32>
    %v4 = arith.constant 0.0 : f32
    %v5 = tensor.empty() : tensor<1x128xf32>
    %v6 = linalg.fill ins(%v4 : f32) outs(%v5 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v7 = linalg.matmul ins(%v3, %v2 : tensor<1x128xf32>, tensor<128x128xf32>) outs(%v6 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v8 = tensor.expand_shape %v7 [[0], [1, 2]] output_shape [1, 1, 128] : tensor<1x128xf32> into tensor<1x1x128xf32>
    %v9 = tensor.expand_shape %v8 [[0], [1], [2, 3]] output_shape [1, 1, 4, 32] : tensor<1x1x128xf32> into tensor<1x1x4x32xf32>
    %v10 = tensor.empty() : tensor<1x4x1x32xf32>
    %v11 = linalg.transpose ins(%v9 : tensor<1x1x4x32xf32>) outs(%v10 : tensor<1x4x1x32xf32>) permutation = [0, 2, 1, 3]
    %v12 = tensor.empty() : tensor<128x64xf32>
    %v13 = linalg.transpose ins(%a4 : tensor<64x128xf32>) outs(%v12 : tensor<128x64xf32>) permutation = [1, 0]
    %v14 = tensor.collapse_shape %a0 [[0], [1, 2]] : tensor<1x1x128xf32> into tensor<1x128xf32>
    %v15 = arith.constant 0.0 : f32
    %v16 = tensor.empty() : tensor<1x64xf32>
    %v17 = linalg.fill ins(%v15 : f32) outs(%v16 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %v18 = linalg.matmul ins(%v14, %v13 : tensor<1x128xf32>, tensor<128x64xf32>) outs(%v17 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %v19 = tensor.expand_shape %v18 [[0], [1, 2]] output_shape [1, 1, 64] : tensor<1x64xf32> into tensor<1x1x64xf32>
    %v20 = tensor.expand_shape %v19 [[0], [1], [2, 3]] output_shape [1, 1, 2, 32] : tensor<1x1x64xf32> into tensor<1x1x2x32xf32>
    %v21 = tensor.empty() : tensor<1x2x1x32xf32>
    %v22 = linalg.transpose ins(%v20 : tensor<1x1x2x32xf32>) outs(%v21 : tensor<1x2x1x32xf32>) permutation = [0, 2, 1, 3]
    %v23 = tensor.empty() : tensor<128x64xf32>
    %v24 = linalg.transpose ins(%a5 : tensor<64x128xf32>) outs(%v23 : tensor<128x64xf32>) permutation = [1, 0]
    %v25 = tensor.collapse_shape %a0 [[0], [1, 2]] : tensor<1x1x128xf32> into tensor<1x128xf32>
    %v26 = arith.constant 0.0 : f32
    %v27 = tensor.empty() : tensor<1x64xf32>
    %v28 = linalg.fill ins(%v26 : f32) outs(%v27 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %v29 = linalg.matmul ins(%v25, %v24 : tensor<1x128xf32>, tensor<128x64xf32>) outs(%v28 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %v30 = tensor.expand_shape %v29 [[0], [1, 2]] output_shape [1, 1, 64] : tensor<1x64xf32> into tensor<1x1x64xf32>
    %v31 = tensor.expand_shape %v30 [[0], [1], [2, 3]] output_shape [1, 1, 2, 32] : tensor<1x1x64xf32> into tensor<1x1x2x32xf32>
    %v32 = tensor.empty() : tensor<1x2x1x32xf32>
    %v33 = linalg.transpose ins(%v31 : tensor<1x1x2x32xf32>) outs(%v32 : tensor<1x2x1x32xf32>) permutation = [0, 2, 1, 3]
    %v34 = tensor.insert_slice %v22 into %a1[0, 0, %a7, 0] [1, 2, 1, 32] [1, 1, 1, 1] : tensor<1x2x1x32xf32> into tensor<1x2x64x32xf32>
    %v35 = tensor.insert_slice %v33 into %a2[0, 0, %a7, 0] [1, 2, 1, 32] [1, 1, 1, 1] : tensor<1x2x1x32xf32> into tensor<1x2x64x32xf32>
    %v36 = tensor.empty() : tensor<1x1x1x64xf32>
    %v37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%v36 : tensor<1x1x1x64xf32>) {
    ^bb0(%v37_o: f32):
    %v38 = linalg.index 0 : index
    %v39 = linalg.index 1 : index
    %v40 = linalg.index 2 : index
    %v41 = linalg.index 3 : index
    %v42 = arith.cmpi ule, %v41, %a7 : index
    %v43 = arith.constant 0.0 : f32
    %v44 = arith.constant 0xFF800000 : f32
    %v45 = arith.select %v42, %v43, %v44 : f32
    linalg.yield %v45 : f32
    } -> tensor<1x1x1x64xf32>
    %v46 = tensor.expand_shape %v34 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 64, 32] : tensor<1x2x64x32xf32> into tensor<1x2x1x64x32xf32>
    %v47 = tensor.empty() : tensor<1x2x2x64x32xf32>
    %v48 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v46 : tensor<1x2x1x64x32xf32>) outs(%v47 : tensor<1x2x2x64x32xf32>) {
    ^bb0(%v48_i: f32, %v48_o: f32):
      linalg.yield %v48_i : f32
    } -> tensor<1x2x2x64x32xf32>
    %v49 = tensor.collapse_shape %v48 [[0], [1, 2], [3], [4]] : tensor<1x2x2x64x32xf32> into tensor<1x4x64x32xf32>
    %v50 = tensor.expand_shape %v35 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 64, 32] : tensor<1x2x64x32xf32> into tensor<1x2x1x64x32xf32>
    %v51 = tensor.empty() : tensor<1x2x2x64x32xf32>
    %v52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%v50 : tensor<1x2x1x64x32xf32>) outs(%v51 : tensor<1x2x2x64x32xf32>) {
    ^bb0(%v52_i: f32, %v52_o: f32):
      linalg.yield %v52_i : f32
    } -> tensor<1x2x2x64x32xf32>
    %v53 = tensor.collapse_shape %v52 [[0], [1, 2], [3], [4]] : tensor<1x2x2x64x32xf32> into tensor<1x4x64x32xf32>
    %v54 = tensor.empty() : tensor<1x4x32x64xf32>
    %v55 = linalg.transpose ins(%v49 : tensor<1x4x64x32xf32>) outs(%v54 : tensor<1x4x32x64xf32>) permutation = [0, 1, 3, 2]
    %v56 = tensor.collapse_shape %v11 [[0, 1], [2], [3]] : tensor<1x4x1x32xf32> into tensor<4x1x32xf32>
    %v57 = tensor.collapse_shape %v55 [[0, 1], [2], [3]] : tensor<1x4x32x64xf32> into tensor<4x32x64xf32>
    %v58 = arith.constant 0.0 : f32
    %v59 = tensor.empty() : tensor<4x1x64xf32>
    %v60 = linalg.fill ins(%v58 : f32) outs(%v59 : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
    %v61 = linalg.batch_matmul ins(%v56, %v57 : tensor<4x1x32xf32>, tensor<4x32x64xf32>) outs(%v60 : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
    %v62 = tensor.expand_shape %v61 [[0, 1], [2], [3]] output_shape [1, 4, 1, 64] : tensor<4x1x64xf32> into tensor<1x4x1x64xf32>
    %v63 = tensor.empty() : tensor<1x4x1x64xf32>
    %v64 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v62 : tensor<1x4x1x64xf32>) outs(%v63 : tensor<1x4x1x64xf32>) {
    ^bb0(%v64_i0: f32, %v64_o: f32):
    %v65 = arith.constant 0.1767766952966369 : f32
    %v66 = arith.mulf %v64_i0, %v65 : f32
      linalg.yield %v66 : f32
    } -> tensor<1x4x1x64xf32>
    %v67 = tensor.empty() : tensor<1x4x1x64xf32>
    %v68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v64, %v37 : tensor<1x4x1x64xf32>, tensor<1x1x1x64xf32>) outs(%v67 : tensor<1x4x1x64xf32>) {
    ^bb0(%v68_i0: f32, %v68_i1: f32, %v68_o: f32):
    %v69 = arith.addf %v68_i0, %v68_i1 : f32
      linalg.yield %v69 : f32
    } -> tensor<1x4x1x64xf32>
    %v70 = arith.constant 0xFF800000 : f32
    %v71 = tensor.empty() : tensor<1x4x1x1xf32>
    %v72 = linalg.fill ins(%v70 : f32) outs(%v71 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %v73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v68 : tensor<1x4x1x64xf32>) outs(%v72 : tensor<1x4x1x1xf32>) {
    ^bb0(%v73_i: f32, %v73_o: f32):
      %v73_y = arith.maximumf %v73_i, %v73_o : f32
      linalg.yield %v73_y : f32
    } -> tensor<1x4x1x1xf32>
    %v74 = tensor.empty() : tensor<1x4x1x64xf32>
    %v75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v68, %v73 : tensor<1x4x1x64xf32>, tensor<1x4x1x1xf32>) outs(%v74 : tensor<1x4x1x64xf32>) {
    ^bb0(%v75_i0: f32, %v75_i1: f32, %v75_o: f32):
    %v76 = arith.subf %v75_i0, %v75_i1 : f32
      linalg.yield %v76 : f32
    } -> tensor<1x4x1x64xf32>
    %v77 = tensor.empty() : tensor<1x4x1x64xf32>
    %v78 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v75 : tensor<1x4x1x64xf32>) outs(%v77 : tensor<1x4x1x64xf32>) {
    ^bb0(%v78_i0: f32, %v78_o: f32):
    %v79 = math.exp %v78_i0 : f32
      linalg.yield %v79 : f32
    } -> tensor<1x4x1x64xf32>
    %v80 = arith.constant 0.0 : f32
    %v81 = tensor.empty() : tensor<1x4x1x1xf32>
    %v82 = linalg.fill ins(%v80 : f32) outs(%v81 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %v83 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v78 : tensor<1x4x1x64xf32>) outs(%v82 : tensor<1x4x1x1xf32>) {
    ^bb0(%v83_i: f32, %v83_o: f32):
      %v83_y = arith.addf %v83_i, %v83_o : f32
      linalg.yield %v83_y : f32
    } -> tensor<1x4x1x1xf32>
    %v84 = tensor.empty() : tensor<1x4x1x64xf32>
    %v85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v78, %v83 : tensor<1x4x1x64xf32>, tensor<1x4x1x1xf32>) outs(%v84 : tensor<1x4x1x64xf32>) {
    ^bb0(%v85_i0: f32, %v85_i1: f32, %v85_o: f32):
    %v86 = arith.divf %v85_i0, %v85_i1 : f32
      linalg.yield %v86 : f32
    } -> tensor<1x4x1x64xf32>
    %v87 = tensor.collapse_shape %v85 [[0, 1], [2], [3]] : tensor<1x4x1x64xf32> into tensor<4x1x64xf32>
    %v88 = tensor.collapse_shape %v53 [[0, 1], [2], [3]] : tensor<1x4x64x32xf32> into tensor<4x64x32xf32>
    %v89 = arith.constant 0.0 : f32
    %v90 = tensor.empty() : tensor<4x1x32xf32>
    %v91 = linalg.fill ins(%v89 : f32) outs(%v90 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %v92 = linalg.batch_matmul ins(%v87, %v88 : tensor<4x1x64xf32>, tensor<4x64x32xf32>) outs(%v91 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %v93 = tensor.expand_shape %v92 [[0, 1], [2], [3]] output_shape [1, 4, 1, 32] : tensor<4x1x32xf32> into tensor<1x4x1x32xf32>
    %v94 = tensor.empty() : tensor<1x1x4x32xf32>
    %v95 = linalg.transpose ins(%v93 : tensor<1x4x1x32xf32>) outs(%v94 : tensor<1x1x4x32xf32>) permutation = [0, 2, 1, 3]
    %v96 = tensor.collapse_shape %v95 [[0], [1], [2, 3]] : tensor<1x1x4x32xf32> into tensor<1x1x128xf32>
    %v97 = tensor.empty() : tensor<128x128xf32>
    %v98 = linalg.transpose ins(%a6 : tensor<128x128xf32>) outs(%v97 : tensor<128x128xf32>) permutation = [1, 0]
    %v99 = tensor.collapse_shape %v96 [[0], [1, 2]] : tensor<1x1x128xf32> into tensor<1x128xf32>
    %v100 = arith.constant 0.0 : f32
    %v101 = tensor.empty() : tensor<1x128xf32>
    %v102 = linalg.fill ins(%v100 : f32) outs(%v101 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v103 = linalg.matmul ins(%v99, %v98 : tensor<1x128xf32>, tensor<128x128xf32>) outs(%v102 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v104 = tensor.expand_shape %v103 [[0], [1, 2]] output_shape [1, 1, 128] : tensor<1x128xf32> into tensor<1x1x128xf32>
    return %v104, %v34, %v35 : tensor<1x1x128xf32>, tensor<1x2x64x32xf32>, tensor<1x2x64x32xf32>
  }
}
