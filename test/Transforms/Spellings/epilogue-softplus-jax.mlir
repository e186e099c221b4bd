// Softplus as JAX writes it, logaddexp(x, 0): max(x, 0) + log1p(exp(-|x|)), NaN by itself.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s --check-prefix=IR
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

// IR: trn.matmul
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.activation softplus(
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.dma_copy

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %zero = arith.constant 0.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty_f32 = tensor.empty() : tensor<24x56xf32>
  %positive = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.maximumf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %delta = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.subf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %empty_i1 = tensor.empty() : tensor<24x56xi1>
  %is_nan = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%delta, %delta : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_i1 : tensor<24x56xi1>) {
  ^bb0(%a: f32, %b: f32, %out: i1):
    %r = arith.cmpf une, %a, %b : f32
    linalg.yield %r : i1
  } -> tensor<24x56xi1>
  %sum = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.addf %a, %zero : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %size = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%delta : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %negated = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%size : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.negf %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %power = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%negated : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %log = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%power : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.log1p %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %stable = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%positive, %log : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%is_nan, %sum, %stable : tensor<24x56xi1>, tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: i1, %b: f32, %c: f32, %out: f32):
    %r = arith.select %a, %b, %c : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
