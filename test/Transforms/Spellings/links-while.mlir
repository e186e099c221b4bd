// Layers whose weights lie in one tensor, in a loop that counts as JAX scans them: the kernels are one launch
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> ()>
module {
  func.func @main(%arg0: tensor<20x64xf32>, %arg1: tensor<3x64x64xf32>) -> tensor<20x64xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense<0> : tensor<i32>
    %cst_1 = arith.constant dense<3> : tensor<i32>
    %cst_2 = arith.constant dense<1> : tensor<i32>
    %0:2 = scf.while (%arg2 = %cst_0, %arg3 = %arg0) : (tensor<i32>, tensor<20x64xf32>) -> (tensor<i32>, tensor<20x64xf32>) {
      %extracted = tensor.extract %arg2[] : tensor<i32>
      %extracted_3 = tensor.extract %cst_1[] : tensor<i32>
      %1 = arith.cmpi slt, %extracted, %extracted_3 : i32
      scf.condition(%1) %arg2, %arg3 : tensor<i32>, tensor<20x64xf32>
    } do {
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<20x64xf32>):
      %extracted = tensor.extract %arg2[] : tensor<i32>
      %c0_i32 = arith.constant 0 : i32
      %c2_i32 = arith.constant 2 : i32
      %1 = arith.maxsi %extracted, %c0_i32 : i32
      %2 = arith.minsi %1, %c2_i32 : i32
      %3 = arith.index_cast %2 : i32 to index
      %extracted_slice = tensor.extract_slice %arg1[%3, 0, 0] [1, 64, 64] [1, 1, 1] : tensor<3x64x64xf32> to tensor<64x64xf32>
      %4 = tensor.empty() : tensor<20x64xf32>
      %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<20x64xf32>) -> tensor<20x64xf32>
      %6 = linalg.matmul ins(%arg3, %extracted_slice : tensor<20x64xf32>, tensor<64x64xf32>) outs(%5 : tensor<20x64xf32>) -> tensor<20x64xf32>
      %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %arg3 : tensor<20x64xf32>, tensor<20x64xf32>) outs(%4 : tensor<20x64xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %10 = math.tanh %in : f32
        %11 = arith.addf %10, %in_3 : f32
        linalg.yield %11 : f32
      } -> tensor<20x64xf32>
      %8 = tensor.empty() : tensor<i32>
      %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = []} ins(%arg2, %cst_2 : tensor<i32>, tensor<i32>) outs(%8 : tensor<i32>) {
      ^bb0(%in: i32, %in_3: i32, %out: i32):
        %10 = arith.addi %in, %in_3 : i32
        linalg.yield %10 : i32
      } -> tensor<i32>
      scf.yield %9, %7 : tensor<i32>, tensor<20x64xf32>
    }
    return %0#1 : tensor<20x64xf32>
  }
}

