// Attention of grouped heads as IREE has it: two products as generics, linalg.softmax between them.
func.func @main(%q: tensor<2x2x128x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>) -> tensor<2x2x128x64xbf16> {
    %c1 = arith.constant 1.250000e-01 : f32
    %c2 = arith.constant 0.000000e+00 : f32
    %v3 = tensor.empty() : tensor<2x2x128x128xf32>
    %v4 = linalg.fill ins(%c2 : f32) outs(%v3 : tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x2x128x64xbf16>, tensor<2x128x64xbf16>) outs(%v4 : tensor<2x2x128x128xf32>) {
    ^bb0(%i5: bf16, %i6: bf16, %o7: f32):
      %t9 = arith.extf %i5 : bf16 to f32
      %t10 = arith.extf %i6 : bf16 to f32
      %t11 = arith.mulf %t9, %t10 : f32
      %t12 = arith.addf %t11, %o7 : f32
      linalg.yield %t12 : f32
    } -> tensor<2x2x128x128xf32>
    %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8 : tensor<2x2x128x128xf32>) outs(%v3 : tensor<2x2x128x128xf32>) {
    ^bb0(%i13: f32, %o14: f32):
      %t16 = arith.mulf %i13, %c1 : f32
      linalg.yield %t16 : f32
    } -> tensor<2x2x128x128xf32>
    %v17 = linalg.softmax dimension(3) ins(%v15 : tensor<2x2x128x128xf32>) outs(%v3 : tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %v18 = tensor.empty() : tensor<2x2x128x128xbf16>
    %v21 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17 : tensor<2x2x128x128xf32>) outs(%v18 : tensor<2x2x128x128xbf16>) {
    ^bb0(%i19: f32, %o20: bf16):
      %t22 = arith.truncf %i19 : f32 to bf16
      linalg.yield %t22 : bf16
    } -> tensor<2x2x128x128xbf16>
    %v23 = tensor.empty() : tensor<2x2x128x64xf32>
    %v24 = linalg.fill ins(%c2 : f32) outs(%v23 : tensor<2x2x128x64xf32>) -> tensor<2x2x128x64xf32>
    %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v21, %v : tensor<2x2x128x128xbf16>, tensor<2x128x64xbf16>) outs(%v24 : tensor<2x2x128x64xf32>) {
    ^bb0(%i25: bf16, %i26: bf16, %o27: f32):
      %t29 = arith.extf %i25 : bf16 to f32
      %t30 = arith.extf %i26 : bf16 to f32
      %t31 = arith.mulf %t29, %t30 : f32
      %t32 = arith.addf %t31, %o27 : f32
      linalg.yield %t32 : f32
    } -> tensor<2x2x128x64xf32>
    %v33 = tensor.empty() : tensor<2x2x128x64xbf16>
    %v36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28 : tensor<2x2x128x64xf32>) outs(%v33 : tensor<2x2x128x64xbf16>) {
    ^bb0(%i34: f32, %o35: bf16):
      %t37 = arith.truncf %i34 : f32 to bf16
      linalg.yield %t37 : bf16
    } -> tensor<2x2x128x64xbf16>
    return %v36 : tensor<2x2x128x64xbf16>
}
