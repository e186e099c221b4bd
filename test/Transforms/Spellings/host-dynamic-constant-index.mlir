// Rows that are known when the program runs, of a product that says an index as a constant.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @main(%x: tensor<4x?x40xf32>, %w: tensor<1x40x56xf32>, %zeros: tensor<4x?x56xf32>) -> tensor<4x?x56xf32> {
  // expected-remark @below {{product left on the host: dimension 1 of tensor<4x?x40xf32> is dynamic, but kernels are compiled for static shapes; give its size with specialize, an option of trn-compile}}
  %o = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (0, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x?x40xf32>, tensor<1x40x56xf32>) outs(%zeros : tensor<4x?x56xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x?x56xf32>
  return %o : tensor<4x?x56xf32>
}
