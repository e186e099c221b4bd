// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s

// Engines have log1p of powers as softplus, and others with what the sum loses. What conditions choose is selected.

#id = affine_map<(i, j) -> (i, j)>

// CHECK-LABEL: func.func @no_softplus(
// CHECK: call @no_softplus_kernel
// CHECK-NOT: math.log1p
// CHECK: return
func.func @no_softplus(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.log1p %a : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}

// Below 15 log(1 + exp(x)) is not x.

// CHECK-LABEL: func.func @early_limit(
// CHECK: call @early_limit_kernel
// CHECK-NOT: arith.select
// CHECK: return
func.func @early_limit(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %limit = arith.constant 2.0 : f32
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %out: f32):
    %large = arith.cmpf ogt, %a, %limit : f32
    %e = math.exp %a : f32
    %l = math.log1p %e : f32
    %r = arith.select %large, %a, %l : f32
    linalg.yield %r : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
