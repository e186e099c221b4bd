// A batch of one as torch-mlir writes it: 0 is its index in what elementwise ops read.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 276,480
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#unit = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @main(%x: tensor<1x24x40xf32>, %gate: tensor<40x48xf32>, %up: tensor<40x48xf32>, %down: tensor<48x40xf32>) -> tensor<1x24x40xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %wide = tensor.empty() : tensor<1x24x48xf32>
  %wide_zeros = linalg.fill ins(%zero : f32) outs(%wide : tensor<1x24x48xf32>) -> tensor<1x24x48xf32>
  %in_batch = tensor.empty() : tensor<1x40x48xf32>
  %gates = linalg.broadcast ins(%gate : tensor<40x48xf32>) outs(%in_batch : tensor<1x40x48xf32>) dimensions = [0]
  %ups = linalg.broadcast ins(%up : tensor<40x48xf32>) outs(%in_batch : tensor<1x40x48xf32>) dimensions = [0]
  %g = linalg.batch_matmul ins(%x, %gates : tensor<1x24x40xf32>, tensor<1x40x48xf32>) outs(%wide_zeros : tensor<1x24x48xf32>) -> tensor<1x24x48xf32>
  %share = linalg.generic {indexing_maps = [#unit, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%g : tensor<1x24x48xf32>) outs(%wide : tensor<1x24x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %minus = arith.negf %a : f32
    %power = math.exp %minus : f32
    %below = arith.addf %power, %one : f32
    %sigmoid = arith.divf %one, %below : f32
    linalg.yield %sigmoid : f32
  } -> tensor<1x24x48xf32>
  %silu = linalg.generic {indexing_maps = [#unit, #unit, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%share, %g : tensor<1x24x48xf32>, tensor<1x24x48xf32>) outs(%wide : tensor<1x24x48xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %product = arith.mulf %a, %b : f32
    linalg.yield %product : f32
  } -> tensor<1x24x48xf32>
  %u = linalg.batch_matmul ins(%x, %ups : tensor<1x24x40xf32>, tensor<1x40x48xf32>) outs(%wide_zeros : tensor<1x24x48xf32>) -> tensor<1x24x48xf32>
  %h = linalg.generic {indexing_maps = [#unit, #unit, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%silu, %u : tensor<1x24x48xf32>, tensor<1x24x48xf32>) outs(%wide : tensor<1x24x48xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %product = arith.mulf %a, %b : f32
    linalg.yield %product : f32
  } -> tensor<1x24x48xf32>
  %narrow = tensor.empty() : tensor<1x24x40xf32>
  %narrow_zeros = linalg.fill ins(%zero : f32) outs(%narrow : tensor<1x24x40xf32>) -> tensor<1x24x40xf32>
  %down_batch = tensor.empty() : tensor<1x48x40xf32>
  %downs = linalg.broadcast ins(%down : tensor<48x40xf32>) outs(%down_batch : tensor<1x48x40xf32>) dimensions = [0]
  %o = linalg.batch_matmul ins(%h, %downs : tensor<1x24x48xf32>, tensor<1x48x40xf32>) outs(%narrow_zeros : tensor<1x24x40xf32>) -> tensor<1x24x40xf32>
  return %o : tensor<1x24x40xf32>
}
