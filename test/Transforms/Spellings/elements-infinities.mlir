// Infinities that conditions choose are right beside any number: 0 is compared like others, and what is not chosen may
// be a NaN or the other infinity.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-3: verify: result {{.}}: relative error 0
// CHECK-NOT: host_ops

#id = affine_map<(a, b) -> (a, b)>
func.func @main(%x: tensor<128x64xf32>, %y: tensor<128x64xf32>) -> (tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %most = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<128x64xf32>
  %filled = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %y : tensor<128x64xf32>, tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.cmpf oeq, %a, %zero : f32
    %r = arith.select %c, %least, %b : f32
    linalg.yield %r : f32
  } -> tensor<128x64xf32>
  %numbers = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %root = math.sqrt %a : f32
    %c = arith.cmpf une, %root, %root : f32
    %r = arith.select %c, %least, %root : f32
    linalg.yield %r : f32
  } -> tensor<128x64xf32>
  %turned = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x64xf32>) outs(%e : tensor<128x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %d = arith.divf %a, %zero : f32
    %c = arith.cmpf ogt, %d, %zero : f32
    %r = arith.select %c, %d, %most : f32
    linalg.yield %r : f32
  } -> tensor<128x64xf32>
  return %filled, %numbers, %turned : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>
}
