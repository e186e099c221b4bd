// RUN: trn-opt %s --trn-plan-kernels="keep=u=kernel effort=20" | FileCheck %s --check-prefix=U
// RUN: trn-opt %s --trn-plan-kernels="keep=u=kernel,v=kernel effort=20" | FileCheck %s --check-prefix=BOTH
// RUN: trn-opt %s --trn-plan-kernels="keep=v=m effort=20" | FileCheck %s --check-prefix=V
// RUN: trn-opt %s --trn-plan-kernels="keep=y=m transpose=explicit effort=20" | FileCheck %s --check-prefix=Y
// RUN: trn-opt %s --trn-plan-kernels="keep=y=kernel transpose=implicit effort=20" | FileCheck %s --check-prefix=YT
// RUN: trn-opt %s --trn-plan-kernels="keep=o=kernel effort=20" | FileCheck %s --check-prefix=O

// The level of a home is the innermost loop around it. Where it is asked for, the best plan with
// it is taken, also one that would not be looked at otherwise.

// U: homes = [{{.*}}u at kernel,
// BOTH: homes = [{{.*}}u at kernel,{{.*}} v at kernel,
// V: homes = [{{.*}}v at m{{,| slots| ahead}}
// O: homes = [{{.*}}o at kernel
// Where there is no Y by rows, its name stands for what it becomes.
// Y: homes = [{{.*}} y at m{{,| }}
// YT: homes = [{{.*}} yt at kernel{{,| }}

#id = affine_map<(d0, d1) -> (d0, d1)>

func.func private @chain(%x: memref<256x256xbf16>, %u: memref<256x256xbf16>, %v: memref<256x1024xbf16>, %o: memref<256x1024xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x1024xbf16> to tensor<256x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<256x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %y_sums = linalg.matmul ins(%x_in, %u_in : tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%y_zero : tensor<256x256xf32>) -> tensor<256x256xf32>
  %y_init = tensor.empty() : tensor<256x256xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<256x256xf32>) outs(%y_init : tensor<256x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x256xbf16>
  %o_empty = tensor.empty() : tensor<256x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<256x256xbf16>, tensor<256x1024xbf16>) outs(%o_zero : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %o_init = tensor.empty() : tensor<256x1024xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x1024xf32>) outs(%o_init : tensor<256x1024xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x1024xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x1024xbf16>, memref<256x1024xbf16>) -> ()
  return
}
