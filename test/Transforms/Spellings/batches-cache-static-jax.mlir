// The same of several tokens, as JAX writes it: each insertion has an index of its own, which is kept in bounds.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-3: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

module {
  func.func @main(%a0: tensor<8x128xbf16>, %a1: tensor<2x64x32xbf16>, %a2: tensor<2x64x32xbf16>, %a3: tensor<128x128xbf16>, %a4: tensor<64x128xbf16>, %a5: tensor<64x128xbf16>, %a6: tensor<128x128xbf16>, %a7: tensor<i32>) -> (tensor<8x128xbf16>, tensor<2x64x32xbf16>, tensor<2x64x32xbf16>) {
    %v1 = tensor.empty() : tensor<128x128xbf16>
    %v2 = linalg.transpose ins(%a3 : tensor<128x128xbf16>) outs(%v1 : tensor<128x128xbf16>) permutation = [1, 0]
    %v3 = arith.constant 0.0 : f32
    %v4 = tensor.empty() : tensor<8x128xf32>
    %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %v6 = linalg.matmul ins(%a0, %v2 : tensor<8x128xbf16>, tensor<128x128xbf16>) outs(%v5 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %v7 = tensor.empty() : tensor<8x128xbf16>
    %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v6 : tensor<8x128xf32>) outs(%v7 : tensor<8x128xbf16>) {
    ^bb0(%v8_i0: f32, %v8_o: bf16):
    %v9 = arith.truncf %v8_i0 : f32 to bf16
      linalg.yield %v9 : bf16
    } -> tensor<8x128xbf16>
    %v10 = tensor.expand_shape %v8 [[0], [1, 2]] output_shape [8, 4, 32] : tensor<8x128xbf16> into tensor<8x4x32xbf16>
    %v11 = tensor.empty() : tensor<4x8x32xbf16>
    %v12 = linalg.transpose ins(%v10 : tensor<8x4x32xbf16>) outs(%v11 : tensor<4x8x32xbf16>) permutation = [1, 0, 2]
    %v13 = tensor.empty() : tensor<128x64xbf16>
    %v14 = linalg.transpose ins(%a4 : tensor<64x128xbf16>) outs(%v13 : tensor<128x64xbf16>) permutation = [1, 0]
    %v15 = arith.constant 0.0 : f32
    %v16 = tensor.empty() : tensor<8x64xf32>
    %v17 = linalg.fill ins(%v15 : f32) outs(%v16 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %v18 = linalg.matmul ins(%a0, %v14 : tensor<8x128xbf16>, tensor<128x64xbf16>) outs(%v17 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %v19 = tensor.empty() : tensor<8x64xbf16>
    %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v18 : tensor<8x64xf32>) outs(%v19 : tensor<8x64xbf16>) {
    ^bb0(%v20_i0: f32, %v20_o: bf16):
    %v21 = arith.truncf %v20_i0 : f32 to bf16
      linalg.yield %v21 : bf16
    } -> tensor<8x64xbf16>
    %v22 = tensor.expand_shape %v20 [[0], [1, 2]] output_shape [8, 2, 32] : tensor<8x64xbf16> into tensor<8x2x32xbf16>
    %v23 = tensor.empty() : tensor<2x8x32xbf16>
    %v24 = linalg.transpose ins(%v22 : tensor<8x2x32xbf16>) outs(%v23 : tensor<2x8x32xbf16>) permutation = [1, 0, 2]
    %v25 = tensor.empty() : tensor<128x64xbf16>
    %v26 = linalg.transpose ins(%a5 : tensor<64x128xbf16>) outs(%v25 : tensor<128x64xbf16>) permutation = [1, 0]
    %v27 = arith.constant 0.0 : f32
    %v28 = tensor.empty() : tensor<8x64xf32>
    %v29 = linalg.fill ins(%v27 : f32) outs(%v28 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %v30 = linalg.matmul ins(%a0, %v26 : tensor<8x128xbf16>, tensor<128x64xbf16>) outs(%v29 : tensor<8x64xf32>) -> tensor<8x64xf32>
    %v31 = tensor.empty() : tensor<8x64xbf16>
    %v32 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v30 : tensor<8x64xf32>) outs(%v31 : tensor<8x64xbf16>) {
    ^bb0(%v32_i0: f32, %v32_o: bf16):
    %v33 = arith.truncf %v32_i0 : f32 to bf16
      linalg.yield %v33 : bf16
    } -> tensor<8x64xbf16>
    %v34 = tensor.expand_shape %v32 [[0], [1, 2]] output_shape [8, 2, 32] : tensor<8x64xbf16> into tensor<8x2x32xbf16>
    %v35 = tensor.empty() : tensor<2x8x32xbf16>
    %v36 = linalg.transpose ins(%v34 : tensor<8x2x32xbf16>) outs(%v35 : tensor<2x8x32xbf16>) permutation = [1, 0, 2]
    %v37 = arith.constant 0 : i32
    %v38 = arith.constant 56 : i32
    %v39 = tensor.extract %a7[] : tensor<i32>
    %v40 = arith.maxsi %v39, %v37 : i32
    %v41 = arith.minsi %v40, %v38 : i32
    %v42 = arith.index_cast %v41 : i32 to index
    %v43 = arith.constant 0 : i32
    %v44 = arith.constant 56 : i32
    %v45 = tensor.extract %a7[] : tensor<i32>
    %v46 = arith.maxsi %v45, %v43 : i32
    %v47 = arith.minsi %v46, %v44 : i32
    %v48 = arith.index_cast %v47 : i32 to index
    %v49 = arith.constant 0 : i32
    %v50 = arith.constant 56 : i32
    %v51 = tensor.extract %a7[] : tensor<i32>
    %v52 = arith.maxsi %v51, %v49 : i32
    %v53 = arith.minsi %v52, %v50 : i32
    %v54 = arith.index_cast %v53 : i32 to index
    %v55 = tensor.insert_slice %v24 into %a1[0, %v42, 0] [2, 8, 32] [1, 1, 1] : tensor<2x8x32xbf16> into tensor<2x64x32xbf16>
    %v56 = tensor.insert_slice %v36 into %a2[0, %v48, 0] [2, 8, 32] [1, 1, 1] : tensor<2x8x32xbf16> into tensor<2x64x32xbf16>
    %v57 = tensor.expand_shape %v55 [[0], [1, 2], [3]] output_shape [2, 1, 64, 32] : tensor<2x64x32xbf16> into tensor<2x1x64x32xbf16>
    %v58 = tensor.empty() : tensor<2x2x64x32xbf16>
    %v59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v57 : tensor<2x1x64x32xbf16>) outs(%v58 : tensor<2x2x64x32xbf16>) {
    ^bb0(%v59_i: bf16, %v59_o: bf16):
      linalg.yield %v59_i : bf16
    } -> tensor<2x2x64x32xbf16>
    %v60 = tensor.collapse_shape %v59 [[0, 1], [2], [3]] : tensor<2x2x64x32xbf16> into tensor<4x64x32xbf16>
    %v61 = tensor.empty() : tensor<4x32x64xbf16>
    %v62 = linalg.transpose ins(%v60 : tensor<4x64x32xbf16>) outs(%v61 : tensor<4x32x64xbf16>) permutation = [0, 2, 1]
    %v63 = arith.constant 0.0 : f32
    %v64 = tensor.empty() : tensor<4x8x64xf32>
    %v65 = linalg.fill ins(%v63 : f32) outs(%v64 : tensor<4x8x64xf32>) -> tensor<4x8x64xf32>
    %v66 = linalg.batch_matmul ins(%v12, %v62 : tensor<4x8x32xbf16>, tensor<4x32x64xbf16>) outs(%v65 : tensor<4x8x64xf32>) -> tensor<4x8x64xf32>
    %v67 = tensor.empty() : tensor<4x8x64xbf16>
    %v68 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v66 : tensor<4x8x64xf32>) outs(%v67 : tensor<4x8x64xbf16>) {
    ^bb0(%v68_i0: f32, %v68_o: bf16):
    %v69 = arith.truncf %v68_i0 : f32 to bf16
      linalg.yield %v69 : bf16
    } -> tensor<4x8x64xbf16>
    %v70 = tensor.empty() : tensor<4x8x64xbf16>
    %v71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v68 : tensor<4x8x64xbf16>) outs(%v70 : tensor<4x8x64xbf16>) {
    ^bb0(%v71_i0: bf16, %v71_o: bf16):
    %v72 = arith.constant 0.1767766952966369 : bf16
    %v73 = arith.mulf %v71_i0, %v72 : bf16
      linalg.yield %v73 : bf16
    } -> tensor<4x8x64xbf16>
    %v74 = tensor.empty() : tensor<1x8x64xbf16>
    %v75 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%v74 : tensor<1x8x64xbf16>) {
    ^bb0(%v75_o: bf16):
    %v76 = linalg.index 0 : index
    %v77 = linalg.index 1 : index
    %v78 = linalg.index 2 : index
    %v79 = arith.addi %v77, %v54 : index
    %v80 = arith.cmpi uge, %v79, %v78 : index
    %v81 = arith.constant 0.0 : bf16
    %v82 = arith.constant 0xFF80 : bf16
    %v83 = arith.select %v80, %v81, %v82 : bf16
    linalg.yield %v83 : bf16
    } -> tensor<1x8x64xbf16>
    %v84 = tensor.empty() : tensor<4x8x64xbf16>
    %v85 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v71, %v75 : tensor<4x8x64xbf16>, tensor<1x8x64xbf16>) outs(%v84 : tensor<4x8x64xbf16>) {
    ^bb0(%v85_i0: bf16, %v85_i1: bf16, %v85_o: bf16):
    %v86 = arith.addf %v85_i0, %v85_i1 : bf16
      linalg.yield %v86 : bf16
    } -> tensor<4x8x64xbf16>
    %v87 = arith.constant 0xFF80 : bf16
    %v88 = tensor.empty() : tensor<4x8x1xbf16>
    %v89 = linalg.fill ins(%v87 : bf16) outs(%v88 : tensor<4x8x1xbf16>) -> tensor<4x8x1xbf16>
    %v90 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v85 : tensor<4x8x64xbf16>) outs(%v89 : tensor<4x8x1xbf16>) {
    ^bb0(%v90_i: bf16, %v90_o: bf16):
      %v90_y = arith.maximumf %v90_i, %v90_o : bf16
      linalg.yield %v90_y : bf16
    } -> tensor<4x8x1xbf16>
    %v91 = tensor.empty() : tensor<4x8x64xbf16>
    %v92 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v85, %v90 : tensor<4x8x64xbf16>, tensor<4x8x1xbf16>) outs(%v91 : tensor<4x8x64xbf16>) {
    ^bb0(%v92_i0: bf16, %v92_i1: bf16, %v92_o: bf16):
    %v93 = arith.subf %v92_i0, %v92_i1 : bf16
      linalg.yield %v93 : bf16
    } -> tensor<4x8x64xbf16>
    %v94 = tensor.empty() : tensor<4x8x64xbf16>
    %v95 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v92 : tensor<4x8x64xbf16>) outs(%v94 : tensor<4x8x64xbf16>) {
    ^bb0(%v95_i0: bf16, %v95_o: bf16):
    %v96 = math.exp %v95_i0 : bf16
      linalg.yield %v96 : bf16
    } -> tensor<4x8x64xbf16>
    %v97 = arith.constant 0.0 : bf16
    %v98 = tensor.empty() : tensor<4x8x1xbf16>
    %v99 = linalg.fill ins(%v97 : bf16) outs(%v98 : tensor<4x8x1xbf16>) -> tensor<4x8x1xbf16>
    %v100 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v95 : tensor<4x8x64xbf16>) outs(%v99 : tensor<4x8x1xbf16>) {
    ^bb0(%v100_i: bf16, %v100_o: bf16):
      %v100_y = arith.addf %v100_i, %v100_o : bf16
      linalg.yield %v100_y : bf16
    } -> tensor<4x8x1xbf16>
    %v101 = tensor.empty() : tensor<4x8x64xbf16>
    %v102 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v95, %v100 : tensor<4x8x64xbf16>, tensor<4x8x1xbf16>) outs(%v101 : tensor<4x8x64xbf16>) {
    ^bb0(%v102_i0: bf16, %v102_i1: bf16, %v102_o: bf16):
    %v103 = arith.divf %v102_i0, %v102_i1 : bf16
      linalg.yield %v103 : bf16
    } -> tensor<4x8x64xbf16>
    %v104 = tensor.expand_shape %v56 [[0], [1, 2], [3]] output_shape [2, 1, 64, 32] : tensor<2x64x32xbf16> into tensor<2x1x64x32xbf16>
    %v105 = tensor.empty() : tensor<2x2x64x32xbf16>
    %v106 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v104 : tensor<2x1x64x32xbf16>) outs(%v105 : tensor<2x2x64x32xbf16>) {
    ^bb0(%v106_i: bf16, %v106_o: bf16):
      linalg.yield %v106_i : bf16
    } -> tensor<2x2x64x32xbf16>
    %v107 = tensor.collapse_shape %v106 [[0, 1], [2], [3]] : tensor<2x2x64x32xbf16> into tensor<4x64x32xbf16>
    %v108 = arith.constant 0.0 : f32
    %v109 = tensor.empty() : tensor<4x8x32xf32>
    %v110 = linalg.fill ins(%v108 : f32) outs(%v109 : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
    %v111 = linalg.batch_matmul ins(%v102, %v107 : tensor<4x8x64xbf16>, tensor<4x64x32xbf16>) outs(%v110 : tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
    %v112 = tensor.empty() : tensor<4x8x32xbf16>
    %v113 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v111 : tensor<4x8x32xf32>) outs(%v112 : tensor<4x8x32xbf16>) {
    ^bb0(%v113_i0: f32, %v113_o: bf16):
    %v114 = arith.truncf %v113_i0 : f32 to bf16
      linalg.yield %v114 : bf16
    } -> tensor<4x8x32xbf16>
    %v115 = tensor.empty() : tensor<8x4x32xbf16>
    %v116 = linalg.transpose ins(%v113 : tensor<4x8x32xbf16>) outs(%v115 : tensor<8x4x32xbf16>) permutation = [1, 0, 2]
    %v117 = tensor.collapse_shape %v116 [[0], [1, 2]] : tensor<8x4x32xbf16> into tensor<8x128xbf16>
    %v118 = tensor.empty() : tensor<128x128xbf16>
    %v119 = linalg.transpose ins(%a6 : tensor<128x128xbf16>) outs(%v118 : tensor<128x128xbf16>) permutation = [1, 0]
    %v120 = arith.constant 0.0 : f32
    %v121 = tensor.empty() : tensor<8x128xf32>
    %v122 = linalg.fill ins(%v120 : f32) outs(%v121 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %v123 = linalg.matmul ins(%v117, %v119 : tensor<8x128xbf16>, tensor<128x128xbf16>) outs(%v122 : tensor<8x128xf32>) -> tensor<8x128xf32>
    %v124 = tensor.empty() : tensor<8x128xbf16>
    %v125 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v123 : tensor<8x128xf32>) outs(%v124 : tensor<8x128xbf16>) {
    ^bb0(%v125_i0: f32, %v125_o: bf16):
    %v126 = arith.truncf %v125_i0 : f32 to bf16
      linalg.yield %v126 : bf16
    } -> tensor<8x128xbf16>
    return %v125, %v55, %v56 : tensor<8x128xbf16>, tensor<2x64x32xbf16>, tensor<2x64x32xbf16>
  }
}
