// Attention of JAX, `einsum('bqhd,bkhd->bhqk')`, softmax and `einsum('bhqk,bkhd->bhqd')`, after
// `stablehlo-opt --stablehlo-legalize-to-linalg`: one kernel, which runs once for each batch and
// head, with softmax between its products. Nothing is left to the host.
//
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s

// CHECK: verify: result 0: relative error {{.*}}, at most 1.00e-02
// CHECK-NOT: leaves out
// CHECK: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel

#q = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#k = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d1, d4)>
#s = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#p = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#v = affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d1, d3)>
#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#scalar = affine_map<(d0, d1, d2, d3) -> ()>
#rows = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<2x64x4x32xbf16>, %arg1: tensor<2x64x4x32xbf16>, %arg2: tensor<2x64x4x32xbf16>) -> (tensor<2x4x64x32xbf16> {jax.result_info = "result"}) {
    %cst = arith.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = arith.constant dense<0xFF800000> : tensor<f32>
    %cst_1 = arith.constant dense<1.767580e-01> : tensor<f32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<2x4x64x64xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x4x64x64xf32>) -> tensor<2x4x64x64xf32>
    %2 = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%arg0, %arg1 : tensor<2x64x4x32xbf16>, tensor<2x64x4x32xbf16>) outs(%1 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: bf16, %in_3: bf16, %out: f32):
      %20 = arith.extf %in : bf16 to f32
      %21 = arith.extf %in_3 : bf16 to f32
      %22 = arith.mulf %20, %21 : f32
      %23 = arith.addf %out, %22 : f32
      linalg.yield %23 : f32
    } -> tensor<2x4x64x64xf32>
    %3 = linalg.generic {indexing_maps = [#scalar, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%0 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x64x64xf32>
    %4 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2, %3 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%0 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %20 = arith.mulf %in, %in_3 : f32
      linalg.yield %20 : f32
    } -> tensor<2x4x64x64xf32>
    %extracted = tensor.extract %cst_0[] : tensor<f32>
    %5 = tensor.empty() : tensor<2x4x64xf32>
    %6 = linalg.fill ins(%extracted : f32) outs(%5 : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
    %7 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%4 : tensor<2x4x64x64xf32>) outs(%6 : tensor<2x4x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.maximumf %out, %in : f32
      linalg.yield %20 : f32
    } -> tensor<2x4x64xf32>
    %8 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<2x4x64xf32>) outs(%0 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x64x64xf32>
    %9 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%4, %8 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%0 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %in_3: f32, %out: f32):
      %20 = arith.subf %in, %in_3 : f32
      linalg.yield %20 : f32
    } -> tensor<2x4x64x64xf32>
    %10 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9 : tensor<2x4x64x64xf32>) outs(%0 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = math.exp %in : f32
      linalg.yield %20 : f32
    } -> tensor<2x4x64x64xf32>
    %extracted_3 = tensor.extract %cst[] : tensor<f32>
    %11 = linalg.fill ins(%extracted_3 : f32) outs(%5 : tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
    %12 = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%10 : tensor<2x4x64x64xf32>) outs(%11 : tensor<2x4x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.addf %out, %in : f32
      linalg.yield %20 : f32
    } -> tensor<2x4x64xf32>
    %13 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%12 : tensor<2x4x64xf32>) outs(%0 : tensor<2x4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x4x64x64xf32>
    %14 = tensor.empty() : tensor<2x4x64x64xbf16>
    %15 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %13 : tensor<2x4x64x64xf32>, tensor<2x4x64x64xf32>) outs(%14 : tensor<2x4x64x64xbf16>) {
    ^bb0(%in: f32, %in_4: f32, %out: bf16):
      %20 = arith.divf %in, %in_4 : f32
      %21 = arith.truncf %20 : f32 to bf16
      linalg.yield %21 : bf16
    } -> tensor<2x4x64x64xbf16>
    %16 = tensor.empty() : tensor<2x4x64x32xbf16>
    %cst_5 = arith.constant 0.000000e+00 : bf16
    %17 = linalg.fill ins(%cst_5 : bf16) outs(%16 : tensor<2x4x64x32xbf16>) -> tensor<2x4x64x32xbf16>
    %18 = linalg.generic {indexing_maps = [#p, #v, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%15, %arg2 : tensor<2x4x64x64xbf16>, tensor<2x64x4x32xbf16>) outs(%17 : tensor<2x4x64x32xbf16>) {
    ^bb0(%in: bf16, %in_6: bf16, %out: bf16):
      %20 = arith.mulf %in, %in_6 : bf16
      %21 = arith.addf %out, %20 : bf16
      linalg.yield %21 : bf16
    } -> tensor<2x4x64x32xbf16>
    return %18 : tensor<2x4x64x32xbf16>
  }
}
