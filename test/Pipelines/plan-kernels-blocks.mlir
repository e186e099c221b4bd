// RUN: trn-opt %s --trn-plan-kernels="block-m=128 effort=100" | FileCheck %s --check-prefix=M
// RUN: trn-opt %s --trn-plan-kernels="block-k=128 effort=100" | FileCheck %s --check-prefix=K
// RUN: trn-opt %s --trn-plan-kernels="block-r=128 effort=100" | FileCheck %s --check-prefix=R
// RUN: trn-opt %s --trn-plan-kernels="block-n=256 effort=100" | FileCheck %s --check-prefix=N
// RUN: trn-opt %s --trn-plan-kernels="block-m=128 block-n=256 effort=100" | FileCheck %s --check-prefix=BOTH
// RUN: trn-opt %s --trn-plan-kernels="blocks=m=128,n=256 effort=100" | FileCheck %s --check-prefix=BOTH
// RUN: trn-opt %s --trn-plan-kernels="block-m=4096 effort=100" | FileCheck %s --check-prefix=LARGE

// Blocks that are asked for are taken as they are; those of other dims are chosen. Larger than the
// dim means all of it.

// M: nests = [{{.*}}y{{t?}} ({{[^)]*}}m = 128{{.*}}), {{.*}}o ({{[^)]*}}m = 128
// K: nests = [{{.*}}y{{t?}} ({{.*}}k = 128{{.*}}), {{.*}}o (
// R: nests = [{{.*}}y{{t?}} ({{.*}}r = 128{{.*}}), {{.*}}o (
// N: {{\[| }}o ({{.*}}n = 256
// BOTH: nests = [{{.*}}y{{t?}} ({{[^)]*}}m = 128{{.*}}), {{.*}}o ({{m = 128, n = 256|n = 256, m = 128}}
// LARGE-NOT: (m = 128
// LARGE: nests = [xt (
// LARGE-NOT: (m = 128

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
