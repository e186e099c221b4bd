// RUN: not trn-opt %s --trn-plan-kernels=strategy=magic 2>&1 | FileCheck %s --check-prefix=MAGIC
// RUN: not trn-opt %s --trn-plan-kernels=blocks==3 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not trn-opt %s --trn-plan-kernels=keep=u= 2>&1 | FileCheck %s --check-prefix=VALUE
// RUN: not trn-opt %s --trn-plan-kernels=blocks=m=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not trn-opt %s --trn-plan-kernels="keep=u=n" 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: echo > %t.none.mlir && trn-opt %t.none.mlir --trn-plan-kernels="blocks=q=128 keep=zz=m"

// Demands that no plan can follow are errors at the kernel, or at the module if they are none of
// its own; Tools/trn-compile-demands.test has more. Where there is nothing to plan, they do not
// matter.

// MAGIC: magic
// NAME: error: '=3' in blocks must be a name, '=' and a value
// VALUE: error: 'u=' in keep must be a name, '=' and a value
// ZERO: error: block-m is '0' in blocks, but must be a whole number of at least 1
// KEEP: error: keep=u=n has no plan

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
