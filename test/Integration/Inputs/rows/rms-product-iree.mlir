// RMSNorm in front of a product, as IREE has it once fused.
func.func @main(%x: tensor<128x256xbf16>, %g: tensor<256xbf16> {trn.param = "g"}, %w: tensor<256x384xbf16> {trn.param = "w"}) -> tensor<128x384xbf16> {
    %c1 = arith.constant 0.000000e+00 : f32
    %c11 = arith.constant 2.560000e+02 : f32
    %c12 = arith.constant 9.99999974E-6 : f32
    %v2 = tensor.empty() : tensor<128xf32>
    %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<128xf32>) -> tensor<128xf32>
    %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x256xbf16>) outs(%v3 : tensor<128xf32>) {
    ^bb0(%i4: bf16, %o5: f32):
      %t7 = arith.extf %i4 : bf16 to f32
      %t8 = arith.mulf %t7, %t7 : f32
      %t9 = arith.addf %t8, %o5 : f32
      linalg.yield %t9 : f32
    } -> tensor<128xf32>
    %v10 = tensor.empty() : tensor<128x256xbf16>
    %v17 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %v6, %g : tensor<128x256xbf16>, tensor<128xf32>, tensor<256xbf16>) outs(%v10 : tensor<128x256xbf16>) {
    ^bb0(%i13: bf16, %i14: f32, %i15: bf16, %o16: bf16):
      %t18 = arith.extf %i13 : bf16 to f32
      %t19 = arith.divf %i14, %c11 : f32
      %t20 = arith.addf %t19, %c12 : f32
      %t21 = math.rsqrt %t20 : f32
      %t22 = arith.mulf %t18, %t21 : f32
      %t23 = arith.truncf %t22 : f32 to bf16
      %t24 = arith.mulf %i15, %t23 : bf16
      linalg.yield %t24 : bf16
    } -> tensor<128x256xbf16>
    %v25 = tensor.empty() : tensor<128x384xf32>
    %v26 = linalg.fill ins(%c1 : f32) outs(%v25 : tensor<128x384xf32>) -> tensor<128x384xf32>
    %v27 = linalg.matmul ins(%v17, %w : tensor<128x256xbf16>, tensor<256x384xbf16>) outs(%v26 : tensor<128x384xf32>) -> tensor<128x384xf32>
    %v28 = tensor.empty() : tensor<128x384xbf16>
    %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v27 : tensor<128x384xf32>) outs(%v28 : tensor<128x384xbf16>) {
    ^bb0(%i29: f32, %o30: bf16):
      %t32 = arith.truncf %i29 : f32 to bf16
      linalg.yield %t32 : bf16
    } -> tensor<128x384xbf16>
    return %v31 : tensor<128x384xbf16>
}
