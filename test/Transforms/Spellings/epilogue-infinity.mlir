// Constants of kernels are finite: the host compares with an infinity and chooses a NaN.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-outline-kernels 2>&1 | FileCheck %s --check-prefix=WHY
// CHECK-COUNT-2: verify: result {{.}}: relative error
// CHECK: host_ops
// CHECK-COUNT-2: 1 {{.*}} linalg.generic
// WHY: not in the kernel of its operands: 'arith.cmpf' in its body is nothing that the engines compute
// WHY: not in the kernel of its operands: 'arith.select' in its body is nothing that the engines compute

#id = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x80xf32>) -> (tensor<64x80xf32>, tensor<64x80xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x80xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x80xf32>) outs(%f : tensor<64x80xf32>) -> tensor<64x80xf32>
  %compared = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x80xf32>) outs(%e : tensor<64x80xf32>) {
  ^bb0(%a: f32, %o: f32):
    %least = arith.constant 0xFF800000 : f32
    %c = arith.cmpf oeq, %a, %least : f32
    %r = arith.select %c, %zero, %a : f32
    linalg.yield %r : f32
  } -> tensor<64x80xf32>
  %chosen = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x80xf32>) outs(%e : tensor<64x80xf32>) {
  ^bb0(%a: f32, %o: f32):
    %nan = arith.constant 0x7FC00000 : f32
    %c = arith.cmpf olt, %a, %zero : f32
    %r = arith.select %c, %nan, %a : f32
    linalg.yield %r : f32
  } -> tensor<64x80xf32>
  return %compared, %chosen : tensor<64x80xf32>, tensor<64x80xf32>
}
