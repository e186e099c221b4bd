// RUN: not trn-opt %s --trn-set-machine=machine=trn1 2>&1 | FileCheck %s --check-prefix=VERIFIER
// RUN: not trn-opt %s --verify-each=0 --trn-set-machine=machine=trn1 --trn-lower-kernels 2>&1 | FileCheck %s

// The DMA of trn2 transposes, that of trn1 does not. Who plans for the one and compiles for the
// other is told so, also where nobody verifies between passes.

// VERIFIER: error: trn.schedule cannot be followed: x has no home where xt is computed
// CHECK: error: trn.schedule cannot be followed: x has no home where xt is computed

#id = affine_map<(d0, d1) -> (d0, d1)>

module attributes {trn.machine = #trn.machine<"trn2">} {
func.func private @k(%x: memref<128x128xbf16>, %w: memref<128x32xbf16>, %o: memref<128x32xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 128, k = 128, n = 32],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x32xbf16> to tensor<128x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<128x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<128x128xbf16>, tensor<128x32xbf16>) outs(%o_zero : tensor<128x32xf32>) -> tensor<128x32xf32>
  %o_init = tensor.empty() : tensor<128x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<128x32xf32>) outs(%o_init : tensor<128x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<128x32xbf16>, memref<128x32xbf16>) -> ()
  return
}
}
