// Interleaved columns of a weight that is an argument of every call: its slices would be copied in each.
// RUN: trn-opt %s --trn-normalize-products --verify-diagnostics | FileCheck %s
// CHECK: %[[Y:.*]] = linalg.matmul
// CHECK: tensor.extract_slice %[[Y]]
// CHECK: tensor.extract_slice %[[Y]]

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x112xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x112xf32>
  // expected-remark @below {{the host separates columns of this product, since they are interleaved or there are batches; a weight that is known at load is separated once instead: give its argument trn.param}}
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x112xf32>) outs(%zeros : tensor<24x112xf32>) -> tensor<24x112xf32>
  %gate = tensor.extract_slice %y[0, 0] [24, 56] [1, 2] : tensor<24x112xf32> to tensor<24x56xf32>
  %up = tensor.extract_slice %y[0, 1] [24, 56] [1, 2] : tensor<24x112xf32> to tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%gate, %up : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}

// Slices that nobody computes with are views of one result.
// CHECK-LABEL: func.func @views(
// CHECK-COUNT-1: linalg.matmul
// CHECK-NOT: linalg.matmul
func.func @views(%x: tensor<24x40xf32>, %w: tensor<40x112xf32> {trn.param = "w"}) -> (tensor<24x56xf32>, tensor<24x56xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<24x112xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x112xf32>) outs(%zeros : tensor<24x112xf32>) -> tensor<24x112xf32>
  %gate = tensor.extract_slice %y[0, 0] [24, 56] [1, 1] : tensor<24x112xf32> to tensor<24x56xf32>
  %up = tensor.extract_slice %y[0, 56] [24, 56] [1, 1] : tensor<24x112xf32> to tensor<24x56xf32>
  return %gate, %up : tensor<24x56xf32>, tensor<24x56xf32>
}

// Rows are no columns.
// CHECK-LABEL: func.func @rows(
func.func @rows(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> (tensor<12x56xf32>, tensor<12x56xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %a = tensor.extract_slice %y[0, 0] [12, 56] [1, 1] : tensor<24x56xf32> to tensor<12x56xf32>
  %b = tensor.extract_slice %y[12, 0] [12, 56] [1, 1] : tensor<24x56xf32> to tensor<12x56xf32>
  return %a, %b : tensor<12x56xf32>, tensor<12x56xf32>
}

// Columns that are read twice would be computed twice.
// CHECK-LABEL: func.func @overlapping(
// CHECK-COUNT-1: linalg.matmul
// CHECK-NOT: linalg.matmul
func.func @overlapping(%x: tensor<24x40xf32>, %w: tensor<40x112xf32> {trn.param = "w"}) -> (tensor<24x100xf32>, tensor<24x56xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<24x112xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x112xf32>) outs(%zeros : tensor<24x112xf32>) -> tensor<24x112xf32>
  %a = tensor.extract_slice %y[0, 0] [24, 100] [1, 1] : tensor<24x112xf32> to tensor<24x100xf32>
  %b = tensor.extract_slice %y[0, 56] [24, 56] [1, 1] : tensor<24x112xf32> to tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%e: f32, %out: f32):
    %p = arith.negf %e : f32
    linalg.yield %p : f32
  } -> tensor<24x56xf32>
  return %a, %o : tensor<24x100xf32>, tensor<24x56xf32>
}
