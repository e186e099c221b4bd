// RUN: echo '{"base": "trn1", "kernel_overhead_ns": 0}' > %t.json
// RUN: trn-opt %s --trn-set-machine=machine=%t.json --trn-outline-kernels=allow-rounding 2>&1 | FileCheck %s
// RUN: trn-opt %s --trn-set-machine=machine=%t.json --trn-outline-kernels --remark-format=emitRemark --remarks-filter=trn-outline-kernels 2>&1 | FileCheck %s --check-prefix=SOURCE
// RUN: trn-opt %s --trn-outline-kernels=allow-rounding 2>&1 | FileCheck %s --check-prefix=LAUNCH
// RUN: trn-opt %s --trn-set-machine=machine=%t.json --trn-outline-kernels="allow-rounding strategy=strip-cache" 2>&1 | FileCheck %s --check-prefix=LAUNCH

// X * A is 512 x 32, so B and C, which are stored as [n, k] and [k, n], are better multiplied with
// each other first. That is a kernel of its own, whose result is a weight for the other one.

// CHECK: outline-kernels-order.mlir:[[@LINE+42]]:8: remark: products in another order (allow-rounding): X * W1 * (W2 * W3) takes some {{[0-9.]+}} us less
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<512x512xf32>, %[[A:.*]]: tensor<512x32xf32>, %[[B:.*]]: tensor<512x32xf32>, %[[C:.*]]: tensor<512x48xf32>)
// CHECK-NOT: linalg.matmul
// CHECK-DAG: %[[B_HBM:.*]] = bufferization.to_buffer %[[B]]
// CHECK-DAG: %[[C_HBM:.*]] = bufferization.to_buffer %[[C]]
// CHECK: %[[BC:.*]] = memref.alloc() {{.*}} : memref<32x48xf32>
// CHECK: call @main_kernel(%[[B_HBM]], %[[C_HBM]], %[[BC]])
// CHECK: %[[BC_TENSOR:.*]] = bufferization.to_tensor %[[BC]]
// CHECK-DAG: %[[X_HBM:.*]] = bufferization.to_buffer %[[X]]
// CHECK-DAG: %[[A_HBM:.*]] = bufferization.to_buffer %[[A]]
// CHECK-DAG: %[[BC_HBM:.*]] = bufferization.to_buffer %[[BC_TENSOR]]
// CHECK: call @main_kernel_2(%[[X_HBM]], %[[A_HBM]], %[[BC_HBM]], %
// CHECK: func.func private @main_kernel(%{{.*}}: memref<512x32xf32>, %{{.*}}: memref<512x48xf32>, %{{.*}}: memref<32x48xf32> {trn.result})
// CHECK-COUNT-1: linalg.matmul
// CHECK: func.func private @main_kernel_2(%{{.*}}: memref<512x512xf32>, %{{.*}}: memref<512x32xf32>, %{{.*}}: memref<32x48xf32>, %{{.*}}: memref<512x48xf32> {trn.result})
// CHECK-COUNT-2: linalg.matmul

// Unless allowed, other matrices are not rounded than in the source.

// SOURCE: remark: [Missed] Order | Category:trn-outline-kernels | Reason="X * W1 * (W2 * W3) takes some {{.*}} us less, but rounds other matrices than the source", Suggestion=allow-rounding
// SOURCE: call @main_kernel(
// SOURCE-NOT: call

// What is saved must pay for a launch, and a strategy is one for the chain of the source.

// LAUNCH-NOT: remark
// LAUNCH: call @main_kernel(
// LAUNCH-NOT: call

func.func @main(%x: tensor<512x512xf32>, %a: tensor<512x32xf32>, %b: tensor<512x32xf32>, %c: tensor<512x48xf32>) -> tensor<512x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<512x32xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<512x32xf32>) -> tensor<512x32xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<512x512xf32>, tensor<512x32xf32>) outs(%y1_zero : tensor<512x32xf32>) -> tensor<512x32xf32>
  %y2_empty = tensor.empty() : tensor<512x512xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %y2 = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%y1, %b : tensor<512x32xf32>, tensor<512x32xf32>) outs(%y2_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_empty = tensor.empty() : tensor<512x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x48xf32>) -> tensor<512x48xf32>
  %o = linalg.matmul ins(%y2, %c : tensor<512x512xf32>, tensor<512x48xf32>) outs(%o_zero : tensor<512x48xf32>) -> tensor<512x48xf32>
  return %o : tensor<512x48xf32>
}
