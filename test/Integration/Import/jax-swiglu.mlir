// A SwiGLU MLP of JAX in bf16, after `stablehlo-opt --stablehlo-legalize-to-linalg`: products
// have results in bf16, jax.nn.silu is a function of its own, and attributes of JAX and XLA
// stand at the module and its results. All of it becomes one kernel.
//
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 -o /dev/null

// CHECK: verify: result 0: relative error {{.*}}, at most 1.00e-02
// CHECK-NOT: leaves out
// CHECK: kernel main_kernel
// CHECK-NOT: {{^}}kernel

#map = affine_map<(d0, d1) -> (d0, d1)>
module @jit_mlp attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x256xbf16>, %arg1: tensor<256x512xbf16>, %arg2: tensor<256x512xbf16>, %arg3: tensor<512x256xbf16>) -> (tensor<64x256xbf16> {jax.result_info = "result"}) {
    %0 = tensor.empty() : tensor<64x512xbf16>
    %cst = arith.constant 0.000000e+00 : bf16
    %1 = linalg.fill ins(%cst : bf16) outs(%0 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<64x256xbf16>, tensor<256x512xbf16>) outs(%1 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
    %3 = call @silu(%2) : (tensor<64x512xbf16>) -> tensor<64x512xbf16>
    %4 = tensor.empty() : tensor<64x512xbf16>
    %cst_0 = arith.constant 0.000000e+00 : bf16
    %5 = linalg.fill ins(%cst_0 : bf16) outs(%4 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
    %6 = linalg.matmul ins(%arg0, %arg2 : tensor<64x256xbf16>, tensor<256x512xbf16>) outs(%5 : tensor<64x512xbf16>) -> tensor<64x512xbf16>
    %7 = tensor.empty() : tensor<64x512xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%3, %6 : tensor<64x512xbf16>, tensor<64x512xbf16>) outs(%7 : tensor<64x512xbf16>) {
    ^bb0(%in: bf16, %in_2: bf16, %out: bf16):
      %12 = arith.mulf %in, %in_2 : bf16
      linalg.yield %12 : bf16
    } -> tensor<64x512xbf16>
    %9 = tensor.empty() : tensor<64x256xbf16>
    %cst_1 = arith.constant 0.000000e+00 : bf16
    %10 = linalg.fill ins(%cst_1 : bf16) outs(%9 : tensor<64x256xbf16>) -> tensor<64x256xbf16>
    %11 = linalg.matmul ins(%8, %arg3 : tensor<64x512xbf16>, tensor<512x256xbf16>) outs(%10 : tensor<64x256xbf16>) -> tensor<64x256xbf16>
    return %11 : tensor<64x256xbf16>
  }
  func.func private @silu(%arg0: tensor<64x512xbf16>) -> tensor<64x512xbf16> {
    %0 = tensor.empty() : tensor<64x512xbf16>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<64x512xbf16>) outs(%0 : tensor<64x512xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst = arith.constant 1.000000e+00 : bf16
      %4 = arith.negf %in : bf16
      %5 = math.exp %4 : bf16
      %6 = arith.addf %5, %cst : bf16
      %7 = arith.divf %cst, %6 : bf16
      linalg.yield %7 : bf16
    } -> tensor<64x512xbf16>
    %2 = tensor.empty() : tensor<64x512xbf16>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %1 : tensor<64x512xbf16>, tensor<64x512xbf16>) outs(%2 : tensor<64x512xbf16>) {
    ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
      %4 = arith.mulf %in, %in_0 : bf16
      linalg.yield %4 : bf16
    } -> tensor<64x512xbf16>
    return %3 : tensor<64x512xbf16>
  }
}
