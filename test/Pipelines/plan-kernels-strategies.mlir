// RUN: trn-opt %s --trn-plan-kernels="transpose=implicit effort=20" | FileCheck %s --check-prefix=IMPLICIT
// RUN: trn-opt %s --trn-plan-kernels="transpose=explicit effort=20" | FileCheck %s --check-prefix=EXPLICIT
// RUN: trn-opt %s --trn-plan-kernels="strategy=strip-cache effort=20" | FileCheck %s --check-prefix=STRIP
// RUN: trn-opt %s --trn-plan-kernels="strategy=recompute effort=20" | FileCheck %s --check-prefix=RECOMPUTE
// RUN: trn-opt %s --trn-plan-kernels="effort=1" | FileCheck %s --check-prefix=ONE
// RUN: trn-opt %s --trn-plan-kernels=effort=1 --remark-format=emitRemark --remarks-filter=trn-plan-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=EFFORT

// Strategies are demands on plans.

// IMPLICIT: stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r]
// EXPLICIT: stages = [xt = transpose x, y = xt * u over k, yt = transpose y, o = yt * v over r]

// One home serves all nests of Y, and no nest has a loop over n but O's.
// STRIP: nests = [xt ({{[^n]*}}), y{{t?}} ({{[^n]*}}), {{.*}}o (
// STRIP-SAME: yt at {{m|kernel}}{{,| sums}}

// All nests run in the loop over blocks of n.
// RECOMPUTE: nests = [xt (m = {{[0-9]+}}, n = [[N:[0-9]+]]{{.*}}), y{{t?}} (m = {{[0-9]+}}, n = [[N]]{{.*}}), {{.*}}o (m = {{[0-9]+}}, n = [[N]]
// RECOMPUTE-SAME: yt at n

// ONE: nests = [
// EFFORT: plans=1{{$}}

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
