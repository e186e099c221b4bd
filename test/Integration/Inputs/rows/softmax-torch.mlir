// Softmax by torch-mlir: the maximum comes with its index, which nobody reads.
func.func @main(%x: tensor<1x4x64x128xf32>) -> tensor<1x4x64x128xf32> {
    %c1 = arith.constant 0 : i64
    %c4 = arith.constant 0xFF800000 : f32
    %c28 = arith.constant 0.000000e+00 : f32
    %v2 = tensor.empty() : tensor<1x4x64xi64>
    %v3 = linalg.fill ins(%c1 : i64) outs(%v2 : tensor<1x4x64xi64>) -> tensor<1x4x64xi64>
    %v5 = tensor.empty() : tensor<1x4x64xf32>
    %v6 = linalg.fill ins(%c4 : f32) outs(%v5 : tensor<1x4x64xf32>) -> tensor<1x4x64xf32>
    %v10:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x : tensor<1x4x64x128xf32>) outs(%v6, %v3 : tensor<1x4x64xf32>, tensor<1x4x64xi64>) {
    ^bb0(%i7: f32, %o8: f32, %o9: i64):
      %t12 = linalg.index 3 : index
      %t13 = arith.index_cast %t12 : index to i64
      %t14 = arith.maximumf %i7, %o8 : f32
      %t15 = arith.cmpf ogt, %i7, %o8 : f32
      %t16 = arith.select %t15, %t13, %o9 : i64
      linalg.yield %t14, %t16 : f32, i64
    } -> (tensor<1x4x64xf32>, tensor<1x4x64xi64>)
    %v17 = tensor.expand_shape %v10#0 [[0], [1], [2, 3]] output_shape [1, 4, 64, 1] : tensor<1x4x64xf32> into tensor<1x4x64x1xf32>
    %v18 = tensor.empty() : tensor<1x4x64x128xf32>
    %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %v17 : tensor<1x4x64x128xf32>, tensor<1x4x64x1xf32>) outs(%v18 : tensor<1x4x64x128xf32>) {
    ^bb0(%i19: f32, %i20: f32, %o21: f32):
      %t23 = arith.subf %i19, %i20 : f32
      linalg.yield %t23 : f32
    } -> tensor<1x4x64x128xf32>
    %v26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v22 : tensor<1x4x64x128xf32>) outs(%v18 : tensor<1x4x64x128xf32>) {
    ^bb0(%i24: f32, %o25: f32):
      %t27 = math.exp %i24 : f32
      linalg.yield %t27 : f32
    } -> tensor<1x4x64x128xf32>
    %v29 = tensor.empty() : tensor<1x4x64x1xf32>
    %v30 = linalg.fill ins(%c28 : f32) outs(%v29 : tensor<1x4x64x1xf32>) -> tensor<1x4x64x1xf32>
    %v33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v26 : tensor<1x4x64x128xf32>) outs(%v30 : tensor<1x4x64x1xf32>) {
    ^bb0(%i31: f32, %o32: f32):
      %t34 = arith.addf %i31, %o32 : f32
      linalg.yield %t34 : f32
    } -> tensor<1x4x64x1xf32>
    %v38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (0, d1, d2, 0)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v26, %v33 : tensor<1x4x64x128xf32>, tensor<1x4x64x1xf32>) outs(%v18 : tensor<1x4x64x128xf32>) {
    ^bb0(%i35: f32, %i36: f32, %o37: f32):
      %t39 = arith.divf %i35, %i36 : f32
      linalg.yield %t39 : f32
    } -> tensor<1x4x64x128xf32>
    return %v38 : tensor<1x4x64x128xf32>
}
