// Mish, x * tanh(softplus(x)), as torch-mlir writes it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s --check-prefix=IR
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

// IR: trn.matmul
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.activation mish(
// IR-NOT: trn.tensor_{{(scalar|tensor)}}
// IR: trn.dma_copy

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %one = arith.constant 1.0 : f32
  %limit = arith.constant 20.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty_f32 = tensor.empty() : tensor<24x56xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.mulf %a, %one : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %power = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scaled : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %log = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%power : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.log1p %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %ratio = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%log : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.divf %a, %one : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %empty_i1 = tensor.empty() : tensor<24x56xi1>
  %large = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%scaled : tensor<24x56xf32>) outs(%empty_i1 : tensor<24x56xi1>) {
  ^bb0(%a: f32, %out: i1):
    %r = arith.cmpf ogt, %a, %limit : f32
    linalg.yield %r : i1
  } -> tensor<24x56xi1>
  %soft = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%large, %y, %ratio : tensor<24x56xi1>, tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: i1, %b: f32, %c: f32, %out: f32):
    %r = arith.select %a, %b, %c : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %tanh = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%soft : tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.tanh %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %tanh : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty_f32 : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
