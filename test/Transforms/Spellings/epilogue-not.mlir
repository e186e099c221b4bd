// A condition that is turned by an exclusive or with true, as frontends write "not", is a condition of the kernel.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

#id = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<64x96xf32>, %w: tensor<96x80xf32>) -> tensor<64x80xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x80xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x80xf32>) -> tensor<64x80xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x96xf32>, tensor<96x80xf32>) outs(%f : tensor<64x80xf32>) -> tensor<64x80xf32>
  %true = arith.constant true
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<64x80xf32>) outs(%e : tensor<64x80xf32>) {
  ^bb0(%a: f32, %o: f32):
    %half = arith.constant 0.5 : f32
    %yes = arith.constant true
    %c = arith.cmpf ogt, %a, %half : f32
    %n = arith.xori %c, %true : i1
    %d = arith.cmpf olt, %a, %zero : f32
    %p = arith.xori %yes, %d : i1
    %both = arith.andi %n, %p : i1
    %q = arith.mulf %a, %half : f32
    %r = arith.select %both, %q, %half : f32
    linalg.yield %r : f32
  } -> tensor<64x80xf32>
  return %r : tensor<64x80xf32>
}
