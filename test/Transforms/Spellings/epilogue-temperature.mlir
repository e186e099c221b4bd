// A learnt temperature, exp(scale), is computed in the kernel that multiplies by it: written as a tensor without
// dimensions, as an op on tensors, and as a number. The host would end the launch of the kernel before.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify --machine=trn2 | FileCheck %s
// CHECK-COUNT-3: verify: result {{[0-2]}}: relative error
// CHECK-NOT: host_ops

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#scalar = affine_map<() -> ()>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>, %scale: tensor<f32>)
    -> (tensor<24x56xf32>, tensor<24x56xf32>, tensor<24x56xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %one = tensor.empty() : tensor<f32>
  %t = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%scale : tensor<f32>) outs(%one : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %a = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %t : tensor<24x56xf32>, tensor<f32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %0 = arith.mulf %in, %g : f32
    linalg.yield %0 : f32
  } -> tensor<24x56xf32>
  %u = math.exp %scale : tensor<f32>
  %b = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %u : tensor<24x56xf32>, tensor<f32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %0 = arith.addf %in, %g : f32
    linalg.yield %0 : f32
  } -> tensor<24x56xf32>
  %n = tensor.extract %scale[] : tensor<f32>
  %v = math.tanh %n : f32
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.subf %in, %v : f32
    linalg.yield %0 : f32
  } -> tensor<24x56xf32>
  return %a, %b, %c : tensor<24x56xf32>, tensor<24x56xf32>, tensor<24x56xf32>
}
