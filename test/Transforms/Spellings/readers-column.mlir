// A column of the gates of experts, which a kernel computes, is read in place by the kernel that multiplies by it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s --check-prefix=CODE
// CHECK: verify: result 0: relative error
// CHECK-NOT: host_ops
// CODE-LABEL: func.func @main(
// CODE-NOT: tensor.extract_slice
// CODE: return

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<24x40xf32>, %gate: tensor<40x4xf32>, %a: tensor<40x48xf32>, %b: tensor<40x48xf32>) -> tensor<24x48xf32> {
  %zero = arith.constant 0.0 : f32
  %ge = tensor.empty() : tensor<24x4xf32>
  %gz = linalg.fill ins(%zero : f32) outs(%ge : tensor<24x4xf32>) -> tensor<24x4xf32>
  %logits = linalg.matmul ins(%x, %gate : tensor<24x40xf32>, tensor<40x4xf32>) outs(%gz : tensor<24x4xf32>) -> tensor<24x4xf32>
  %g = linalg.softmax dimension(1) ins(%logits : tensor<24x4xf32>) outs(%ge : tensor<24x4xf32>) -> tensor<24x4xf32>
  %e = tensor.empty() : tensor<24x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<24x48xf32>) -> tensor<24x48xf32>
  %ya = linalg.matmul ins(%x, %a : tensor<24x40xf32>, tensor<40x48xf32>) outs(%z : tensor<24x48xf32>) -> tensor<24x48xf32>
  %yb = linalg.matmul ins(%x, %b : tensor<24x40xf32>, tensor<40x48xf32>) outs(%z : tensor<24x48xf32>) -> tensor<24x48xf32>
  %ga = tensor.extract_slice %g[0, 1] [24, 1] [1, 1] : tensor<24x4xf32> to tensor<24x1xf32>
  %gb = tensor.extract_slice %g[0, 3] [24, 1] [1, 1] : tensor<24x4xf32> to tensor<24x1xf32>
  %o = linalg.generic {indexing_maps = [#id, #column, #id, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%ya, %ga, %yb, %gb : tensor<24x48xf32>, tensor<24x1xf32>, tensor<24x48xf32>, tensor<24x1xf32>) outs(%e : tensor<24x48xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %l: f32, %out: f32):
    %0 = arith.mulf %i, %j : f32
    %1 = arith.mulf %k, %l : f32
    %2 = arith.addf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<24x48xf32>
  return %o : tensor<24x48xf32>
}
