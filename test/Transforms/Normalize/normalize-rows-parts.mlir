// RUN: trn-opt %s --trn-set-machine=machine=trn1 --trn-normalize-rows | FileCheck %s

// A class goes in front of what a product computes: the product computes its row, too, of zeros, and a number chooses.
// CHECK-LABEL: @class(
// CHECK-SAME: %[[X:.*]]: tensor<20x32xf32>, %[[CLASS:.*]]: tensor<1x48xf32>,
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} -> tensor<1x32xf32>
// CHECK: %[[MORE:.*]] = tensor.concat dim(0) %[[ZERO]], %[[X]]
// CHECK: %[[GROWN:.*]] = linalg.matmul ins(%[[MORE]], {{.*}} -> tensor<21x48xf32>
// CHECK: %[[ZEROS:.*]] = linalg.fill {{.*}} -> tensor<20x48xf32>
// CHECK: %[[CLASSES:.*]] = tensor.concat dim(0) %[[CLASS]], %[[ZEROS]]
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%[[GROWN]], %[[CLASSES]]
// CHECK: linalg.index 0
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

// Zeros around it are such rows; their numbers are a fill.
// CHECK-LABEL: @padded(
// CHECK-NOT: tensor.pad
// CHECK: linalg.matmul {{.*}} -> tensor<23x48xf32>
// CHECK: arith.andi
// CHECK: arith.select
func.func @padded(%x: tensor<20x32xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> tensor<23x40xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.pad %p low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<20x48xf32> to tensor<23x48xf32>
  %more = arith.constant dense<0.0> : tensor<23x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<23x48xf32>, tensor<48x40xf32>) outs(%more : tensor<23x40xf32>) -> tensor<23x40xf32>
  return %o : tensor<23x40xf32>
}

// Sequences whose rows are one dimension of the product: each of them grows.
// CHECK-LABEL: @batch(
// CHECK: tensor.concat dim(1) {{.*}} -> tensor<2x11x32xf32>
// CHECK: linalg.matmul {{.*}} -> tensor<22x48xf32>
// CHECK: arith.remui
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

// The caller puts it together behind the kernel.
// CHECK-LABEL: @returned(
// CHECK: linalg.matmul {{.*}} -> tensor<20x48xf32>
// CHECK: tensor.concat
// CHECK-NOT: arith.select
func.func @returned(%x: tensor<20x32xf32>, %class: tensor<1x48xf32>, %w: tensor<32x48xf32>) -> tensor<21x48xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %p : (tensor<1x48xf32>, tensor<20x48xf32>) -> tensor<21x48xf32>
  return %rows : tensor<21x48xf32>
}

// What reads the input, too, would be in another kernel.
// CHECK-LABEL: @shared(
// CHECK: linalg.matmul {{.*}} -> tensor<20x48xf32>
// CHECK-NOT: arith.select
func.func @shared(%x: tensor<20x32xf32>, %class: tensor<1x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>, %u: tensor<32x8xf32>) -> (tensor<21x40xf32>, tensor<20x8xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %p : (tensor<1x48xf32>, tensor<20x48xf32>) -> tensor<21x48xf32>
  %more = arith.constant dense<0.0> : tensor<21x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<21x48xf32>, tensor<48x40xf32>) outs(%more : tensor<21x40xf32>) -> tensor<21x40xf32>
  %few = arith.constant dense<0.0> : tensor<20x8xf32>
  %other = linalg.matmul ins(%x, %u : tensor<20x32xf32>, tensor<32x8xf32>) outs(%few : tensor<20x8xf32>) -> tensor<20x8xf32>
  return %o, %other : tensor<21x40xf32>, tensor<20x8xf32>
}

// Many more rows than it has would take longer than a launch.
// CHECK-LABEL: @many(
// CHECK: linalg.matmul {{.*}} -> tensor<20x48xf32>
// CHECK-NOT: arith.select
func.func @many(%x: tensor<20x32xf32>, %before: tensor<129x48xf32>, %w: tensor<32x48xf32>, %v: tensor<48x40xf32>) -> tensor<149x40xf32> {
  %zeros = arith.constant dense<0.0> : tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x32xf32>, tensor<32x48xf32>) outs(%zeros : tensor<20x48xf32>) -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %before, %p : (tensor<129x48xf32>, tensor<20x48xf32>) -> tensor<149x48xf32>
  %more = arith.constant dense<0.0> : tensor<149x40xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<149x48xf32>, tensor<48x40xf32>) outs(%more : tensor<149x40xf32>) -> tensor<149x40xf32>
  return %o : tensor<149x40xf32>
}
