// A product in two ops, the first of which keeps all that is multiplied. A kernel may compute that one alone.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: linalg.matmul
// CHECK-NOT: linalg.contract

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#all = affine_map<(m, n, k) -> (m, n, k)>
func.func @main(%x: tensor<8x40xf32>, %w: tensor<40x16xf32>) -> tensor<8x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x16xf32>
  %empty = tensor.empty() : tensor<8x16x40xf32>
  // expected-note @below {{multiplied here}}
  %all = linalg.generic {indexing_maps = [#x, #w, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %w : tensor<8x40xf32>, tensor<40x16xf32>) outs(%empty : tensor<8x16x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<8x16x40xf32>
  // expected-remark @below {{product left on the host: it sums what another op multiplies; write both as one linalg.generic or linalg.contract}}
  %o = linalg.reduce { arith.addf } ins(%all : tensor<8x16x40xf32>) outs(%zeros : tensor<8x16xf32>) dimensions = [2]
  return %o : tensor<8x16xf32>
}

// The sum of squares of a norm is no product.
func.func @squares(%x: tensor<8x40xf32>) -> tensor<8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8xf32>
  %squares = arith.mulf %x, %x : tensor<8x40xf32>
  %o = linalg.reduce { arith.addf } ins(%squares : tensor<8x40xf32>) outs(%zeros : tensor<8xf32>) dimensions = [1]
  return %o : tensor<8xf32>
}
