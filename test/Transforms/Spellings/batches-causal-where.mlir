// A causal mask as JAX writes it, `where(mask, scores, -1e30)`: what it hides is not computed, and no maximum is taken with the number.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main
// RUN: trn-opt %s --trn-set-machine=machine=trn1 --trn-normalize-rows --trn-outline-kernels | FileCheck %s --check-prefix=BAND
// BAND: memref<32x32xf32> {trn.band = #trn.band<none to 0 of inf>}

#id = affine_map<(h, i, j) -> (h, i, j)>
func.func @main(%q: tensor<4x32x16xf32>, %k: tensor<4x16x32xf32>, %v: tensor<4x32x16xf32>) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %far = arith.constant -1.0e30 : f32
  %e = tensor.empty() : tensor<4x32x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<4x32x16xf32>, tensor<4x16x32xf32>) outs(%z : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<4x32x32xf32>) outs(%e : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %out: f32):
    %quarter = arith.constant 0.25 : f32
    %b = arith.mulf %a, %quarter : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi sge, %i, %j : index
    %d = arith.select %c, %b, %far : f32
    linalg.yield %d : f32
  } -> tensor<4x32x32xf32>
  %p = linalg.softmax dimension(2) ins(%m : tensor<4x32x32xf32>) outs(%e : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %oe = tensor.empty() : tensor<4x32x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x32x32xf32>, tensor<4x32x16xf32>) outs(%oz : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %o : tensor<4x32x16xf32>
}
