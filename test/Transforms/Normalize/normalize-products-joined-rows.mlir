// RUN: trn-opt %s --trn-set-machine=machine=trn1 --trn-normalize-rows --trn-normalize-products | FileCheck %s

// A class goes in front of what a product computes: the product computes its row, too, of zeros, and a number chooses.
// CHECK-LABEL: @class(
// CHECK-SAME: %[[X:.*]]: tensor<20x32xf32>, %[[CLASS:.*]]: tensor<1x48xf32>,
// CHECK-DAG: %[[CLASSES:.*]] = tensor.concat dim(0) %[[CLASS]], %{{.*}} -> tensor<21x48xf32>
// CHECK-DAG: %[[CHOICE:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, {{.*}}]> : tensor<21xbf16>
// CHECK-DAG: tensor.concat dim(1) {{.*}} -> tensor<1x21x32xf32>
// CHECK-DAG: %[[GROWN:.*]] = linalg.matmul {{.*}} -> tensor<21x48xf32>
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[GROWN]], %[[CLASSES]], %[[CHOICE]]
// CHECK: arith.cmpf ogt
// CHECK: arith.select
// CHECK: linalg.matmul ins(%[[ROWS]],
func.func @class(%x: tensor<20x32xf32>, %class: tensor<1x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> tensor<21x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %p : (tensor<1x48xf32>, tensor<20x48xf32>) -> tensor<21x48xf32>
  %more = arith.constant dense<0.0> : tensor<21x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<21x48xf32>, tensor<48x40xf32>) outs(%more : tensor<21x40xf32>) -> tensor<21x40xf32>
  return %o : tensor<21x40xf32>
}

// Sequences whose rows are one dimension of the product: each of them grows.
// CHECK-LABEL: @batch(
// CHECK: tensor.concat dim(1) {{.*}} -> tensor<2x11x32xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<22x48xf32>
// CHECK: arith.select
func.func @batch(%x: tensor<2x10x32xf32>, %class: tensor<2x1x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> tensor<22x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<2x10x32xf32> into tensor<20x32xf32>
  %p = linalg.matmul ins(%flat, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %each = tensor.expand_shape %p [[0, 1], [2]] output_shape [2, 10, 48] : tensor<20x48xf32> into tensor<2x10x48xf32>
  %rows = tensor.concat dim(1) %class, %each : (tensor<2x1x48xf32>, tensor<2x10x48xf32>) -> tensor<2x11x48xf32>
  %all = tensor.collapse_shape %rows [[0, 1], [2]] : tensor<2x11x48xf32> into tensor<22x48xf32>
  %more = arith.constant dense<0.0> : tensor<22x40xf32>
  %o = linalg.matmul ins(%all, %v : tensor<22x48xf32>, tensor<48x40xf32>) outs(%more : tensor<22x40xf32>) -> tensor<22x40xf32>
  return %o : tensor<22x40xf32>
}

// The host puts together what is returned behind the kernel.
// CHECK-LABEL: @returned(
// CHECK: -> tensor<20x48xf32>
// CHECK: tensor.concat
// CHECK-NOT: arith.select
// CHECK: return
func.func @returned(%x: tensor<20x32xf32>, %class: tensor<1x48xf32>, %w: tensor<32x48xf32>) -> tensor<21x48xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %p : (tensor<1x48xf32>, tensor<20x48xf32>) -> tensor<21x48xf32>
  return %rows : tensor<21x48xf32>
}

// What is needed without rows of others, too, stays.
// CHECK-LABEL: @shared(
// CHECK: -> tensor<20x48xf32>
// CHECK: tensor.concat
// CHECK-NOT: arith.select
// CHECK: return
func.func @shared(%x: tensor<20x32xf32>, %class: tensor<1x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> (tensor<21x40xf32>, tensor<20x48xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %p : (tensor<1x48xf32>, tensor<20x48xf32>) -> tensor<21x48xf32>
  %more = arith.constant dense<0.0> : tensor<21x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<21x48xf32>, tensor<48x40xf32>) outs(%more : tensor<21x40xf32>) -> tensor<21x40xf32>
  return %o, %p : tensor<21x40xf32>, tensor<20x48xf32>
}

// More rows than partitions would take as long as a launch.
// CHECK-LABEL: @many(
// CHECK: -> tensor<20x48xf32>
// CHECK: tensor.concat
// CHECK-NOT: arith.select
// CHECK: return
func.func @many(%x: tensor<20x32xf32>, %class: tensor<129x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> tensor<149x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %p : (tensor<129x48xf32>, tensor<20x48xf32>) -> tensor<149x48xf32>
  %more = arith.constant dense<0.0> : tensor<149x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<149x48xf32>, tensor<48x40xf32>) outs(%more : tensor<149x40xf32>) -> tensor<149x40xf32>
  return %o : tensor<149x40xf32>
}

// A division of integers would trap.
// CHECK-LABEL: @integers(
// CHECK: arith.divsi
// CHECK: tensor.concat
// CHECK-NOT: arith.select
// CHECK: return
func.func @integers(%x: tensor<20x32xf32>, %d: tensor<20x48xi32>, %class: tensor<1x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> tensor<21x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %e = tensor.empty() : tensor<20x48xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p, %d : tensor<20x48xf32>, tensor<20x48xi32>) outs(%e : tensor<20x48xf32>) {
  ^bb0(%a: f32, %b: i32, %out: f32):
    %hundred = arith.constant 100 : i32
    %c = arith.divsi %hundred, %b : i32
    %f = arith.sitofp %c : i32 to f32
    %s = arith.addf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %q : (tensor<1x48xf32>, tensor<20x48xf32>) -> tensor<21x48xf32>
  %more = arith.constant dense<0.0> : tensor<21x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<21x48xf32>, tensor<48x40xf32>) outs(%more : tensor<21x40xf32>) -> tensor<21x40xf32>
  return %o : tensor<21x40xf32>
}

// Nothing is reduced of more rows.
// CHECK-LABEL: @norm(
// CHECK: -> tensor<20x48xf32>
// CHECK: tensor.concat
// CHECK-NOT: arith.select
// CHECK: return
func.func @norm(%x: tensor<20x32xf32>, %class: tensor<1x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> tensor<21x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %e = tensor.empty() : tensor<20x48xf32>
  %q = linalg.softmax dimension(1) ins(%p : tensor<20x48xf32>) outs(%e : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %q : (tensor<1x48xf32>, tensor<20x48xf32>) -> tensor<21x48xf32>
  %more = arith.constant dense<0.0> : tensor<21x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<21x48xf32>, tensor<48x40xf32>) outs(%more : tensor<21x40xf32>) -> tensor<21x40xf32>
  return %o : tensor<21x40xf32>
}
