// LayerNorm as IREE has it once it has fused what is elementwise: two reductions, of which the second reads the first,
// and one generic.
func.func @main(%x: tensor<128x256xbf16>, %g: tensor<256xbf16>, %b: tensor<256xbf16>) -> tensor<128x256xbf16> {
    %c1 = arith.constant 0.000000e+00 : f32
    %c4 = arith.constant 2.560000e+02 : f32
    %c5 = arith.constant 9.99999974E-6 : f32
    %v2 = tensor.empty() : tensor<128xf32>
    %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<128xf32>) -> tensor<128xf32>
    %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x256xbf16>) outs(%v3 : tensor<128xf32>) {
    ^bb0(%i6: bf16, %o7: f32):
      %t9 = arith.extf %i6 : bf16 to f32
      %t10 = arith.addf %t9, %o7 : f32
      linalg.yield %t10 : f32
    } -> tensor<128xf32>
    %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x, %v8 : tensor<128x256xbf16>, tensor<128xf32>) outs(%v3 : tensor<128xf32>) {
    ^bb0(%i11: bf16, %i12: f32, %o13: f32):
      %t15 = arith.extf %i11 : bf16 to f32
      %t16 = arith.divf %i12, %c4 : f32
      %t17 = arith.subf %t15, %t16 : f32
      %t18 = arith.mulf %t17, %t17 : f32
      %t19 = arith.addf %t18, %o13 : f32
      linalg.yield %t19 : f32
    } -> tensor<128xf32>
    %v20 = tensor.empty() : tensor<128x256xbf16>
    %v27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %v8, %v14, %g, %b : tensor<128x256xbf16>, tensor<128xf32>, tensor<128xf32>, tensor<256xbf16>, tensor<256xbf16>) outs(%v20 : tensor<128x256xbf16>) {
    ^bb0(%i21: bf16, %i22: f32, %i23: f32, %i24: bf16, %i25: bf16, %o26: bf16):
      %t28 = arith.extf %i21 : bf16 to f32
      %t29 = arith.divf %i22, %c4 : f32
      %t30 = arith.subf %t28, %t29 : f32
      %t31 = arith.divf %i23, %c4 : f32
      %t32 = arith.addf %t31, %c5 : f32
      %t33 = math.rsqrt %t32 : f32
      %t34 = arith.mulf %t30, %t33 : f32
      %t35 = arith.extf %i24 : bf16 to f32
      %t36 = arith.mulf %t34, %t35 : f32
      %t37 = arith.extf %i25 : bf16 to f32
      %t38 = arith.addf %t36, %t37 : f32
      %t39 = arith.truncf %t38 : f32 to bf16
      linalg.yield %t39 : bf16
    } -> tensor<128x256xbf16>
    return %v27 : tensor<128x256xbf16>
}
