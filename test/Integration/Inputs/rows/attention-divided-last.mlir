// Attention of grouped heads that rounds exp and divides behind the values, as flash attention does.
func.func @main(%q: tensor<2x2x128x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>) -> tensor<2x2x128x64xbf16> {
    %c1 = arith.constant 1.250000e-01 : f32
    %c2 = arith.constant 0.000000e+00 : f32
    %c17 = arith.constant 0xFF800000 : f32
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
    %v18 = tensor.empty() : tensor<2x2x128xf32>
    %v19 = linalg.fill ins(%c17 : f32) outs(%v18 : tensor<2x2x128xf32>) -> tensor<2x2x128xf32>
    %v20 = linalg.fill ins(%c2 : f32) outs(%v18 : tensor<2x2x128xf32>) -> tensor<2x2x128xf32>
    %v23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v15 : tensor<2x2x128x128xf32>) outs(%v19 : tensor<2x2x128xf32>) {
    ^bb0(%i21: f32, %o22: f32):
      %t24 = arith.maximumf %i21, %o22 : f32
      linalg.yield %t24 : f32
    } -> tensor<2x2x128xf32>
    %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v15, %v23 : tensor<2x2x128x128xf32>, tensor<2x2x128xf32>) outs(%v3 : tensor<2x2x128x128xf32>) {
    ^bb0(%i25: f32, %i26: f32, %o27: f32):
      %t29 = arith.subf %i25, %i26 : f32
      %t30 = math.exp %t29 : f32
      linalg.yield %t30 : f32
    } -> tensor<2x2x128x128xf32>
    %v33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v28 : tensor<2x2x128x128xf32>) outs(%v20 : tensor<2x2x128xf32>) {
    ^bb0(%i31: f32, %o32: f32):
      %t34 = arith.addf %i31, %o32 : f32
      linalg.yield %t34 : f32
    } -> tensor<2x2x128xf32>
    %v35 = tensor.empty() : tensor<2x2x128x128xbf16>
    %v38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v28 : tensor<2x2x128x128xf32>) outs(%v35 : tensor<2x2x128x128xbf16>) {
    ^bb0(%i36: f32, %o37: bf16):
      %t39 = arith.truncf %i36 : f32 to bf16
      linalg.yield %t39 : bf16
    } -> tensor<2x2x128x128xbf16>
    %v40 = tensor.empty() : tensor<2x2x128x64xf32>
    %v41 = linalg.fill ins(%c2 : f32) outs(%v40 : tensor<2x2x128x64xf32>) -> tensor<2x2x128x64xf32>
    %v45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v38, %v : tensor<2x2x128x128xbf16>, tensor<2x128x64xbf16>) outs(%v41 : tensor<2x2x128x64xf32>) {
    ^bb0(%i42: bf16, %i43: bf16, %o44: f32):
      %t46 = arith.extf %i42 : bf16 to f32
      %t47 = arith.extf %i43 : bf16 to f32
      %t48 = arith.mulf %t46, %t47 : f32
      %t49 = arith.addf %t48, %o44 : f32
      linalg.yield %t49 : f32
    } -> tensor<2x2x128x64xf32>
    %v50 = tensor.empty() : tensor<2x2x128x64xbf16>
    %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v45, %v33 : tensor<2x2x128x64xf32>, tensor<2x2x128xf32>) outs(%v50 : tensor<2x2x128x64xbf16>) {
    ^bb0(%i51: f32, %i52: f32, %o53: bf16):
      %t55 = arith.divf %i51, %i52 : f32
      %t56 = arith.truncf %t55 : f32 to bf16
      linalg.yield %t56 : bf16
    } -> tensor<2x2x128x64xbf16>
    return %v54 : tensor<2x2x128x64xbf16>
}
