// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s
// RUN: trn-opt %s --split-input-file --trn-outline-kernels="strategy=sequential" | FileCheck %s --check-prefix=SEQ
// RUN: trn-opt %s --split-input-file --trn-outline-kernels="strategy=sequential transpose=explicit" | FileCheck %s --check-prefix=EXPLICIT
// RUN: trn-opt %s --split-input-file --trn-outline-kernels="output-layout=transposed" | FileCheck %s --check-prefix=COLUMNS

// A chain becomes one kernel; the function keeps its signature.

// CHECK-LABEL: func.func @chain(
// CHECK-SAME: tensor<64x96xf32>, %{{.*}}: tensor<96x32xf32>, %{{.*}}: tensor<32x48xf32>) -> tensor<64x48xf32>
// CHECK: %[[X:.*]] = bufferization.to_buffer %{{.*}} read_only
// CHECK: %[[O:.*]] = memref.alloc() {{.*}} : memref<64x48xf32>
// CHECK: call @chain_kernel(%[[X]], %{{.*}}, %{{.*}}, %[[O]])
// CHECK: %[[R:.*]] = bufferization.to_tensor %[[O]] restrict :
// CHECK: return %[[R]]
// CHECK: func.func private @chain_kernel(
// CHECK-SAME: memref<64x48xf32> {trn.result})
// 2 * 64 * 32 * (96 + 48) FLOPs
// CHECK-SAME: trn.flops = 589824
// CHECK-SAME: trn.kernel}

// Sequential: two kernels; implicitly transposed, Y^T lies between them.

// SEQ-LABEL: func.func @chain(
// SEQ: %[[Y:.*]] = memref.alloc() {{.*}} : memref<32x64xf32>
// SEQ: call @chain_kernel(%{{.*}}, %{{.*}}, %[[Y]])
// SEQ: call @chain_kernel_2(%[[Y]], %{{.*}}, %{{.*}})
// SEQ: memref.dealloc %[[Y]]

// EXPLICIT-LABEL: func.func @chain(
// EXPLICIT: memref.alloc() {{.*}} : memref<64x32xf32>

// COLUMNS-LABEL: func.func @chain(
// COLUMNS-SAME: -> tensor<48x64xf32>
// COLUMNS: func.func private @chain_kernel({{.*}} memref<48x64xf32> {trn.result})
func.func @chain(%x: tensor<64x96xf32>, %u: tensor<96x32xf32>, %v: tensor<32x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %u : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%y, %v : tensor<64x32xf32>, tensor<32x48xf32>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// An intermediate with another use is a result, too. Strategies are for chains:
// two kernels then, numbered in source order.

// CHECK-LABEL: func.func @intermediate_returned(
// CHECK: call @intermediate_returned_kernel(
// CHECK: func.func private @intermediate_returned_kernel(
// CHECK-SAME: memref<64x32xf32> {trn.result}, %{{.*}}: memref<64x48xf32> {trn.result})

// SEQ-LABEL: func.func @intermediate_returned(
// SEQ: call @intermediate_returned_kernel(
// SEQ: call @intermediate_returned_kernel_2(
// SEQ: func.func private @intermediate_returned_kernel(
// SEQ-SAME: memref<64x32xf32> {trn.result})
// SEQ: func.func private @intermediate_returned_kernel_2(
// SEQ-SAME: memref<64x48xf32> {trn.result})
func.func @intermediate_returned(%x: tensor<64x96xf32>, %u: tensor<96x32xf32>, %v: tensor<32x48xf32>) -> (tensor<64x32xf32>, tensor<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %u : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%y, %v : tensor<64x32xf32>, tensor<32x48xf32>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %y, %o : tensor<64x32xf32>, tensor<64x48xf32>
}

// -----

// A kernel takes weights and X as they are stored.

// CHECK-LABEL: func.func @transposed_operands(
// CHECK-NOT: linalg.transpose
// CHECK: call @transposed_operands_kernel(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<96x64xf32>, memref<32x96xf32>, memref<64x32xf32>)
// CHECK: func.func private @transposed_operands_kernel(
// CHECK: linalg.matmul indexing_maps = [#[[LEFT:.*]], #[[RIGHT:.*]], #[[RESULT:.*]]] ins(%{{.*}}, %{{.*}} : tensor<96x64xf32>, tensor<32x96xf32>)
func.func @transposed_operands(%xt: tensor<96x64xf32>, %wt: tensor<32x96xf32>) -> tensor<64x32xf32> {
  %zero = arith.constant 0.0 : f32
  %x_empty = tensor.empty() : tensor<64x96xf32>
  %x = linalg.transpose ins(%xt : tensor<96x64xf32>) outs(%x_empty : tensor<64x96xf32>) permutation = [1, 0]
  %empty = tensor.empty() : tensor<64x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %wt : tensor<64x96xf32>, tensor<32x96xf32>) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// -----

// O^T = V^T * Y^T is a chain too: its result is stored as columns.

// CHECK-LABEL: func.func @result_as_columns(
// CHECK: func.func private @result_as_columns_kernel(
// CHECK-SAME: memref<48x64xf32> {trn.result})
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]
// CHECK-NEXT: bufferization.materialize_in_destination
func.func @result_as_columns(%x: tensor<64x96xf32>, %u: tensor<96x32xf32>, %v: tensor<32x48xf32>) -> tensor<48x64xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %u : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_empty = tensor.empty() : tensor<48x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<48x64xf32>) -> tensor<48x64xf32>
  %o = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%v, %y : tensor<32x48xf32>, tensor<64x32xf32>) outs(%o_zero : tensor<48x64xf32>) -> tensor<48x64xf32>
  return %o : tensor<48x64xf32>
}

// -----

// A product is a kernel also where its consumer cannot be one, unless its
// result would then be kept wider than the source says.

// CHECK-LABEL: func.func @consumer_accumulates(
// CHECK: call @consumer_accumulates_kernel(
// CHECK: linalg.matmul
// CHECK: func.func private @consumer_accumulates_kernel(
func.func @consumer_accumulates(%x: tensor<64x96xf32>, %u: tensor<96x32xf32>, %v: tensor<32x48xf32>, %o_init: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %u : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o = linalg.matmul ins(%y, %v : tensor<64x32xf32>, tensor<32x48xf32>) outs(%o_init : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}
