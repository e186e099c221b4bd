// Up and gate of a Llama layer on a batch, with torch's weights.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#x = affine_map<(b, s, n, k) -> (b, s, k)>
#w = affine_map<(b, s, n, k) -> (n, k)>
#o = affine_map<(b, s, n, k) -> (b, s, n)>
#id = affine_map<(b, s, n) -> (b, s, n)>
func.func @main(%x: tensor<2x12x40xbf16>, %g: tensor<56x40xbf16>, %u: tensor<56x40xbf16>) -> tensor<2x12x56xbf16> {
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x12x56xf32>
  %a = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %g : tensor<2x12x40xbf16>, tensor<56x40xbf16>) outs(%zeros : tensor<2x12x56xf32>) -> tensor<2x12x56xf32>
  %b = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %u : tensor<2x12x40xbf16>, tensor<56x40xbf16>) outs(%zeros : tensor<2x12x56xf32>) -> tensor<2x12x56xf32>
  %empty = tensor.empty() : tensor<2x12x56xbf16>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a, %b : tensor<2x12x56xf32>, tensor<2x12x56xf32>) outs(%empty : tensor<2x12x56xbf16>) {
  ^bb0(%gate: f32, %up: f32, %out: bf16):
    %n = arith.negf %gate : f32
    %e = math.exp %n : f32
    %s = arith.addf %e, %one : f32
    %silu = arith.divf %gate, %s : f32
    %p = arith.mulf %silu, %up : f32
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<2x12x56xbf16>
  return %o : tensor<2x12x56xbf16>
}
