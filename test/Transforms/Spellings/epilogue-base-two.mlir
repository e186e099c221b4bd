// A softplus in powers of two and their exponents, and bf16 that rounds each of them.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error {{.*}}e-0{{[6-9]}}
// CHECK: verify: result 1: relative error
// CHECK-NOT: host_ops
// CHECK: launches 1

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>, %z: tensor<24x56xbf16>) -> (tensor<24x56xf32>, tensor<24x56xbf16>) {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %one = arith.constant 1.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %power = math.exp2 %a : f32
    %above = arith.addf %power, %one : f32
    %log = math.log2 %above : f32
    linalg.yield %log : f32
  } -> tensor<24x56xf32>
  %narrow = tensor.empty() : tensor<24x56xbf16>
  %p = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %z : tensor<24x56xf32>, tensor<24x56xbf16>) outs(%narrow : tensor<24x56xbf16>) {
  ^bb0(%a: f32, %b: bf16, %out: bf16):
    %n = arith.truncf %a : f32 to bf16
    %power = math.exp2 %n : bf16
    %r = arith.mulf %power, %b : bf16
    linalg.yield %r : bf16
  } -> tensor<24x56xbf16>
  return %o, %p : tensor<24x56xf32>, tensor<24x56xbf16>
}
